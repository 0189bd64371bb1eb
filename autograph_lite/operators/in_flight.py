"""`finally` while tracing: what led there must not be forgotten."""
from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import AutographError, StagingError, describe, user_location
from ..graph.graph import Node
from ..graph.tracing import current_graph
from ..ops.calls import CALL
from ..ops.effects import ASSERT, RAISE
from ..ops.indexing import GETITEM, SETITEM
from ..ops.lists import DELETE, GET, SET
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..ops.raising import may_raise
from ..ops.ufuncs import UFUNC
from .activations import Again
from .caught import Caught
from .effects import Diverged
from .kept import MoreToKeep
from .reachable import Reaches
from .restaging import Restage
from .staging import graph_now

# What ends a trace, or a part of it that is begun anew.
GIVEN_UP = (AutographError, Restage, Reaches, Again, MoreToKeep)


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

    def may_have_raised(self) -> bool:
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


class Ending:
    """Stands around what Python runs at the end of a block also where that raises.

    A graph does not come there where it raises.

    Args:
      what: what that is.

    Raises:
      StagingError: it changes what the handler of a `try` around it may find.
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._blocks = list(_following.blocks)
        self._before = [block.state() for block in self._blocks]

    def __enter__(self) -> None:
        self._location = user_location()

    def over(self) -> None:
        """The same as where a `with` statement ends."""
        self.__exit__(None)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for block, before in zip(self._blocks, self._before, strict=True):
            if kind is None and block.may_have_raised() and _differ(before, block.state()):
                what = (
                    f'{self._what} changes what is read after a `try` around it; where the running '
                    'graph raises, it does not come there.')
                fix = 'Change it in the handlers and after the `try`.'
                raise StagingError(describe(what, self._location, fix))


def returning() -> Ending:
    """Begins what a `finally` does before a `return`; its `over` ends that."""
    ending = Ending('`finally`')
    ending.__enter__()
    return ending


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

    Raises:
      StagingError: the `finally` has effects, and before it the running graph may raise.
    """

    def __init__(self) -> None:
        self._graph = current_graph()
        self._start = 0 if self._graph is None else len(self._graph.nodes)
        self._location = user_location()

    def __enter__(self) -> None:
        self._end = 0 if self._graph is None else len(self._graph.nodes)
        error = error_in_flight()
        self._is_given_up = isinstance(error, GIVEN_UP)
        is_raising = error is not None and not isinstance(error, Caught)
        self._ending = None if is_raising else Ending('`finally`')
        if self._ending is not None:
            self._ending.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> bool:
        if self._ending is not None:
            self._ending.__exit__(kind, *error)
        if kind is not None and not issubclass(kind, (*GIVEN_UP, Diverged)):
            _check_raised_first()
        if kind is None and self._ending is not None and self._graph is current_graph():
            self._check_effects()
        return self._is_given_up and kind is not None and issubclass(kind, Exception)

    def _check_effects(self) -> None:
        nodes = [] if self._graph is None else self._graph.nodes
        done = [node for each in nodes[self._end :] for node in _inside(each)]
        before = [node for each in nodes[self._start : self._end] for node in _inside(each)]
        if any(node.op.effect for node in done) and any(map(_is_likely_to_raise, before)):
            what = (
                'This `finally` has effects when the graph runs, and more; where the `try` block '
                'raises, the graph does not come there.')
            fix = (
                'Let it do nothing but `print(...)`, `v.assign(...)` and assign to variables, and '
                'do the rest after the `try`.')
            raise StagingError(describe(what, self._location, fix))


_RAISING = (ASSERT, DELETE, GET, GETITEM, PYTHON_ACTION, PYTHON_FUNCTION, RAISE, SET, SETITEM)


def _is_likely_to_raise(node: Node) -> bool:
    """Whether it raises of itself, reads an item, or computes with numbers as Python does."""
    if node.op is CALL and str(node.attrs['function']).startswith('numpy.linalg'):
        return True
    return node.op in _RAISING or (node.op in (CALL, UFUNC) and node.outputs[0].type.weak)


def _inside(node: Node) -> Iterator[Node]:
    """A node, and all nodes of its graphs."""
    yield node
    for graph in node.graphs.values():
        yield from graph.walk()
