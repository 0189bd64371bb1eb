"""A list that the function makes and puts outside, and that a staged block changes there.

    self.history = []
    for i in range(n):
        self.history.append(loss)

Each run of the graph makes one. What changes it is done to that, and what reads it reads it there.
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph
from ..graph.joins import join_all
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import TensorType, python_scalar
from ..ops.outer_variables import OuterVariable
from ..ops.python_functions import PYTHON_ACTION
from .anew import TracedAnew, note_late
from .given_away import give_away
from .lists import StagedList, new_list
from .moved import leave
from .outer_calls import Changing, found_itself, type_put, with_names
from .outer_lists import OuterList
from .outer_variables import type_of_input
from .outside import rebound
from .passed_to_python import passed_arguments
from .running_reads import asked
from .set_variables import Variable


def stand_for_new(variable: Variable, made: Any) -> None:
    """What the function has set a variable to is the list of each run, if a block changes that."""
    world = rebound()
    assert world is not None
    if type(made) is not list or ('grows', variable.where) not in world.expected:
        return
    living = NewOuterList(list(made), world.outer(variable))
    leave(made, living)
    variable.put(living)
    world.set_to[variable.where].append(living)
    world.told[variable.where] = living


class NewOuterList(OuterList):
    """The list that a variable outside holds when the graph comes here.

    Args:
      made: what is in it where it is made.
      variable: the variable.
    """

    __slots__ = ('variable',)
    is_new = True

    def __init__(self, made: list[Any], variable: OuterVariable) -> None:
        super().__init__(made, None)
        self.variable = variable

    @property
    def source(self) -> Any:
        """What the running graph finds it by.

        Raises:
          OwnershipError: the variable holds another value by now.
        """
        world = rebound()
        assert world is not None
        if nest.actual(world.held(self.variable.where)) is not self:
            raise _left_behind(self.variable.name)
        return self.variable

    def as_it_is(self) -> StagedList:
        # As yet, nothing is put into it; if something is, the function is traced anew.
        return super().as_it_is() if self._types() else new_list([])

    def _types(self) -> Any:
        """The types of what is put into it; None for what is not known."""
        world = rebound()
        assert world is not None
        world.in_place.elements.add(self.variable.where)
        held = [x.type if isinstance(x, Tensor) else type_of_input(x) for x in self.container]
        return dict.fromkeys([*world.in_place.types_of(self.variable.where), *held])

    def element(self) -> TensorType | None:
        """The type that all fits which is put into it; None where there is none."""
        types = self._types()
        if not types or None in types:
            return None
        return join_all(types)

    def length(self) -> Any:
        return asked(len, self.source, (), python_scalar(int))

    def __getitem__(self, index: Any) -> Any:
        element = self.element()
        is_one = type_of_input(index) is not None or isinstance(index, Tensor)
        if element is None or not is_one:
            return super().__getitem__(index)
        return asked(operator.getitem, self.source, (index,), element)

    def change(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method of the list that changes it, whenever the graph runs."""
        result = self[(*args, -1)[0]] if name == 'pop' else None
        for type_ in _types_put(name, args):
            self._expect(type_)
        world, given = rebound(), (*args, *kwargs.values())
        assert world is not None
        give_away(given)
        passed, inputs = passed_arguments(given, found_itself, nest.actual)
        function: Callable[..., Any] = functools.partial(_call, self.source, name)
        if kwargs:
            function = functools.partial(with_names, function, tuple(kwargs))
        run = Changing(self.variable, function, passed, never_raises=False)
        emit(PYTHON_ACTION, inputs, {'run': run, 'types': []}, value_of=held_value)
        world.in_place.note_change(self.container, None, None)
        return result

    def _expect(self, type_: TensorType | None) -> None:
        world, where = rebound(), self.variable.where
        assert world is not None
        known = world.in_place
        if type_ in known.types_of(where):
            return
        if where in known.elements and world.reads:
            note_late(('put', where, type_))
        known.note_put_at(where, type_)


def _left_behind(name: str) -> OwnershipError:
    return OwnershipError(describe(
        f'The list that {name!r}, which lives outside the function, was set to has another name '
        f'here, and {name!r} is something else by now.', user_location(),
        f'Give a copy another name: `rows = {name}.copy()`.'))


def _types_put(name: str, args: tuple[Any, ...]) -> list[TensorType | None]:
    """The types of what a method puts into a list; None for what is not known."""
    if name in ('append', 'insert', '__setitem__'):
        return [type_put(name, args)]
    if name not in ('extend', '__iadd__'):
        return []
    given = nest.actual(args[0])
    if isinstance(given, list | tuple):
        return [x.type if isinstance(x, Tensor) else type_of_input(x) for x in given]
    return [getattr(getattr(given, 'type', None), 'element', None)]


def _call(variable: OuterVariable, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(variable.value, name)(*args, **kwargs)


def let_grow(container: Any, is_state: bool = False) -> None:
    """Has the function traced anew, if a block changes a list that was put outside before it.

    Args:
      container: the list.
      is_state: whether it is the state of such a block.

    Raises:
      TracedAnew: a block changes it.
    """
    world, graph = rebound(), current_graph()
    if world is None or not world.reads or type(container) is not list:
        return
    for where, (value, _, _, made_in) in world.made.items():
        if value is container and (is_state or _is_within(graph, made_in)):
            raise TracedAnew(('grows', where))


def _is_within(graph: Graph | None, outer: Graph) -> bool:
    """Whether a graph is one of the blocks in another."""
    return graph is not outer and graph is not None and (
        graph.parent is outer or _is_within(graph.parent, outer))
