"""`with` in a graph: `np.errstate` holds when it runs, other managers act while it is traced."""
from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converters.callees import UNDER_CONTEXT
from ..converters.managers import leaving
from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.graph import Node
from ..graph.held_filters import Entering
from ..graph.tracing import current_graph, emit
from ..ops.effects import ASSERT, END_WITH, ERRSTATE, RAISE
from ..ops.raising import may_raise
from ..pyct.asking import package_of
from .done_once import done
from .excepting import excepting
from .in_flight import GIVEN_UP, Ending
from .leaving import generator_of, may_swallow, name_of
from .opaque import is_opaque
from .outside import is_made_here, note, note_function
from .own_methods import entered
from .python_refusals import check_not_refused
from .reentry import call as traced
from .returned_within import block_results
from .run_by_python import goes_on, has_run
from .staging import graph_now
from .unconverted import record_context, record_reads
from .untold import check_lock
from .warning_filters import check_warned, leaving_filters

_KINDS = ('all', 'divide', 'over', 'under', 'invalid')


def context(manager: Any) -> Any:
    """A context manager; one of NumPy's error states holds when the graph runs, too."""
    if isinstance(manager, contextlib.suppress) and current_graph() is not None:
        return _Suppressing(manager)
    if current_graph() is not None:
        check_lock(manager)
    if type(manager) is not np.errstate or current_graph() is None:
        record_context(manager)
        record_reads(generator_of(manager))
        note_function(generator_of(manager))
        entering = _Once(manager) if is_opaque(manager) else entered(manager)
        return entering if current_graph() is None else _Tracing(manager, entering)
    return _ErrorState(manager)


@replaces(np.geterr, np.seterr)
def _error_state(*_: Any, **__: Any) -> Any:
    """Refuses to ask and to set what holds while tracing.

    Raises:
      StagingError: always.
    """
    raise StagingError(describe(
        '`np.seterr` and `np.geterr` set and tell what holds while tracing, and not when the graph '
        'runs.',
        user_location(),
        'Write `with np.errstate(...)`, or call them outside of the function.'))


def undecorated(f: Any) -> Callable[..., Any] | None:
    """What a context manager has made of a function, for tracing; None if it is nothing such."""
    if isinstance(f, types.MethodType):
        function = undecorated(f.__func__)
        return None if function is None else types.MethodType(function, f.__self__)
    if not isinstance(f, types.FunctionType) or f.__code__ not in UNDER_CONTEXT:
        return None
    held = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    state, decorated = held['self'].cell_contents, held['func'].cell_contents

    def under_context(*args: Any, **kwargs: Any) -> Any:
        if not is_made_here(decorated):
            note(state)
        is_numpys = isinstance(state, np.errstate)
        manager = np.errstate(**_states(state)) if is_numpys else traced(state._recreate_cm)
        with context(manager):
            return traced(decorated, *args, **kwargs)

    return under_context


def _states(manager: Any) -> dict[str, Any]:
    """What the manager was made with."""
    found = {kind: getattr(manager, f'_{kind}') for kind in _KINDS}
    states = {kind: state for kind, state in found.items() if state is not None}
    if package_of(type(manager._call)) != 'numpy':  # what says that there is none
        states['call'] = manager._call
    return states


class _Suppressing(excepting):
    """Stands for a `contextlib.suppress` that only knows of what is raised while tracing."""

    what = 'this `with suppress(...)`'
    fix = (
        'Write `try` with `except` in its place, or `with contextlib.suppress(...)` itself, with '
        '`contextlib` imported outside of the function.')

    def __init__(self, manager: Any) -> None:
        super().__init__()
        self._manager = manager
        self._block = self.block()

    def __enter__(self) -> Any:
        self._block.__enter__()
        return self._manager.__enter__()

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> Any:
        self._block.__exit__(kind, *error)
        super().__exit__(kind, *error)
        return _left(self._manager, kind, *error)


