"""`x[index]` and `x[index] = value`, for everything that NumPy takes as an index.

    getitem  inputs (x, *tensors of the index)         a copy, or a scalar
    view     the same, for slices and integers alone   shares the memory of x
    setitem  inputs (x, value, *tensors of the index)  `x[i] = value`; x is consumed

`attrs['index']` is the template of what stands between the brackets.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import operator
from ..graph.graph import Attrs, Node, Op, Value
from ..graph.nest import flatten
from ..graph.tensor import Place, Tensor, modified_elsewhere, valued
from ..graph.tracing import constant, emit
from ..graph.types import Shape, TensorType, type_of
from .calls import call
from .index_types import NOT_AN_INDEX, Indexed, index_type
from .infix import in_place, stored
from .template import Inputs, fill, freeze, write_index


def _infer_item(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return index_type(types[0], attrs['index'], types).type


def _infer_setitem(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    place = index_type(types[0], attrs['index'], types)
    _check_fits(types[1], place)
    return types[0]


def _check_fits(value: TensorType, indexed: Indexed) -> None:
    """Raises NumPy's error for a value whose shape cannot be broadcast to the place."""
    place = indexed.type.shape
    if value.shape is None or place is None:
        return
    # NumPy drops leading axes of length 1 from the value.
    given = list(value.shape)
    while len(given) > len(place) and given[0] in (1, None):
        del given[0]
    pairs = zip(reversed(given), reversed(place), strict=False)
    if len(given) > len(place) or any(n not in (m, 1, None) and m is not None for n, m in pairs):
        if indexed.type.kind == 'scalar' and indexed.type.dtype.names is None:
            raise ValueError('setting an array element with a sequence.')
        shown, wanted = _show(value.shape), _show(place)
        raise ValueError(
            f'could not broadcast input array from shape {shown} into shape {wanted}'
            if indexed.basic
            else f'shape mismatch: value array of shape {shown} could not be broadcast to '
            f'indexing result of shape {wanted}'
        )


def _show(shape: Shape) -> str:
    """A shape as NumPy's messages print it."""
    sizes = ','.join('?' if n is None else str(n) for n in shape)
    return f'({sizes},)' if len(shape) == 1 else f'({sizes})'


def _item(node: Node, values: Sequence[ast.expr]) -> ast.Subscript:
    index = write_index(node.attrs['index'], values)
    return ast.Subscript(values[0], index, ast.Load())


def _write_setitem(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Assign([stored(_item(node, values))], values[1])]


