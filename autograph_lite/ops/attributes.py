"""The attributes of arrays: those of the type are known, those of the contents are nodes."""
from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph.dispatch import attribute, implements, replaces
from ..graph.graph import Attrs, Node, Op, Value
from ..graph.tensor import Place, Tensor
from ..graph.tracing import emit
from ..graph.types import TensorType, VaryingType, python_scalar
from .calls import call, carrier, no_attribute
from .refusals import REFUSED, refuse
from .stand_ins import stand_in, zeros


def _int(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(int)


def _write_dim(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    shape = ast.Attribute(values[0], 'shape', ast.Load())
    return ast.Subscript(shape, ast.Constant(node.attrs['axis']), ast.Load())


def _write_size(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Attribute(values[0], 'size', ast.Load())


# The length of one axis, and the number of elements, as Python ints.
DIM = Op('dim', _int, expression=_write_dim)
SIZE = Op('size', _int, expression=_write_size)


def _check(x: Tensor, name: str) -> None:
    """Raises the AttributeError of what carries the value in plain Python."""
    if not hasattr(carrier(x.type.present), name):
        raise no_attribute(x, name)


@attribute('shape')
def _shape(x: Tensor) -> tuple[Any, ...]:
    _check(x, 'shape')
    return tuple(
        emit(DIM, [x], {'axis': axis})[0] if n is None else n
        for axis, n in enumerate(x.static_shape)
    )


@attribute('size')
def _size(x: Tensor) -> Any:
    _check(x, 'size')
    shape = x.type.shape
    if shape is None or None in shape:
        return emit(SIZE, [x])[0]
    return math.prod(n for n in shape if n is not None)


@attribute('itemsize')
def _itemsize(x: Tensor) -> int:
    _check(x, 'itemsize')
    return x.dtype.itemsize


@attribute('nbytes')
def _nbytes(x: Tensor) -> Any:
    return _size(x) * x.dtype.itemsize


@attribute('device')
def _device(x: Tensor) -> str:
    _check(x, 'device')
    return 'cpu'


@dataclass(frozen=True)
class _FlatPlace(Place):
    """`base.flat`, which is read as a copy in one row."""

    base: Tensor

    def load(self) -> Value:
        """What is there now."""
        row: Tensor = call('ndarray.flatten', (self.base,), {})
        return row.held

    def store(self, value: Value) -> None:
        """Refuses to write there."""
        fix = 'Write `row = x.ravel()`, modify that, and then `x = row.reshape(x.shape)`.'
        raise refuse('ndarray.flat', 'is not assigned to in a graph.', fix)


@attribute('flat')
def _flat(x: Tensor) -> Any:
    """The items in one row."""
    _check(x, 'flat')
    place = _FlatPlace(x)
    return Tensor(place.load(), x.memory, place)


@implements(np.shape)
def _np_shape(a: Any) -> Any:
    return a.shape if isinstance(a, Tensor) and not a.type.weak else call('numpy.shape', (a,), {})


@implements(np.ndim)
def _np_ndim(a: Any) -> Any:
    return len(a.static_shape) if isinstance(a, Tensor) else call('numpy.ndim', (a,), {})


@implements(np.size)
def _np_size(a: Any, axis: Any = None) -> Any:
    if not isinstance(a, Tensor) or isinstance(axis, tuple):
        return call('numpy.size', (a, axis), {})
    shape = () if a.type.weak else a.shape
    if axis is not None:
        if not -len(shape) <= axis < len(shape):
            raise np.exceptions.AxisError(axis, len(shape))
        return shape[axis]
    return 1 if a.type.weak else a.size


def _about_types(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of types alone, which are known: asked of stand-ins, answered while tracing."""

    def run(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_stand_in, args), **kwargs)

    return run


def _stand_in(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return type(x)(map(_stand_in, x))
    if not isinstance(x, Tensor):
        return x
    kind = 'array' if x.type.kind == 'scalar' else x.type.kind  # which keeps how long texts may be
    type_ = replace(x.type.present, dtype=x.dtype, kind=kind)
    return stand_in(type_, tuple(1 for _ in type_.shape or ()), zeros)


for _function in (np.result_type, np.common_type, np.can_cast):
    implements(_function)(_about_types(_function))


def _is_of_kind(function: Callable[[Any], bool]) -> Callable[[Any], Any]:
    """A function that tells real from complex arrays."""

    def run(x: Any) -> Any:
        if isinstance(x, Tensor) and isinstance(x.type, VaryingType):
            return call(f'numpy.{function.__name__}', (x,), {})
        return function(_stand_in(x))

    return run


for _asks in (np.iscomplexobj, np.isrealobj):
    implements(_asks)(_is_of_kind(_asks))


@implements(np.einsum_path)
def _einsum_path(*operands: Any, **kwargs: Any) -> Any:
    """The order of a contraction, which the shapes tell."""
    return np.einsum_path(*map(_of_its_shape, operands), **kwargs)


def _of_its_shape(x: Any) -> Any:
    """An array of the same shape, without memory for its elements.

    Raises:
      StagingError: the shape is not known.
    """
    if not isinstance(x, Tensor):
        return x
    shape = [n for n in x.static_shape if n is not None]
    if len(shape) < x.ndim:
        fix = 'Give the shape in the TensorSpec.'
        raise refuse('numpy.einsum_path', 'needs lengths that are known.', fix)
    return np.broadcast_to(stand_in(replace(x.type.present, kind='array'), (), zeros), shape)


@implements(np.min_scalar_type)
def _min_scalar_type(a: Any) -> Any:
    """The dtype of an array; of one number, it depends on the number."""
    if isinstance(a, Tensor) and a.type.kind == 'array' and a.type.shape != ():
        return a.dtype
    raise refuse('numpy.min_scalar_type', 'gives a dtype that depends on the number.')


@replaces(np.iterable)
def _iterable(y: Any) -> bool:
    return y.type.shape != () if isinstance(y, Tensor) else np.iterable(y)


def _contents(name: str) -> Callable[[Tensor], Any]:
    def read(x: Tensor) -> Any:
        _check(x, name)
        return call(f'ndarray.{name}', (x,), {})

    return read


_ATTRIBUTES = [
    name
    for name in dir(np.ndarray)
    if not name.startswith('_') and not callable(getattr(np.ndarray, name))
]
for _name in _ATTRIBUTES:
    if _name in ('T', 'mT', 'real', 'imag') or f'ndarray.{_name}' in REFUSED:
        attribute(_name)(_contents(_name))
