"""The type of `x[index]`: which axes are left, in which order, and how long they are."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.tracing import is_handled
from ..graph.types import Shape, TensorType, array_type, scalar_type
from .broadcasting import BroadcastError, broadcast
from .template import Listed, Sliced, Slot

NOT_AN_INDEX = (
    'only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean '
    'arrays are valid indices'
)


@dataclass(frozen=True)
class Indexed:
    """What an index selects; `basic` if it is a view, made of integers and slices alone."""

    type: TensorType
    basic: bool


@dataclass(frozen=True)
class _Array:
    """An index that is an array: the shape it contributes and the axes it takes."""

    shape: Shape
    takes: int
    mask: Shape | None = None


def index_type(x: TensorType, index: Any, types: Sequence[TensorType]) -> Indexed:
    """What `x[index]` gives, for the template of an index whose holes have these types.

    Raises:
      IndexError: there are too many of them, or a mask does not fit.
    """
    if isinstance(index, str) or (isinstance(index, Listed) and _of_text(index)):
        return _field(x, index)
    if x.shape is None:
        return Indexed(array_type(x.dtype, None), basic=False)
    items = [_item(part, types) for part in (index if isinstance(index, tuple) else (index,))]
    if x.kind == 'scalar' and any(item not in (None, ...) for item in items):
        raise IndexError('invalid index to scalar variable.')
    return _Selection(x.shape, _expanded(items, len(x.shape))).result(x)


def _of_text(index: Listed) -> bool:
    return bool(index.items) and all(isinstance(item, str) for item in index.items)


def _field(x: TensorType, index: Any) -> Indexed:
    """A field, or some fields, of a structured array."""
    key: Any = list(index.items) if isinstance(index, Listed) else index
    dtype = np.empty(0, x.dtype)[key].dtype
    if x.kind == 'scalar':
        return Indexed(scalar_type(dtype), basic=False)
    return Indexed(array_type(dtype, x.shape), basic=True)


# What an item of an index is: an int; 'int' for one that is not known; None for a new axis; an
# Ellipsis; a slice; an array.
_Item = Any


def _item(part: Any, types: Sequence[TensorType]) -> _Item:
    if isinstance(part, Listed):
        items = _plain(part)
        array = np.asarray(items) if items else np.zeros(0, np.intp)
        if array.dtype.kind not in 'biu':
            raise IndexError(NOT_AN_INDEX)
        return _array(array.dtype, array.shape)
    if isinstance(part, bool):
        return _array(np.dtype(bool), ())
    if not isinstance(part, Slot):
        return part
    type_ = types[part.index]
    if type_.dtype.kind in 'iu' and type_.shape == ():
        # A NumPy array without axes is an integer that makes a copy.
        return _Array((), 1) if type_.kind == 'array' else 'int'
    return _array(type_.dtype, type_.shape)


def _plain(part: Any) -> Any:
    return [_plain(item) for item in part.items] if isinstance(part, Listed) else part


def _array(dtype: np.dtype[Any], shape: Shape | None) -> _Array:
    if dtype.kind not in 'biu' or shape is None:
        raise IndexError(
            'arrays used as indices must be of integer (or boolean) type'
            if shape
            else NOT_AN_INDEX
        )
    if dtype.kind == 'b':
        return _Array((None,), len(shape), shape)
    return _Array(shape, 1)


def _takes(item: _Item) -> int:
    """How many axes an item takes."""
    if isinstance(item, _Array):
        return item.takes
    return 0 if item is None or item is ... else 1


def _expanded(items: list[_Item], rank: int) -> list[_Item]:
    """The items with as many full slices for the ellipsis, or behind them, as fill all axes."""
    taken = sum(map(_takes, items))
    if taken > rank:
        raise IndexError(
            f'too many indices for array: array is {rank}-dimensional, '
            f'but {taken} were indexed'
        )
    dots = [i for i, item in enumerate(items) if item is ...]
    if len(dots) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    at = dots[0] if dots else len(items)
    rest = [Sliced(None, None, None)] * (rank - taken)
    return [*items[:at], *rest, *items[at + 1 :], *((...,) if dots else ())]


class _Selection:
    """Walks the items along the axes."""

    def __init__(self, shape: Shape, items: list[_Item]) -> None:
        self.dots = bool(items) and items[-1] is ...
        self.items = items[:-1] if self.dots else items
        self.arrays = [item for item in self.items if isinstance(item, _Array)]
        self.axes: list[int | None] = []
        self.places: list[int] = []
        self.positions: list[int] = []
        axis = 0
        for position, item in enumerate(self.items):
            self._take(position, item, axis, shape)
            axis += _takes(item)

    def _take(self, position: int, item: _Item, axis: int, shape: Shape) -> None:
        if item is None:
            self.axes.append(1)
        elif isinstance(item, Sliced):
            self.axes.append(_slice_length(item, shape[axis]))
        else:
            if isinstance(item, _Array):
                _check_mask(item, axis, shape)
            else:
                _check_bounds(item, axis, shape[axis])
            if self.arrays:
                self.places.append(len(self.axes))
                self.positions.append(position)

    def result(self, x: TensorType) -> Indexed:
        """The type of what is selected."""
        axes = self.axes
        if self.arrays:
            try:
                middle = broadcast(array.shape for array in self.arrays)
            except BroadcastError:
                shapes = ' '.join(str(array.shape).replace(' ', '') for array in self.arrays)
                raise IndexError(
                    'shape mismatch: indexing arrays could not be broadcast together with shapes '
                    f'{shapes} '
                ) from None
            adjacent = self.positions[-1] - self.positions[0] == len(self.positions) - 1
            at = self.places[0] if adjacent else 0
            axes = [*axes[:at], *(middle or ()), *axes[at:]]
        # An index that takes every axis gives a scalar, unless an ellipsis asks for an array.
        scalar = not axes and not self.dots
        type_ = scalar_type(x.dtype) if scalar else array_type(x.dtype, tuple(axes))
        return Indexed(type_, basic=not self.arrays)


def _check_bounds(item: _Item, axis: int, length: int | None) -> None:
    """An index out of range is found when the graph runs, if its result is needed."""
    if not is_handled() or length is None:
        return
    if isinstance(item, int) and not -length <= item < length:
        raise IndexError(f'index {item} is out of bounds for axis {axis} with size {length}')


def _check_mask(item: _Array, axis: int, shape: Shape) -> None:
    """A mask must be as long as the axes it selects from."""
    if 0 in shape:
        # NumPy asks no more of an array without elements.
        return
    for offset, length in enumerate(item.mask or ()):
        known = shape[axis + offset]
        if length is not None and known is not None and length != known:
            raise IndexError(
                f'boolean index did not match indexed array along axis {axis + offset}; size of '
                f'axis is {known} but size of corresponding boolean axis is {length}'
            )


def _slice_length(item: Sliced, length: int | None) -> int | None:
    bounds = (item.start, item.stop, item.step)
    if bounds in ((None, None, None), (None, None, -1), (0, None, None)):
        return length
    if length is None or any(isinstance(bound, Slot) for bound in bounds):
        return None
    return len(range(*slice(*bounds).indices(length)))
