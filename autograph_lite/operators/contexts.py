"""`with np.errstate(...)`: what NumPy does about a division by zero and its like, in a graph."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.tracing import current_graph, emit
from ..ops.effects import END_ERRSTATE, ERRSTATE

_KINDS = ('all', 'divide', 'over', 'under', 'invalid')


def context(manager: Any) -> Any:
    """A context manager; one of NumPy's error states holds when the graph runs, too."""
    if type(manager) is not np.errstate or current_graph() is None:
        return manager
    return _ErrorState(manager)


class _ErrorState:
    """Stands in the graph for an `np.errstate` around operations."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __enter__(self) -> Any:
        self._graph = current_graph()
        assert self._graph is not None
        found = {kind: getattr(self._manager, f'_{kind}') for kind in _KINDS}
        states = {kind: state for kind, state in found.items() if state is not None}
        before = np.geterrcall()
        entered = self._manager.__enter__()
        if np.geterrcall() is not before:
            states['call'] = np.geterrcall()
        emit(ERRSTATE, [], {'states': states})
        return entered

    def __exit__(self, *error: Any) -> Any:
        assert self._graph is not None
        if self._graph.nodes and self._graph.nodes[-1].op is ERRSTATE:
            del self._graph.nodes[-1]  # nothing was staged
        else:
            emit(END_ERRSTATE, [], {})
        return self._manager.__exit__(*error)
