"""Lists that blocks are passed for variables outside, and give back, by the names of these.

    global rows
    if x > 0:                       rows = ag.cond(
        rows = rows + [x]               x > 0, lambda rows: rows + [x], ag.unchanged, rows)

A block sets such a variable itself, if the running graph finds a list there; it gives back nothing.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..errors import AutographError, user_frame
from ..graph import nest
from .given_back import block_names
from .held_lists import HeldList, stand_in
from .living_lists import chosen_list
from .new_containers import behind
from .outer_sets import find_lists, is_list
from .outer_variables import is_found_by_graph, tell_of
from .outside import rebound
from .set_variables import Variable
from .single_names import check_not_in
from .staging import unchanged


class PassedLists:
    """Those of one block.

    Args:
      operands: what the block is passed.
      names: what the user calls its results.
      outer: those of these names that are variables outside.
      block: tells the names of its parameters.
    """

    def __init__(
        self,
        operands: Sequence[Any],
        names: Sequence[str],
        outer: Collection[str],
        block: Callable[..., Any],
    ) -> None:
        self._names = names
        self._passed = {
            i: variable for i, x in enumerate(operands) if (variable := _variable(x, outer))}
        self._held = {
            i: variable for i, variable in self._passed.items() if _finds_list(operands[i])}
        self.operands = tuple(None if i in self._held else x for i, x in enumerate(operands))
        given = block_names(block)
        read = [_by_name(name) for name in outer if name not in given]
        known = [each for each in (*self._passed.values(), *read) if each is not None]
        by_number = {names.index(each.name): each for each in known if each.name in names}
        self._set = {i: each for i, each in by_number.items() if is_found_by_graph(each.where)}
        self._left = {i: each for i, each in by_number.items() if i not in self._set}

    def __bool__(self) -> bool:
        return bool(self._passed or self._set or self._left)

    def function(self, block: Callable[..., Any], taken: int = 0) -> Callable[..., Any]:
        """A branch, or the body of a loop, that sets these variables itself.

        Args:
          block: the block.
          taken: how many arguments it takes before these operands.
        """
        if block is unchanged:
            return block
        asked = self.asking(block, taken)

        @functools.wraps(block)
        def run(*given: Any) -> Any:
            before = {number: each.read() for number, each in self._left.items()}
            returned = asked(*given)
            results = [returned] if len(self._names) == 1 else list(returned)
            for number, variable in self._set.items():
                given_back, results[number] = nest.actual(results[number]), None
                if is_list(given_back) and given_back is not stand_in(variable):
                    check_not_in(given_back, variable.shown, [('', x) for x in results])
                _set(variable, given_back)
            for number, variable in self._left.items():
                passed = [given[taken + i] for i, x in self._passed.items() if x is variable]
                _check_left(variable, [*passed, before[number]], results[number])
            return unchanged(*results)

        return run

    def asking(self, block: Callable[..., Any], taken: int = 0) -> Callable[..., Any]:
        """A block that is passed what the variables hold when it begins."""
        @functools.wraps(block)
        def run(*given: Any) -> Any:
            passed = list(given)
            for i, variable in self._held.items():
                passed[taken + i] = stand_in(variable)
            return block(*passed)

        return run

    def results(self, stage: Callable[[], Any]) -> Any:
        """The results of the block that this stages, with what the variables hold.

        Raises:
          AutographError: it cannot be staged, perhaps because the graph finds no lists there yet.
        """
        try:
            returned = stage()
        except AutographError:
            for variable in self._left.values():
                find_lists(variable, variable.read())
            raise
        results = [returned] if len(self._names) == 1 else list(returned)
        for number, variable in self._set.items():
            results[number] = stand_in(variable)
        return unchanged(*results)


def _finds_list(x: Any) -> bool:
    return isinstance(nest.actual(x), HeldList)


def _variable(x: Any, outer: Collection[str]) -> Variable | None:
    """The variable outside of one of these names that holds a list; None where none does."""
    x, world = nest.actual(x), rebound()
    if world is None or not world.reads or not is_list(x):
        return None
    if isinstance(x, HeldList):
        return x.variable if x.variable.name in outer and x.place_now is not None else None
    known = (each for each in world.all_held if not each.path and each.name in outer)
    return next((each for each in known if each.read() is behind(x)), None)


def _by_name(name: str) -> Variable | None:
    """The variable of this name, as the code has it that is traced, if it holds a list."""
    world, frame = rebound(), user_frame()
    if world is None or not world.reads or frame is None:
        return None
    for each in world.all_held:
        if each.path or each.name != name or not is_list(nest.actual(each.read())):
            continue
        namespace = frame.f_globals if each.is_global else frame.f_locals
        if each.holder is namespace or namespace.get(name) is each.read():
            return each
    return None


def _set(variable: Variable, value: Any) -> None:
    if nest.actual(value) is not stand_in(variable):
        variable.put(value)
        tell_of(variable)


def _check_left(variable: Variable, before: Sequence[Any], after: Any) -> None:
    """A block gives back the list that the variable held before, or what stands for that.

    Raises:
      TracedAnew: it does not.
      OwnershipError: it does not, and the graph cannot find what it gives back.
    """
    after, world = nest.actual(after), rebound()
    assert world is not None
    lists = [behind(each) for each in map(nest.actual, before) if is_list(each)]
    if not is_list(after) or any(behind(after) is each for each in lists):
        return
    if world.bindings.cannot_be_of(variable.where):
        raise chosen_list()
    find_lists(variable, after)
