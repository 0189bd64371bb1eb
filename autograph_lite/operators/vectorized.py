"""What `np.vectorize` makes: a loop that calls a function of the user's for every item or part."""
from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.tensor import Tensor
from ..graph.types import is_of_any_length
from ..ops.calls import call as call_named
from .calls import call
from .captures import part
from .checking import check
from .comprehensions import listed_of
from .elementwise import array, check_any, numbers, zeros
from .loops import for_loop
from .staging import unchanged

_Apply = Callable[..., tuple[Any, ...]]
# The names of axes, of each array: those of '(m,n),(n)->()' are [('m', 'n'), ('n',)] and [()].
_Axes = Sequence[tuple[str, ...]]

_ATTRIBUTES = ('.pyfunc', '.otypes', '.excluded', '.cache', '.signature')

_NO_TYPES = 'cannot call `vectorize` on size 0 inputs unless `otypes` is set'
_NO_LENGTHS = (
    'cannot call `vectorize` with a signature including new output dimensions on size 0 inputs'
)


def vectorized(f: np.vectorize, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` for what `np.vectorize` has made."""
    for attribute in _ATTRIBUTES:  # they can be set to others
        part(f, attribute)
    if not callable(f.pyfunc):  # it is a decorator, made with options alone
        return f(*args, **kwargs)
    places = [i for i in range(len(args)) if i not in f.excluded]
    names = [name for name in kwargs if name not in f.excluded]

    def apply(*values: Any) -> tuple[Any, ...]:
        given, named = list(args), dict(kwargs)
        for place, value in zip(places, values, strict=False):
            given[place] = value
        named.update(zip(names, values[len(places) :], strict=True))
        found = call(f.pyfunc, *given, **named)
        return found if isinstance(found, tuple) else (found,)

    arrays = [array(x) for x in (*(args[i] for i in places), *(kwargs[name] for name in names))]
    if f.signature is not None:
        return _of_parts(f.signature, f.otypes, apply, arrays)
    return _of_items(f, apply, arrays) if arrays else call(f.pyfunc, *args, **kwargs)


def _of_items(f: np.vectorize, apply: _Apply, arrays: Sequence[Any]) -> Any:
    """NumPy calls the function for the first items, to see what it returns, and then for all,
    which it hands over as Python numbers.
    """
    if f.otypes is None:
        for each in arrays:
            check_any(each.size, _NO_TYPES)
        first = apply(*(each.ravel()[0] for each in arrays))
        dtypes = [_dtype(array(x)) for x in first]
        is_known = f.cache
    else:
        dtypes, is_known = [np.dtype(char) for char in f.otypes], False
    whole = np.broadcast_arrays(*arrays) if len(arrays) > 1 else arrays
    parts = [each.ravel() for each in whole]
    if len(dtypes) == 1 and dtypes[0].kind in 'US':  # as long as the longest
        texts = listed_of(lambda k: apply(*(_item(part, k) for part in parts))[0],
                        numbers(0, parts[0].size))
        return np.reshape(call(np.array, texts, dtypes[0].kind), whole[0].shape)
    made = tuple(zeros(parts[0].shape, dtype) for dtype in dtypes)
    if is_known:
        for each, value in zip(made, first, strict=True):
            each[0] = value
    made = _filled(made, int(is_known), parts[0].size, lambda k: apply(
        *(_item(part, k) for part in parts)))
    return _together([each.reshape(whole[0].shape) for each in made])


def _item(part: Any, k: Any) -> Any:
    """An element as Python has it; texts of any length are Python's own already."""
    return part[k] if part.dtype.kind == 'T' else part[k].item()


def _dtype(x: Any) -> np.dtype[Any]:
    """The dtype; of texts, that for any length."""
    is_text = isinstance(x, Tensor) and is_of_any_length(x.type)
    dtype: np.dtype[Any] = x.type.dtype if is_text else x.dtype
    return dtype


def _of_parts(
    signature: str, otypes: str | None, apply: _Apply, arrays: Sequence[Any]
) -> Any:
    """The last axes of the arguments, which the signature names, go to the function as arrays."""
    given, returned = map(_axes, signature.split('->'))
    if len(arrays) != len(given):
        raise TypeError(
            f'wrong number of positional arguments: expected {len(given)}, got {len(arrays)}'
        )
    lengths: dict[str, Any] = {}
    for each, axes in zip(arrays, given, strict=True):
        _learn(lengths, each, axes)
    outer = _broadcast([each.shape[: each.ndim - len(axes)] for each, axes in zip(
        arrays, given, strict=True)])
    total = math.prod(outer)
    parts = []
    for each, axes in zip(arrays, given, strict=True):
        part = [lengths[axis] for axis in axes]
        parts.append(np.broadcast_to(each, (*outer, *part)).reshape((total, *part)))
    start = 0
    results: tuple[Any, ...] = ()
    is_new = any(axis not in lengths for axes in returned for axis in axes)
    if otypes is None or is_new:
        check_any(total, _NO_TYPES if otypes is None else _NO_LENGTHS)
        start, results = 1, tuple(map(array, _checked(apply(*(p[0] for p in parts)), returned)))
        for each, axes in zip(results, returned, strict=True):
            _learn(lengths, each, axes)
    dtypes = [each.dtype for each in results] if otypes is None else otypes
    shapes = [tuple(lengths[axis] for axis in axes) for axes in returned]
    made = tuple(
        zeros((total, *shape), dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
    for each, value in zip(made, results, strict=False):
        each[0] = value
    made = _filled(made, start, total, lambda k: _checked(apply(*(p[k] for p in parts)), returned))
    return _together([
        each.reshape((*outer, *shape)) for each, shape in zip(made, shapes, strict=True)])


def _filled(made: Any, start: int, stop: Any, results: Callable[[Any], Any]) -> Any:
    """The arrays with their part of the results for every index from the start on."""

    def turn(k: Any, *made: Any) -> Any:
        for each, value in zip(made, results(k), strict=True):
            each[k] = value
        return unchanged(*made)

    filled = for_loop(numbers(start, stop), turn, *made)
    return filled if len(made) > 1 else (filled,)


def _together(results: Sequence[Any]) -> Any:
    return tuple(results) if len(results) > 1 else results[0]


def _axes(side: str) -> _Axes:
    """One side of a signature."""
    return [tuple(re.findall(r'\w+', each)) for each in re.findall(r'\((.*?)\)', side)]


def _learn(lengths: dict[str, Any], x: Any, axes: tuple[str, ...]) -> None:
    """Notes how long the last axes of an array are, which have names.

    Raises:
      ValueError: it has not so many, or one of them is of another length in another array.
    """
    if x.ndim < len(axes):
        raise ValueError(
            f'{x.ndim}-dimensional argument does not have enough dimensions for all core '
            f'dimensions {axes!r}'
        )
    for axis, length in zip(axes, x.shape[x.ndim - len(axes) :], strict=True):
        known = lengths.setdefault(axis, length)
        check(
            length != known,
            f'inconsistent size for core dimension {axis!r}: {length!r} vs {known!r}',
        )
        if isinstance(known, Tensor) and not isinstance(length, Tensor):
            lengths[axis] = length


def _broadcast(shapes: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    if not any(isinstance(n, Tensor) for shape in shapes for n in shape):
        return np.broadcast_shapes(*shapes)
    found: tuple[Any, ...] = call_named('numpy.broadcast_shapes', shapes, {})
    return found


def _checked(results: tuple[Any, ...], returned: _Axes) -> tuple[Any, ...]:
    """As many results as the signature says.

    Raises:
      ValueError: there are more, or fewer.
    """
    if len(results) != len(returned):
        raise ValueError(
            f'wrong number of outputs from pyfunc: expected {len(returned)!r}, got '
            f'{len(results)!r}'
        )
    return results
