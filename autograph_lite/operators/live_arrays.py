"""`np.array(rows)` of rows that the running program has itself: see `live`."""
from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..graph.types import ListType, LiveType, TensorType, array_type
from ..ops.live import ASK_LIVE
from .live_types import EACH, type_at


def array_of_live(items: Tensor) -> Tensor:
    """The array that NumPy makes of a list of rows of numbers.

    Raises:
      StagingError: there is something else in them.
    """
    assert isinstance(items.type, ListType)
    dtype, shape = _dtype_and_shape(items.type.element)
    attrs = {'type': array_type(dtype, (None, *shape)), 'how': 'array'}
    return emit(ASK_LIVE, [items], attrs, value_of=held_value)[0]


def _dtype_and_shape(type_: TensorType | None) -> tuple[Any, tuple[int | None, ...]]:
    if not isinstance(type_, LiveType):
        if type_ is None or type_.kind == 'array' or type_.maybe or type_.dtype.kind not in 'biufc':
            raise _refused()
        return type_.dtype, ()
    if type_.of not in (list, tuple) or type_.maybe:
        raise _refused()
    keys = (EACH,) if type_.keys is None else type_.keys
    parts = [_dtype_and_shape(type_at(type_, key)) for key in keys]
    if not parts or any(shape != parts[0][1] for _, shape in parts):
        raise _refused()
    size = None if type_.keys is None else len(keys)
    return np.result_type(*(dtype for dtype, _ in parts)), (size, *parts[0][1])


def _refused() -> StagingError:
    return StagingError(describe(
        'An array is made of lists or objects that hold more than numbers.', user_location(),
        'Collect what belongs in the array in a list of its own.'))
