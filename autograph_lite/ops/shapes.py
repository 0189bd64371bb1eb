"""Type rules of NumPy functions whose lengths, or whose rank, cannot be found by trying."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.nest import LEAF
from ..graph.types import TensorType, array_type
from .calls import answer, rule
from .inference import Answer
from .template import Arguments, Listed, Slot


def _array_argument(types: Sequence[TensorType], arguments: Arguments) -> TensorType | None:
    """The type of the first argument if it is an array of known rank."""
    if not arguments.args or not isinstance(arguments.args[0], Slot):
        return None
    type_ = types[arguments.args[0].index]
    return type_ if type_.kind == 'array' and type_.shape is not None else None


def _view_of_first(dtype: np.dtype[Any], shape: tuple[int | None, ...]) -> Answer:
    return Answer(LEAF, (array_type(dtype, shape),), ((0,),))


@rule('numpy.reshape', 'ndarray.reshape')
def _reshape(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer | None:
    """The shape is an argument; one of its lengths may be -1, for what is left."""
    x = _array_argument(types, arguments)
    rest = arguments.args[1:] or (dict(arguments.kwargs).get('shape'),)
    parts = rest if name == 'ndarray.reshape' and len(rest) > 1 else rest[0]
    parts = parts.items if isinstance(parts, Listed) else parts
    parts = parts if isinstance(parts, tuple) else (parts,)
    if x is None or x.shape is None or not all(_is_length(part, types) for part in parts):
        return None
    lengths = [None if isinstance(part, Slot) else int(part) for part in parts]
    if None in x.shape or None in lengths:
        return _view_of_first(x.dtype, tuple(None if n == -1 else n for n in lengths))
    # NumPy finds the length that is left, or raises; the memory is never touched.
    known = [n for n in lengths if n is not None]
    shape = np.empty([n or 0 for n in x.shape], np.bool_).reshape(known).shape
    return _view_of_first(x.dtype, shape)


def _is_length(part: Any, types: Sequence[TensorType]) -> bool:
    if isinstance(part, Slot):
        return types[part.index].shape == () and types[part.index].dtype.kind in 'iu'
    return isinstance(part, int)


@rule('numpy.ravel', 'ndarray.ravel', 'ndarray.flatten')
def _ravel(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer | None:
    """All axes become one."""
    x = _array_argument(types, arguments)
    if x is None or x.shape is None:
        return None
    length = None if None in x.shape else math.prod(n for n in x.shape if n is not None)
    found = _view_of_first(x.dtype, (length,))
    return Answer(LEAF, found.types, ((),)) if name == 'ndarray.flatten' else found


@rule('numpy.squeeze', 'ndarray.squeeze')
def _squeeze(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer | None:
    """An unknown axis may have the length 1, so that not even the rank is known."""
    x = _array_argument(types, arguments)
    axis = dict(arguments.kwargs).get('axis', (*arguments.args, None, None)[1])
    if x is not None and x.shape is not None and None in x.shape and axis is None:
        return Answer(LEAF, (array_type(x.dtype, None),), ((0,),))
    return None


@rule('numpy.broadcast_to')
def _broadcast_to(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer | None:
    """The shape is an argument, whose lengths may not be known."""
    x = _array_argument(types, arguments)
    shape = dict(arguments.kwargs).get('shape', (*arguments.args, None, None)[1])
    parts = shape if isinstance(shape, tuple) else getattr(shape, 'items', (shape,))
    if x is None or not any(isinstance(part, Slot) for part in parts):
        return None
    if not all(_is_length(part, types) for part in parts):
        return None
    return _view_of_first(x.dtype, tuple(None if isinstance(n, Slot) else int(n) for n in parts))


# Functions whose results are as long as the values, or an argument, say.


@rule(
    'numpy.argwhere', 'numpy.bincount', 'numpy.compress', 'numpy.extract', 'numpy.flatnonzero',
    'numpy.intersect1d', 'numpy.nonzero', 'numpy.polydiv', 'numpy.setdiff1d', 'numpy.setxor1d',
    'numpy.trim_zeros', 'numpy.union1d', 'numpy.unique', 'numpy.unique_all', 'numpy.unique_counts',
    'numpy.unique_inverse', 'numpy.unique_values', 'ndarray.compress', 'ndarray.nonzero',
)  # fmt: skip
def _as_long_as_values_say(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer:
    return with_unknown_lengths(answer(name, arguments, types))


@rule(
    'numpy.array_split', 'numpy.delete', 'numpy.dsplit', 'numpy.hsplit', 'numpy.insert',
    'numpy.repeat', 'numpy.split', 'numpy.vsplit', 'ndarray.repeat',
)  # fmt: skip
def _as_long_as_an_argument_says(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer | None:
    others = [*arguments.args[1:], *(part for _, part in arguments.kwargs)]
    if not any(isinstance(part, Slot) for part in others):
        return None
    return with_unknown_lengths(answer(name, arguments, types))


def with_unknown_lengths(found: Answer) -> Answer:
    """The same with no length known."""
    unknown = [replace(t, shape=(None,) * len(t.shape or ())) for t in found.types]
    return replace(found, types=tuple(unknown))
