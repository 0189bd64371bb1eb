"""`check`: what Python raises where something is wrong, also where only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..graph import dispatch
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..ops.calls import class_name
from ..ops.effects import RAISE
from .conditionals import cond
from .effects import Diverged
from .logic import or_
from .staging import graph_now, unchanged


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


def check_integer(x: Tensor) -> None:
    """Raises what Python does where it asks for an integer and gets another number."""
    kinds = 'iub' if x.type.weak else 'iu'  # Python's bool is an integer, NumPy's is none
    if x.type.dtype.kind not in kinds or x.type.shape:
        raise TypeError(f'{class_name(x)} object cannot be interpreted as an integer')


def check_index(index: Any, size: Any, kind: str) -> None:
    """Raises what a container of Python's does where it has no item at an index."""
    index = valued(index)
    if isinstance(index, Tensor):
        is_out = or_(index < -size, lambda: index >= size)
    else:
        is_out = size <= index if index >= 0 else size < -index
    check(is_out, f'{kind} index out of range', IndexError)


dispatch.FALLBACKS['check'] = check
