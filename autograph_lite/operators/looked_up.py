"""Several numbers in a row, of which only the running graph knows which one is meant.

One is looked up by its place there, or set: that is one operation, and no branch for each of them.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.tensor import Tensor
from ..graph.tracing import constant
from ..graph.types import TensorType, type_of
from ..ops.numpy_calls import call_numpy


def looked_up(values: Sequence[Any], index: Tensor) -> Any:
    """The one at a place that only the running graph knows; NotImplemented where no row has it."""
    row = _row(values)
    return NotImplemented if row is None else _as_one_of(values, row[index])


def with_one_set(values: Sequence[Any], index: Tensor, value: Any) -> list[Any] | None:
    """These, with another one at a place that only the running graph knows; None for no row."""
    type_, row = _type(value), _row(values)
    if row is None or type_ is None or type_ != _type(values[0]):
        return None
    if type_.weak and type_.dtype.kind == 'i':  # Python's integers are as large as they need be
        return None
    row = row.copy()
    row[index] = value
    return [_as_one_of(values, row[i]) for i in range(len(values))]


def is_number(x: Any) -> bool:
    """Whether it is a number, of Python's or of NumPy's."""
    return _type(x) is not None


def _row(values: Sequence[Any]) -> Any:
    """An array of them; None where they are of several types, or no array holds them all."""
    type_ = _type(values[0])
    if type_ is None or any(_type(x) != type_ for x in values):
        return None
    if any(isinstance(x, Tensor) for x in values):
        return None if type_.weak and type_.dtype.kind == 'i' else call_numpy(np.stack, values)
    row = np.array(values)
    return constant(row) if row.dtype == type_.dtype else None


def _type(x: Any) -> TensorType | None:
    """The type of a number, which is one; None for anything else."""
    type_ = x.type if isinstance(x, Tensor) else type_of(x)
    if type(type_) is not TensorType or type_.kind == 'array' or type_.maybe:
        return None
    return type_ if type_.met is None and type_.dtype.kind in 'biufc' else None


def _as_one_of(values: Sequence[Any], element: Any) -> Any:
    """An element of the row as what it is among the values: a number of Python's again."""
    from . import numbers_made

    type_ = _type(values[0])
    if type_ is None or not type_.weak:
        return element
    made: Callable[[Any], Any] = getattr(numbers_made, type_.python_type.__name__)
    return made(element)