def _left(manager: Any, kind: type[BaseException] | None, *error: Any) -> Any:
    left = manager.__exit__(kind, *error)
    if left and kind is not None:
        check_not_refused(error[0])
    return left


class _Once:
    """Stands for a file, which a trace that begins anew finds as the one before has left it."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        return done(self._manager.__enter__)

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> Any:
        if kind is not None and issubclass(kind, GIVEN_UP):
            return False
        return done(self._manager.__exit__, kind, *error)


class _Tracing:
    """Stands for a context manager that is entered and left while tracing.

    Args:
      manager: the context manager.
      entering: what stands for it in `with`.

    Raises:
      StagingError: the running graph may raise in the block what the manager has a part in.
    """

    __slots__ = (
        '_ending', '_entering', '_filters', '_graph', '_location', '_manager', '_nodes',
        '_returned')

    def __init__(self, manager: Any, entering: Any) -> None:
        self._manager = manager
        self._entering = entering
        self._location = user_location()
        self._filters = Entering()

    def __enter__(self) -> Any:
        self._graph = graph_now()
        self._nodes = len(self._graph.nodes)
        goes_on()
        with self._filters.noting(self._graph):
            entered = self._entering.__enter__()
        has_run()
        what = f'`{name_of(self._manager)}.__exit__`'
        self._ending = Ending(what, 'with')
        self._returned = block_results('with')
        return entered

    def __exit__(self, kind: type[BaseException] | None, *error: Any) -> Any:
        try:
            return self._exit(kind, *error)
        finally:
            self._filters.leave()

    def _exit(self, kind: type[BaseException] | None, *error: Any) -> Any:
        is_given_up = kind is not None and issubclass(kind, GIVEN_UP)
        if is_given_up:
            self._entering.__exit__(kind, *error)
            return False
        self._check()
        self._returned.end()
        goes_on()
        with self._ending, leaving_filters(self._nodes_inside(), self._location):
            left = _left(self._entering, kind, *error)
        has_run()
        self._returned.check_unchanged()
        return left

    def _nodes_inside(self) -> list[Node]:
        return self._graph.nodes[self._nodes :]

    def _check(self) -> None:
        nodes = self._nodes_inside()
        name = name_of(self._manager)
        if any(map(may_raise, nodes)) and may_swallow(self._manager):
            what = (
                f'`{name}` may swallow what is raised in this `with` block, but it is left while '
                'tracing: what the operations in the block raise when the graph runs would pass '
                'it by.')
            fix = 'Write `try` with `except` in its place, which a graph takes over.'
            raise StagingError(describe(what, self._location, fix))
        check_warned(self._filters, nodes, self._location)
        left = leaving(type(self._manager))
        if left is not None and left.reads_error and any(map(_raises, nodes)):
            what = (
                f'`{name}.__exit__` reads what is raised in this `with` block, but it runs while '
                'tracing: what the block raises when the graph runs is not there yet.')
            fix = 'Write `try` with `except` in its place, or test by `if` before the block.'
            raise StagingError(describe(what, self._location, fix))


def _raises(node: Node) -> bool:
    """Whether an operation is a `raise` or an `assert`, or holds one."""
    inside = (inner for graph in node.graphs.values() for inner in graph.nodes)
    return node.op in (RAISE, ASSERT) or any(map(_raises, inside))


class _ErrorState:
    """Stands in the graph for an `np.errstate` around operations."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        self._graph = current_graph()
        assert self._graph is not None
        emit(ERRSTATE, [], {'states': _states(self._manager)})
        return self._manager.__enter__()

    def __exit__(self, *error: Any) -> Any:
        assert self._graph is not None
        if self._graph.nodes and self._graph.nodes[-1].op is ERRSTATE:
            del self._graph.nodes[-1]  # nothing was staged
        else:
            emit(END_WITH, [], {})
        return self._manager.__exit__(*error)
