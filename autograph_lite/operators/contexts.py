"""`np.errstate` in a graph: what NumPy does about a division by zero and its like."""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converters.callees import UNDER_ERRSTATE
from ..graph.tracing import current_graph, emit
from ..ops.effects import END_ERRSTATE, ERRSTATE
from .unconverted import record_context

_KINDS = ('all', 'divide', 'over', 'under', 'invalid')


def context(manager: Any) -> Any:
    """A context manager; one of NumPy's error states holds when the graph runs, too."""
    if type(manager) is not np.errstate or current_graph() is None:
        record_context(manager)
        return manager
    return _ErrorState(manager)


def decorated_function(f: Any) -> tuple[Callable[..., Any], Callable[[], Any]] | None:
    """The function that `@np.errstate(...)` was put on, and what makes its context; or None."""
    if not isinstance(f, types.FunctionType) or f.__code__ not in UNDER_ERRSTATE:
        return None
    held = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    state, decorated = held['self'].cell_contents, held['func'].cell_contents
    return decorated, lambda: context(np.errstate(**_states(state)))


def _states(manager: Any) -> dict[str, Any]:
    """What the manager was made with."""
    found = {kind: getattr(manager, f'_{kind}') for kind in _KINDS}
    states = {kind: state for kind, state in found.items() if state is not None}
    if type(manager._call).__module__.partition('.')[0] != 'numpy':  # what says that there is none
        states['call'] = manager._call
    return states


class _ErrorState:
    """Stands in the graph for an `np.errstate` around operations."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        self._graph = current_graph()
        assert self._graph is not None
        entered = self._manager.__enter__()
        emit(ERRSTATE, [], {'states': _states(self._manager)})
        return entered

    def __exit__(self, *error: Any) -> Any:
        assert self._graph is not None
        if self._graph.nodes and self._graph.nodes[-1].op is ERRSTATE:
            del self._graph.nodes[-1]  # nothing was staged
        else:
            emit(END_ERRSTATE, [], {})
        return self._manager.__exit__(*error)
