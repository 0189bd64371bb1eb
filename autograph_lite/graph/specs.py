"""`TensorSpec`: the dtype and shape that a caller promises."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .types import Shape, TensorType


class TensorSpec:
    """The dtype and shape of an argument.

    Args:
      shape: one entry an axis, None for an axis of any length; None as a whole for any rank.
      dtype: anything that `numpy.dtype` accepts.
      name: the name of the argument in the graph.

    Raises:
      TypeError: the shape is none.
    """

    def __init__(
        self, shape: Iterable[int | None] | None, dtype: Any = np.float64, name: str | None = None
    ) -> None:
        self.shape: Shape | None = None if shape is None else _axes(shape)
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.name = name

    @property
    def type(self) -> TensorType:
        """The type of a parameter with this spec."""
        return TensorType(self.dtype, self.shape, 'array')

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TensorSpec)
            and (self.shape, self.dtype, self.name) == (other.shape, other.dtype, other.name)
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.name))

    def __repr__(self) -> str:
        name = f', name={self.name!r}' if self.name else ''
        return f'TensorSpec(shape={self.shape}, dtype={self.dtype}{name})'


def _axes(shape: Any) -> Shape:
    axes: tuple[Any, ...] = tuple(shape) if isinstance(shape, Iterable) else ('none',)
    if not all(n is None or (isinstance(n, int | np.integer) and n >= 0) for n in axes):
        raise TypeError(
            f'The shape of a TensorSpec is a list of lengths, None for any; not {shape!r}.'
        )
    return tuple(None if n is None else int(n) for n in axes)
