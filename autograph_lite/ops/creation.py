"""Functions that make arrays: each becomes a node, so that every run of the graph has its own."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.dispatch import FALLBACKS, replaces
from ..graph.tensor import Tensor
from ..graph.types import ListType, Shape, TensorType
from .calls import answer, call, rule
from .inference import Answer
from .refusals import refuse
from .template import Arguments, Listed, Slot, holds_array

_FUNCTIONS: tuple[Callable[..., Any], ...] = (
    np.zeros, np.ones, np.empty, np.full,
    np.zeros_like, np.ones_like, np.empty_like, np.full_like,
    np.eye, np.identity, np.tri, np.diag, np.diagflat, np.vander,
    np.arange, np.linspace, np.logspace, np.geomspace, np.meshgrid, np.indices,
    np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray,
    np.asarray_chkfinite, np.require, np.copy, np.frombuffer, np.fromiter, np.fromstring,
    np.bartlett, np.blackman, np.hamming, np.hanning, np.kaiser,
    np.diag_indices, np.tril_indices, np.triu_indices, np.ix_, np.unravel_index,
)  # fmt: skip


# Literal data of more bytes than this is kept as an array, not spelled out in the program.
_LITERAL = 512


# What makes a fresh array of a list.
_OF_LISTS = ('numpy.array', 'numpy.asarray', 'numpy.asanyarray', 'numpy.ascontiguousarray')


def _is_staged_list(x: Any) -> bool:
    return isinstance(x, Tensor) and isinstance(x.type, ListType)


# What gives the very array that it is given.
_ITSELF = ('numpy.asarray', 'numpy.asanyarray')


def _is_itself(x: Any, dtype: Any = None) -> bool:
    """Whether this is an array already, of that dtype."""
    if not isinstance(x, Tensor) or x.type.kind != 'array' or x.type.maybe or _is_staged_list(x):
        return False
    return dtype is None or (x.type.dtype.kind in 'biufc' and x.type.dtype == dtype)


def _creation(name: str) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        is_plain = len(args) + len(kwargs) <= 2 and kwargs.keys() <= {'dtype'}
        if args and name in _ITSELF and is_plain and _is_itself(*args, **kwargs):
            return args[0]
        if len(args) == 1 and not kwargs and name in _OF_LISTS and _is_staged_list(args[0]):
            return FALLBACKS['stack'](args[0])
        if args and isinstance(args[0], list | tuple) and not holds_array(args[0]):
            data = np.asarray(args[0])
            if data.nbytes > _LITERAL:
                fresh = 'numpy.array' if name.startswith('numpy.as') else name
                return call(fresh, (data, *args[1:]), kwargs)
        return call(name, args, kwargs)

    return run


for _function in _FUNCTIONS:
    replaces(_function)(_creation(f'numpy.{_function.__name__}'))


def _is_count(x: Any) -> bool:
    return isinstance(x, Tensor) and x.type.kind != 'array' and x.type.dtype.kind in 'iu'


def _constructor(class_: type[np.generic]) -> Callable[..., Any]:
    """`np.float32(x)`: a NumPy scalar of what is known, a node of what is not."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if not holds_array((*args, *kwargs.values())):
            known = class_(*args, **kwargs)
            if not isinstance(known, np.ndarray):
                return known
        if class_ is np.void and any(map(_is_count, args)):
            raise refuse('numpy.void', 'makes as many bytes as a number says that is not known.')
        return call(f'numpy.{class_.__name__}', args, kwargs)

    return run


DTYPES = sorted(
    {
        class_
        # Not `dir(np)`: asking for a module of NumPy imports it.
        for class_ in vars(np).values()
        if isinstance(class_, type) and issubclass(class_, np.generic)
    },
    key=lambda class_: class_.__name__,
)
for _class in DTYPES:
    if getattr(np, _class.__name__, None) is _class:
        replaces(_class)(_constructor(_class))


@replaces(np.fromfunction)
def _fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = float, **kwargs: Any
) -> Any:
    """`np.fromfunction`: the function is given the indices as arrays."""
    grid = call('numpy.indices', (shape,), {'dtype': dtype})
    return function(*grid, **kwargs)


@rule('numpy.zeros', 'numpy.ones', 'numpy.empty', 'numpy.full')
def _filled(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer | None:
    """The shape is an argument; the dtype is that of a small array."""
    named = dict(arguments.kwargs)
    shape = _lengths(arguments.args[0] if arguments.args else named.get('shape'), types)
    fill = named.get('fill_value', (*arguments.args, None, None)[1])
    if isinstance(fill, Listed | tuple):
        return None
    if shape is None or any(n is not None and n < 0 for n in shape):
        return None
    ones = (1,) * len(shape)
    if arguments.args:
        small = replace(arguments, args=(ones, *arguments.args[1:]))
    else:
        named['shape'] = ones
        small = replace(arguments, kwargs=tuple(named.items()))
    # A value that is an array fills what it broadcasts to; its dtype is that of one element.
    single = [replace(t, shape=()) if t.shape else t for t in types]
    found = answer(name, small, single)
    return replace(found, types=(replace(found.types[0], shape=shape),))


def _lengths(shape: Any, types: Sequence[TensorType]) -> Shape | None:
    """A shape argument, as far as it is known; None if it is no tuple of integers."""
    parts = shape if isinstance(shape, tuple) else getattr(shape, 'items', (shape,))
    lengths: list[int | None] = []
    for part in parts:
        if isinstance(part, Slot) and types[part.index].dtype.kind in 'iu':
            if types[part.index].shape != ():
                return None
            lengths.append(None)
        elif isinstance(part, int | np.integer):
            lengths.append(int(part))
        else:
            return None
    return tuple(lengths)


@rule('numpy.arange')
def _arange(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer | None:
    """The length depends on the bounds; the dtype does not."""
    known = not any(isinstance(part, Slot) for part in arguments.args)
    numbers = [part for part in arguments.args[:3] if isinstance(part, int | float)]
    if not known or any(isinstance(part, Slot) for _, part in arguments.kwargs):
        found = answer(name, arguments, types)
        return replace(found, types=(replace(found.types[0], shape=(None,)),))
    if len(numbers) < len(arguments.args) or arguments.kwargs[1:]:
        return None
    start, stop, step = (0, numbers[0], 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    length = math.ceil((stop - start) / step) if step else 0
    if length < _LONG:
        return None
    small = replace(arguments, args=(start, start + step, step))
    found = answer(name, small, types)
    return replace(found, types=(replace(found.types[0], shape=(length,)),))


# Arrays below this length are made to see what they are.
_LONG = 100_000
