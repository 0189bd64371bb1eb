"""`x is None` where only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..graph.tensor import Tensor
from ..graph.tracing import emit_one, site
from ..graph.types import python_scalar
from ..ops.control_flow import IS_MISSING, NOT
from .optional_nests import Perhaps
from .staging import graph_now


def is_none(x: Any) -> Any:
    """`x is None`; a symbolic bool for a value that may be missing."""
    if isinstance(x, Perhaps):
        return emit_one(NOT, [x.present])
    if not isinstance(x, Tensor) or not x.type.maybe:
        return x is None
    graph = graph_now()
    value = graph.local(x.read())
    node = graph.add(IS_MISSING, [value], {'type': python_scalar(bool)}, site=site())
    return Tensor(node.outputs[0])
