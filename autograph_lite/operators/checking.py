"""`check`: what Python raises where something is wrong, also where only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..ops.effects import RAISE
from .conditionals import cond, unchanged
from .effects import Diverged
from .staging import graph_now


def check(is_wrong: Any, message: str, error: type[Exception] = ValueError) -> None:
    """Raises an error where something is wrong; in a staged block only if it is run."""

    def raise_it() -> None:
        emit(RAISE, [], {'error': error, 'parts': [message]})
        raise Diverged

    if isinstance(is_wrong, Tensor):
        cond(is_wrong, raise_it, unchanged)
    elif is_wrong and graph_now().parent is not None:
        raise_it()
    elif is_wrong:
        raise error(message)


dispatch.FALLBACKS['check'] = check
