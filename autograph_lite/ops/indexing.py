"""`x[index]` and `x[index] = value`, for everything that NumPy takes as an index.

    getitem  inputs (x, *tensors of the index)         a copy, or a scalar
    view     the same, for slices and integers alone   shares the memory of x
    setitem  inputs (x, value, *tensors of the index)  `x[i] = value`; x is consumed
    written  inputs (x, view)                          x, after its view was written to

`attrs['index']` is the template of what stands between the brackets.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import FALLBACKS, operator
from ..graph.graph import Attrs, Node, Op, Value
from ..graph.nest import Stackable
from ..graph.ownership import modified_elsewhere
from ..graph.python_numbers import check_bounds
from ..graph.state import State, valued
from ..graph.storage import Place
from ..graph.tensor import Tensor
from ..graph.tracing import constant, emit
from ..graph.types import (
    ListType,
    Shape,
    TensorType,
    names_of_fields,
    python_text,
    type_of,
)
from ..pyct.asking import get_attribute
from .calls import array_of, call
from .index_types import NOT_AN_INDEX, index_type
from .infix import in_place, stored
from .made import known_item
from .stand_ins import stand_in, zeros
from .template import Inputs, fill, freeze, write_index


def _infer_item(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return index_type(types[0], attrs['index'], types).type


def _infer_setitem(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    indexed = index_type(types[0], attrs['index'], types)
    given, place = types[1].shape, indexed.type.shape
    if given is None or place is None or _fits(given, place):
        return types[0]
    _assign_zeros(types, attrs['index'])
    shown, wanted = _show(given), _show(place)
    raise ValueError(
        f'could not broadcast input array from shape {shown} into shape {wanted}'
        if indexed.basic
        else f'shape mismatch: value array of shape {shown} could not be broadcast to '
        f'indexing result of shape {wanted}'
    )


def _fits(shape: Shape, place: Shape) -> bool:
    """Whether NumPy broadcasts values of a shape to a place."""
    # It drops leading axes of length 1.
    given = list(shape)
    while len(given) > len(place) and given[0] in (1, None):
        del given[0]
    pairs = zip(reversed(given), reversed(place), strict=False)
    return len(given) <= len(place) and all(n in (m, 1, None) or m is None for n, m in pairs)


def _assign_zeros(types: Sequence[TensorType], index: Any) -> None:
    """Raises what NumPy does where all lengths are known: an index out of range comes first."""
    given: list[Any] = []
    for type_ in types:
        lengths = [n for n in type_.shape or () if n is not None]
        if type_.shape is None or len(lengths) < len(type_.shape):
            return
        given.append(stand_in(type_, tuple(lengths), zeros))
    x, value, *_ = given
    x[fill(index, given)] = value


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
# What `optimize.item_updates` makes of the three that `x[i] += v` is; where the item is a view, x
# has its new contents already.
UPDATE_ITEM = Op('update_item', lambda types, _: types[0], statement=_write_update, updates=True)
WRITTEN = Op('written', lambda types, _: types[0], statement=lambda *_: [], updates=True)


_INDICES = (Tensor, np.ndarray, slice, bool, int, str)


def index_template(index: Any, inputs: Inputs) -> Any:
    """The template of an index; lists that hold tensors become arrays."""
    index = index.as_index() if isinstance(index, Stackable) else valued(index)
    if isinstance(index, tuple):
        return tuple(index_template(item, inputs) for item in index)
    if isinstance(index, Tensor) and isinstance(index.type, ListType):
        index = _of_list(index, index.type)
    elif isinstance(index, list) and _has_tensor(index):
        index = call('numpy.array', (index,), {})
    elif isinstance(index, list):
        np.asarray(index)
    elif isinstance(index, np.integer | np.bool_):
        index = index.item()
    elif isinstance(index, range):
        index = list(index)
    elif isinstance(index, slice):
        index = FALLBACKS['bounds there'](index)
    elif index is not None and index is not ... and not isinstance(index, _INDICES):
        index = _as_index(index)
    return freeze(index, inputs)


def _of_list(index: Tensor, type_: ListType) -> Tensor:
    """The array that a list is as an index; an empty one holds integers, as for NumPy."""
    kind = 'i' if type_.element is None else type_.element.dtype.kind
    dtype = {'b': np.bool_, 'i': np.intp, 'u': np.intp}.get(kind)
    array: Tensor = call('numpy.array', (index,) if dtype is None else (index, dtype), {})
    return array


def _has_tensor(index: list[Any]) -> bool:
    return any(
        _has_tensor(item) if isinstance(item, list) else isinstance(item, Tensor | State)
        for item in index
    )


def _as_index(index: Any) -> Any:
    """The integer that an object stands for.

    Raises:
      IndexError: it is no index.
    """
    if get_attribute(type(index), '__index__') is None:
        raise IndexError(NOT_AN_INDEX)
    return FALLBACKS['index'](index)


def _name_of_field(names: Sequence[str], index: int) -> str:
    if not -len(names) <= index < len(names):
        raise IndexError(f'invalid index ({index})')
    return names[index]


@operator('__getitem__')
def getitem(x: Tensor, index: Any) -> Any:
    """Traces `x[index]`; a number that is known is itself."""
    type_ = x.type.present
    if python_text(type_) is not None or (type_.kind == 'scalar' and type_.dtype.kind == 'T'):
        text: Tensor = FALLBACKS['item of text'](x, index)
        return text
    if x.type.maybe and type_.kind != 'array':
        message = "'NoneType' object is not subscriptable"
        return FALLBACKS['where it is there'](x, message, lambda there: getitem(there, index))
    if type_.weak:
        raise TypeError(f'{type_.python_type.__name__!r} object is not subscriptable')
    names = names_of_fields(type_)
    if names and isinstance(index, int | np.integer):
        index = _name_of_field(names, int(index))
    if type_.kind == 'scalar' and type_.dtype.hasobject and type_.dtype.names is None:
        what = 'An item is asked of an element of an array of objects, which Python alone knows.'
        fix = 'Keep the objects in a list, which is read while tracing.'
        raise StagingError(describe(what, user_location(), fix))
    inputs = Inputs(x)
    template = index_template(index, inputs)
    found = index_type(type_, template, [t.type.present for t in inputs.tensors])
    if found.type.kind == 'scalar' and len(inputs.tensors) == 1:
        known = known_item(x.read(), template)
        if known is not None:
            return known
    op = VIEW if found.basic and found.type.kind == 'array' else GETITEM
    (item,) = emit(op, inputs.tensors, {'index': template}, names=['item'])
    if op is VIEW:
        item.place = _place(x, template, inputs)
    return item


@operator('__setitem__')
def setitem(x: Tensor, index: Any, value: Any) -> None:
    """Traces `x[index] = value`, which moves x on to its new contents."""
    type_ = x.type.present
    if x.type.maybe and type_.kind != 'array':
        message = "'NoneType' object does not support item assignment"
        FALLBACKS['where it is there'](x, message, lambda there: setitem(there, index, value))
        return
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
    template = index_template(index, inputs)
    if type_.dtype.names is not None and isinstance(value, list | tuple):
        found = index_type(type_, template, [t.type.present for t in inputs.tensors])
        value = call('numpy.array', (value, found.type.dtype), {})
    elif isinstance(value, list | tuple):
        check_bounds(value, type_.dtype)
    value = as_value(value)
    place = _place(x, template, inputs)
    # `x[i] += v` reads a view of x, writes to it and assigns it to where it lies.
    old = value.place if isinstance(value, Tensor) else None
    if not isinstance(old, _IndexedPlace) or not old.is_at(place):
        place.assign(value)


@operator('__delitem__')
def delitem(x: Tensor, index: Any) -> None:
    """Raises what `del x[index]` raises."""
    type_ = x.type.present
    if type_.kind == 'array':
        raise ValueError('cannot delete array elements')
    name = type_.python_type.__name__ if type_.weak else f'numpy.{type_.dtype.name}'
    raise TypeError(f'{name!r} object does not support item deletion')


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

    @property
    def reads(self) -> Sequence[Tensor]:
        return self.tensors[1:]

    def load(self) -> Value:
        """What is there now."""
        self._check_index()
        return emit(VIEW, self.tensors, {'index': self.template}, names=['item'])[0].held

    def store(self, value: Value) -> None:
        """Puts other contents there."""
        self._check_index()
        self.assign(Tensor(value, ()))

    def of(self, base: Any) -> Any:
        """`base[index]`."""
        self._check_index()
        return base[fill(self.template, (base, *self.tensors[1:]))]

    def assign(self, value: Any) -> None:
        """Traces `base[index] = value`."""
        inputs = Inputs(self.base)
        inputs.tensors.append(value if isinstance(value, Tensor) else constant(value))
        template = freeze(fill(self.template, self.tensors), inputs)
        emit(SETITEM, inputs.tensors, {'index': template}, names=[self.base.held.name])

    def is_at(self, other: _IndexedPlace) -> bool:
        """Whether this is the same place."""
        same = self.base is other.base and repr(self.template) == repr(other.template)
        return same and self.held == other.held

    def _check_index(self) -> None:
        """Raises OwnershipError if an array that is a bound of a slice was modified."""
        for tensor, value in zip(self.tensors[1:], self.held, strict=True):
            if tensor.read() is not value:
                raise modified_elsewhere(tensor, tensor.memory[0])


def as_value(value: Any) -> Any:
    """What is assigned, as a tensor, array or number."""
    value = valued(value)
    if isinstance(value, Stackable):
        value = array_of(value)
    if isinstance(value, Tensor) or type_of(value) is not None:
        return value
    if isinstance(value, list | tuple | range):
        return call('numpy.asarray', (list(value),), {})
    if isinstance(value, str | bytes | int | float | complex):
        return np.asarray(value)[()]
    raise StagingError(
        describe(f'{value!r} is assigned to an item of an array.', user_location())
    )
