"""Numbers beside arrays in a loop: as arrays without axes, made once, they take half the time.

    while ...:                         _0_5 = np.array(0.5)
        x = x * 0.5                    while ...:
                              ->           x = x * _0_5

NumPy makes such an array of a number at every call, with the type that it gives the number beside
the others; it is given the very array that it would make.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph.graph import Node
from ..graph.types import TensorType
from ..ops.calls import target
from ..ops.ufuncs import UFUNC, UFUNC_OUT
from . import literals

# Python's operator `**` looks for numbers such as 2 itself.
_NOT = ('numpy.power', 'numpy.float_power')
# Integers up to here are floats of single precision.
_LARGEST = 1 << 24


def as_array(node: Node, i: int, value: Any) -> np.ndarray[Any, Any] | None:
    """The array that does what the number does as input i; None where that may differ."""
    if node.op not in (UFUNC, UFUNC_OUT) or node.attrs['ufunc'] in _NOT:
        return None
    ufunc: Any = target(node.attrs['ufunc'])
    slots = [slot.index for slot in node.attrs['arguments'].args]
    options = {name for name, _ in node.attrs['arguments'].kwargs} - {'out'}
    if ufunc.signature or ufunc.nout > 1 or options or slots.count(i) != 1:
        return None
    if not _has_axes(node.outputs[0].type) or not _is_number(value):
        return None
    types: list[Any] = [node.inputs[slot].type.promotion for slot in slots]
    place = slots.index(i)
    dtype = _dtype_in(ufunc, types, place)
    if dtype is None or (isinstance(value, np.generic) and dtype != value.dtype):
        return None
    if not isinstance(value, float | np.generic) and abs(value) > _LARGEST:
        return None
    try:
        with np.errstate(all='raise'):
            array = np.asarray(value, dtype)
    except (FloatingPointError, OverflowError, TypeError):
        return None
    return array


def _has_axes(type_: TensorType) -> bool:
    return type_.kind == 'array' and bool(type_.shape) and not type_.maybe


def _is_number(value: Any) -> bool:
    if isinstance(value, np.generic):
        return value.dtype.kind in 'iuf' and value.dtype.isnative
    return type(value) in (int, float)


def _dtype_in(ufunc: Any, types: Sequence[Any], place: int) -> np.dtype[Any] | None:
    """What the ufunc makes of the operand, where an operand of that type changes nothing."""
    try:
        known = ufunc.resolve_dtypes((*types, None))
        given = [*types]
        given[place] = known[place]
        same = ufunc.resolve_dtypes((*given, None)) == known
    except TypeError:
        return None
    dtype: np.dtype[Any] = known[place]
    return dtype if same and dtype.kind in 'iuf' and dtype.char not in 'g' else None


def array_name(array: np.ndarray[Any, Any]) -> str:
    """What to call such an array: by its number."""
    number = abs(array.item())
    text = repr(number).removesuffix('.0')
    return f'minus_{text}' if np.signbit(array) else f'_{text}'


def array_tree(array: np.ndarray[Any, Any]) -> ast.expr:
    """How a program makes it."""
    number = literals.number(array.item())
    if array.dtype == np.dtype(type(array.item())):
        return literals.call(literals.numpy_name('array'), number)
    return literals.call(literals.numpy_name('array'), number, literals.dtype_name(array.dtype))

