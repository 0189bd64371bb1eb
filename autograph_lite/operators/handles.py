"""What a value of the graph is to traced code: a handle of the kind that its type asks for."""
from __future__ import annotations

from typing import Any

from ..graph import dispatch
from ..graph.graph import Value
from ..graph.storage import Memory
from ..graph.tensor import Tensor
from ..graph.types import ListType, LiveType, NothingType, ObjectType, python_text
from ..ops.exceptions import StagedError
from ..ops.random import StagedGenerator
from ..ops.strings import text_handle
from .lists import StagedList


def handle(value: Value, memory: Memory | None = None) -> Any:
    """A handle of the kind that the value's type asks for; None for an element that is None."""
    if isinstance(value.type, NothingType):
        return None
    if isinstance(value.type, ListType):
        return StagedList(value, memory)
    if isinstance(value.type, LiveType):
        return Tensor(value, memory)
    if isinstance(value.type, ObjectType):
        is_text = python_text(value.type.present) is not None
        is_error = value.type.of is BaseException
        kind = text_handle if is_text else StagedError if is_error else StagedGenerator
        return kind(value, memory)
    return Tensor(value, memory)


dispatch.FALLBACKS['handle of value'] = handle
