"""`finally` while tracing: what led there must not be forgotten."""
from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import AutographError, StagingError, describe, user_location
from ..graph.graph import Node
from ..graph.tracing import current_graph
from ..ops.kept import KEEP
from ..ops.raising import may_raise
from .activations import Again
from .anew import TracedAnew
from .effects import Diverged
from .kept import MoreToKeep
from .likely_errors import is_ended, is_likely_to_raise
from .reaches import Reaches
from .restaging import Restage
from .returned_within import block_results
from .staging import graph_now

# What ends a trace, or a part of it that is begun anew.
GIVEN_UP = (AutographError, Restage, Reaches, Again, MoreToKeep, TracedAnew)


def error_in_flight() -> BaseException | None:
    """The exception that is being handled, or on its way through a `finally`."""
    return sys.exc_info()[1]


def refused_since(before: BaseException | None) -> None:
    """Goes on with a refusal that came up after `before` was in flight.

    Raises:
      AutographError: there is one.
    """
    error = error_in_flight()
    if error is not before and isinstance(error, AutographError):
        raise error


class Followed:
    """A staged `try` block, as what ends a block within it knows it."""

    def state(self) -> list[tuple[int, Any, Any]]:
        """What it has changed so far: the owner's identity, the key and the value of each."""
        raise NotImplementedError

    def may_raise(self, node: Node) -> bool:
        """Whether an operation may raise what a handler is for."""
        raise NotImplementedError


class _Following(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Followed] = []


_following = _Following()


@contextmanager
def following(block: Followed) -> Iterator[None]:
    """Stands around the tracing of a `try` block."""
    _following.blocks.append(block)
    try:
        yield
    finally:
        _following.blocks.pop()


def may_end(nodes: Sequence[Node], final: str) -> bool:
    """Whether it matters what a `finally` does where operations raise.

    Args:
      nodes: the operations.
      final: what that is, as `try_` is told.
    """
    if final == 'jumps':
        return is_ended(nodes)
    if final != 'here' and any(is_likely_to_raise(each) for node in nodes for each in node.walk()):
        return True
    return any(block.may_raise(node) for block in _following.blocks for node in nodes)


class Block:
    """The operations of a block, from where it is made on."""

    def __init__(self) -> None:
        self._graph = current_graph()
        self._start = 0 if self._graph is None else len(self._graph.nodes)
        self.end()

    def end(self) -> None:
        """Here it ends, maybe in a branch or a loop."""
        self._last = current_graph()
        self._end = 0 if self._last is None else len(self._last.nodes)

    def nodes(self) -> Iterator[Node]:
        """All that was staged in it, also before the branch or loop in which it ends."""
        graph, end = self._last, self._end
        while graph is not None:
            is_whole = graph is self._graph
            yield from graph.nodes[self._start if is_whole else 0 : end]
            graph = None if is_whole else graph.parent
            end = len(graph.nodes) if graph is not None else 0

    def after(self) -> list[Node]:
        """What was staged since, where it ends."""
        return [] if self._last is None else self._last.nodes[self._end :]


class Ending:
    """Stands around what Python runs at the end of a block also where that raises.

    A graph does not come there where it raises.

    Args:
      what: what that is.
      statement: the statement that the block is of, as the user writes it.

    Raises:
      StagingError: it changes what the handler of a `try` around it may find, or has effects.
    """

    def __init__(self, what: str, statement: str = 'try') -> None:
        self._what = what
        self._statement = statement
        self._around = list(_following.blocks)
        self._block = Block()
        self._location = user_location()

    def __enter__(self) -> None:
        self._block.end()
        self._before = [block.state() for block in self._around]

    def begin(self) -> None:
        """The same as where a `with` statement begins."""
        self.__enter__()

    def over(self) -> None:
        """The same as where a `with` statement ends."""
        self.__exit__(None)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._check_changes()
            self._check_effects()

    def _check_changes(self) -> None:
        for around, before in zip(self._around, self._before, strict=True):
            raising = list(filter(around.may_raise, self._block.nodes()))
            if _differ(before, around.state()) and is_ended(raising):
                what = (
                    f'{self._what} changes what is read after a `try` around it; where the running '
                    'graph raises, it does not come there.')
                fix = 'Change it in the handlers and after the `try`.'
                raise StagingError(describe(what, self._location, fix))

    def _check_effects(self) -> None:
        done = [node.op for each in self._block.after() for node in each.walk()]
        if not any(op.effect and op is not KEEP for op in done):  # handlers find what is kept
            return
        if any(is_likely_to_raise(node) for each in self._block.nodes() for node in each.walk()):
            what = (
                f'{self._what} has effects when the graph runs, but where the '
                f'`{self._statement}` block raises, the graph does not come there.')
            fix = (
                'Write them in a `finally` that does nothing but `print(...)`, `v.assign(...)`, '
                'assign to variables, change lists and dicts, `raise`, and call functions (but no '
                'methods) of your own; or do it after the block.')
            raise StagingError(describe(what, self._location, fix))


def returning() -> Ending:
    """Stands, by its `begin` and `over`, around what a `finally` does before a `return`."""
    return Ending('`finally`')


def _differ(before: list[tuple[int, Any, Any]], now: list[tuple[int, Any, Any]]) -> bool:
    return [(*place, id(x)) for *place, x in before] != [(*place, id(x)) for *place, x in now]


def _check_raised_first() -> None:
    """Nothing that the running graph raises comes before what a `finally` raises in its place.

    Raises:
      StagingError: something may.
    """
    if any(map(may_raise, graph_now().nodes)):
        what = '`finally` raises in the place of what the running graph may raise before it.'
        fix = 'Raise it after the `try`, and in its handlers.'
        raise StagingError(describe(what, user_location(), fix))


class finishing:
    """Stands around what a `finally` does: where a trace is given up, only that counts.

    It is made where the `try` begins.

    Args:
      is_done: whether all is done before each `return` already.

    Raises:
      StagingError: as of `Ending`.
      OwnershipError: it changes what the block returns on one way and not on another.
    """

    def __init__(self, is_done: bool = False) -> None:
        self._ending = Ending('`finally`')
        self._returned = None if is_done else block_results()
        self._before = error_in_flight()

    def __enter__(self) -> None:
        error = error_in_flight()
        # A block that is traced once more may be so where one that gave up is being handled.
        self._is_given_up = error is not self._before and isinstance(error, GIVEN_UP)
        if self._returned is not None:
            self._returned.end()
        self._ending.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        if not self._is_given_up:
            self._ending.__exit__(kind, *error)
        if kind is None and self._returned is not None:
            self._returned.check_unchanged()
        if kind is not None and not issubclass(kind, (*GIVEN_UP, Diverged)):
            _check_raised_first()
        return self._is_given_up and kind is not None and issubclass(kind, Exception)
