"""The bounds of a slice that may be `None` when the graph runs: from the one end, or to the other.

    end = None
    for i, x in enumerate(xs):
        if x > limit:
            end = i
    return xs[:end]
"""
from __future__ import annotations

import sys
from typing import Any

from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.tracing import unwrap
from .is_none import is_none
from .reentry import cond

# NumPy and Python take what is beyond the ends for the ends.
_FIRST, _LAST = -sys.maxsize - 1, sys.maxsize


def bounds_there(index: slice) -> slice:
    """The slice with a number for what may be None; the bounds of one of unknown step as they are.
    """
    step = _bound(index.step, 1)
    if isinstance(step, Tensor):
        return slice(index.start, index.stop, step)
    ends = (_FIRST, _LAST) if step is None or step > 0 else (_LAST, _FIRST)
    start, stop = map(_bound, (index.start, index.stop), ends)
    return slice(start, stop, step)


def _bound(x: Any, instead: int) -> Any:
    if not isinstance(x, Tensor) or not x.type.maybe:
        return x
    return cond(is_none(x), lambda: instead, lambda: unwrap(x, sure=True))


dispatch.FALLBACKS['bounds there'] = bounds_there