def _write_update(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [in_place(node.attrs['update'], _item(node, values), values[1])]


GETITEM = Op('getitem', _infer_item, expression=_item)
VIEW = Op('view', _infer_item, expression=_item, view=True)
SETITEM = Op('setitem', _infer_setitem, statement=_write_setitem, updates=True)
# What `optimize.item_updates` makes of the three that `x[i] += v` is.
UPDATE_ITEM = Op('update_item', lambda types, _: types[0], statement=_write_update, updates=True)


_INDICES = (Tensor, np.ndarray, slice, bool, int, str)


def _template(index: Any, inputs: Inputs) -> Any:
    """The template of an index; lists that hold tensors become arrays."""
    index = valued(index)
    if isinstance(index, tuple):
        return tuple(_template(item, inputs) for item in index)
    if isinstance(index, list) and _has_tensor(index):
        index = call('numpy.array', (index,), {})
    elif isinstance(index, list):
        np.asarray(index)
    elif isinstance(index, np.integer | np.bool_):
        index = index.item()
    elif isinstance(index, range):
        index = list(index)
    elif index is not None and index is not ... and not isinstance(index, _INDICES):
        index = _as_index(index)
    return freeze(index, inputs)


def _has_tensor(index: list[Any]) -> bool:
    return any(
        _has_tensor(item) if isinstance(item, list) else isinstance(item, Tensor) for item in index
    )


def _as_index(index: Any) -> int:
    """The integer that an object stands for.

    Raises:
      IndexError: it is no index.
    """
    try:
        return int(index.__index__())
    except (AttributeError, TypeError):
        raise IndexError(NOT_AN_INDEX) from None


@operator('__getitem__')
def getitem(x: Tensor, index: Any) -> Tensor:
    """Traces `x[index]`."""
    type_ = x.type.present
    if type_.weak:
        raise TypeError(f'{type_.python_type.__name__!r} object is not subscriptable')
    names = type_.dtype.names if type_.kind == 'scalar' else None
    if names and isinstance(index, int | np.integer):  # a row of a structured array is a tuple
        index = names[index] if -len(names) <= index < len(names) else index
    inputs = Inputs(x)
    template = _template(index, inputs)
    found = index_type(type_, template, [t.type.present for t in inputs.tensors])
    op = VIEW if found.basic and found.type.kind == 'array' else GETITEM
    (item,) = emit(op, inputs.tensors, {'index': template}, names=['item'])
    if op is VIEW:
        item.place = _place(x, template, inputs)
    return item


@operator('__setitem__')
def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Traces `x[index] = value`, which moves x on to its new contents."""
    type_ = x.type.present
    if type_.kind != 'array':
        name = type_.python_type.__name__ if type_.weak else f'numpy.{type_.dtype.name}'
        if type_.dtype.names is not None:
            raise StagingError(
                describe(
                    'A field of one row of a structured array is set; in a graph a row is a value.',
                    user_location(),
                    "Name the field first: `x['field'][i] = v`.",
                )
            )
        raise TypeError(f'{name!r} object does not support item assignment')
    inputs = Inputs(x)
    template = _template(index, inputs)
    if type_.dtype.names is not None and isinstance(value, list | tuple):
        found = index_type(type_, template, [t.type.present for t in inputs.tensors])
        value = call('numpy.array', (value, found.type.dtype), {})
    elif isinstance(value, list | tuple) and type_.dtype.kind in 'iu':
        for number in flatten(value)[0]:
            if type(number) is int:
                np.array(number, type_.dtype)  # NumPy raises where the dtype does not hold it
    value = _as_value(value)
    place = _place(x, template, inputs)
    # `x[i] += v` reads a view of x, writes to it and assigns it to where it lies.
    old = value.place if isinstance(value, Tensor) else None
    if not isinstance(old, _IndexedPlace) or not old.is_at(place):
        place.assign(value)


def _place(x: Tensor, template: Any, inputs: Inputs) -> _IndexedPlace:
    tensors = tuple(inputs.tensors)
    return _IndexedPlace(x, template, tensors, tuple(tensor.held for tensor in tensors[1:]))


@dataclass(frozen=True, eq=False)
class _IndexedPlace(Place):
    """The place `base[index]`, whose index is the template with the tensors in its holes."""

    base: Tensor
    template: Any
    tensors: tuple[Tensor, ...]
    held: tuple[Value, ...]

    def load(self) -> Value:
        """What is there now."""
        self._check_index()
        return emit(VIEW, self.tensors, {'index': self.template}, names=['item'])[0].held

    def store(self, value: Value) -> None:
        """Puts other contents there."""
        self._check_index()
        self.assign(Tensor(value, ()))

    def assign(self, value: Any) -> None:
        """Traces `base[index] = value`."""
        inputs = Inputs(self.base)
        inputs.tensors.append(value if isinstance(value, Tensor) else constant(value))
        template = freeze(fill(self.template, self.tensors), inputs)
        emit(SETITEM, inputs.tensors, {'index': template}, names=[self.base.name])

    def is_at(self, other: _IndexedPlace) -> bool:
        """Whether this is the same place."""
        same = self.base is other.base and repr(self.template) == repr(other.template)
        return same and self.held == other.held

    def _check_index(self) -> None:
        """Raises OwnershipError if an array that is a bound of a slice was modified."""
        for tensor, value in zip(self.tensors[1:], self.held, strict=True):
            if tensor.read() is not value:
                raise modified_elsewhere(tensor, tensor.memory[0])


def _as_value(value: Any) -> Any:
    """What is assigned, as a tensor, array or number."""
    value = valued(value)
    if isinstance(value, Tensor) or type_of(value) is not None:
        return value
    if isinstance(value, list | tuple | range):
        return call('numpy.asarray', (list(value),), {})
    if isinstance(value, str | bytes | int | float | complex):
        return np.asarray(value)[()]
    raise StagingError(
        describe(f'{value!r} is assigned to an item of an array.', user_location())
    )
