"""`ag.constant`: a value as an array."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .namespaces import np


def constant(value: Any, dtype: Any = None, shape: int | Sequence[int] | None = None) -> Any:
    """The value as an array of its own, in a graph and outside.

    Args:
      value: a number, an array, or nested lists of them.
      dtype: the dtype of the array; what NumPy gives the value unless told.
      shape: the shape of the array: that of the value unless told, to which a single element is
        repeated.

    Raises:
      ValueError: the value does not have the elements for the shape.
    """
    array = np.array(value, dtype=dtype)
    if shape is None:
        return array
    return np.full(shape, array.reshape(())) if array.size == 1 else array.reshape(shape)
