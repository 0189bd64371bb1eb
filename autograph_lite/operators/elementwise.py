"""Functions of NumPy that call a function of the user's for every row or item: loops."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.dispatch import implements
from ..graph.tensor import Tensor, valued
from ..graph.tracing import emit
from ..ops.calls import call as call_named
from ..ops.effects import RAISE
from ..ops.refusals import refuse
from .calls import call
from .conditionals import cond, unchanged
from .iterables import Range
from .loops import for_loop

Apply = Callable[..., Any]
_NO_TYPES = 'cannot call `vectorize` on size 0 inputs unless `otypes` is set'


@implements(np.apply_along_axis)
def _apply_along_axis(func1d: Apply, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis`: the first result says what the others are."""
    arr = _array(arr)
    if not -arr.ndim <= axis < arr.ndim:
        raise np.exceptions.AxisError(axis, arr.ndim)
    rows = np.moveaxis(arr, axis, -1)
    axis = axis % rows.ndim
    outer, length = rows.shape[:-1], rows.shape[-1]
    total = math.prod(outer)
    _check_any(total, 'Cannot apply_along_axis when any iteration dimensions are 0')
    rows = rows.reshape((total, length))

    def apply(row: Any) -> Any:
        return _array(call(func1d, row, *args, **kwargs))

    first = apply(rows[0])
    made = _zeros((total, *first.shape), first.dtype)
    made[0] = first
    rank, last = len(outer), first.ndim
    made = _fill(made, 1, total, lambda k: apply(rows[k])).reshape((*outer, *first.shape))
    order = range(rank + last)
    return np.transpose(made, [*order[:axis], *order[rank:], *order[axis:rank]])


def vectorized(f: np.vectorize, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)` for what `np.vectorize` has made.

    NumPy calls the function for the first elements, to see what it returns, and then for all, which
    it hands over as Python numbers.

    Raises:
      StagingError: it was made with `signature` or `excluded`.
    """
    if not callable(f.pyfunc):  # it is a decorator, made with options alone
        return f(*args, **kwargs)
    if f.signature is not None or f.excluded:
        raise refuse(
            'numpy.vectorize', 'with `signature` or `excluded` does not trace.', 'Write the loop.'
        )
    arrays = [_array(x) for x in (*args, *kwargs.values())]

    def apply(values: Sequence[Any]) -> tuple[Any, ...]:
        named = dict(zip(kwargs, values[len(args) :], strict=True))
        found = call(f.pyfunc, *values[: len(args)], **named)
        return found if isinstance(found, tuple) else (found,)

    if f.otypes is None:
        for array in arrays:
            _check_any(array.size, _NO_TYPES)
        first = apply([array.ravel()[0] for array in arrays])
        dtypes = [_array(x).dtype for x in first]
        is_known = f.cache
    else:
        dtypes, is_known = [np.dtype(char) for char in f.otypes], False
    if any(dtype.kind in 'US' for dtype in dtypes):
        raise refuse('numpy.vectorize', 'gives texts, which may be of any length.')
    whole = np.broadcast_arrays(*arrays) if len(arrays) > 1 else arrays
    parts = [array.ravel() for array in whole]
    made = tuple(_zeros(parts[0].shape, dtype) for dtype in dtypes)
    if is_known:
        for each, value in zip(made, first, strict=True):
            each[0] = value

    def turn(k: Any, *made: Any) -> Any:
        results = apply([part[k].item() for part in parts])
        for each, value in zip(made, results, strict=True):
            each[k] = value
        return unchanged(*made)

    filled = for_loop(_range(int(is_known), parts[0].size), turn, *made)
    filled = filled if len(made) > 1 else (filled,)
    results = tuple(each.reshape(whole[0].shape) for each in filled)
    return results if len(results) > 1 else results[0]


def _array(x: Any) -> Any:
    """`np.asarray(x)`."""
    x = valued(x)
    return x if isinstance(x, Tensor) and x.type.kind == 'array' else (
        call_named('numpy.asarray', (x,), {})
    )


def _zeros(shape: Any, dtype: Any) -> Any:
    return call_named('numpy.zeros', (tuple(shape), dtype), {})


def _range(start: int, stop: Any) -> Any:
    return range(start, stop) if isinstance(stop, int) else Range(start, stop, 1)


def _fill(made: Any, start: int, stop: Any, element: Callable[[Any], Any]) -> Any:
    """The array with an element for every index from the start on."""

    def turn(k: Any, made: Any) -> Any:
        made[k] = element(k)
        return made

    return for_loop(_range(start, stop), turn, made)


def _check_any(size: Any, message: str) -> None:
    """Raises a ValueError where there is nothing to call a function on."""
    if not isinstance(size, Tensor):
        if size == 0:
            raise ValueError(message)
        return

    def raise_it() -> None:
        emit(RAISE, [], {'error': ValueError, 'parts': [message]})

    cond(np.equal(size, 0), raise_it, unchanged)
