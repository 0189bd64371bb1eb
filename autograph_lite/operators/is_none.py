"""`x is None` where only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..graph.tensor import Tensor
from ..graph.tracing import emit_one
from ..ops.control_flow import NOT
from .optional_nests import Perhaps
from .perhaps_missing import asked_of
from .unbound import is_missing


def is_optional(x: Any) -> bool:
    """Whether only the running graph knows if it is None."""
    return isinstance(x, Perhaps) or (isinstance(x, Tensor) and x.type.maybe)


def is_none(x: Any) -> Any:
    """`x is None`; a symbolic bool for a value that may be missing."""
    x = asked_of(x)
    if isinstance(x, Perhaps):
        return emit_one(NOT, [x.present])
    return is_missing(x) if is_optional(x) else x is None
