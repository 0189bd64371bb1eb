"""`np.apply_along_axis`: a loop that calls a function of the user's for every row."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dispatch import implements
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.calls import array_of
from ..ops.calls import call as call_named
from .calls import call
from .checking import check
from .iterables import Range
from .loops import for_loop

Apply = Callable[..., Any]


@implements(np.apply_along_axis)
def _apply_along_axis(func1d: Apply, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis`: the first result says what the others are."""
    arr = array(arr)
    if not -arr.ndim <= axis < arr.ndim:
        raise np.exceptions.AxisError(axis, arr.ndim)
    rows = np.moveaxis(arr, axis, -1)
    axis = axis % rows.ndim
    outer, length = rows.shape[:-1], rows.shape[-1]
    total = math.prod(outer)
    check_any(total, 'Cannot apply_along_axis when any iteration dimensions are 0')
    rows = rows.reshape((total, length))

    def apply(row: Any) -> Any:
        return array(call(func1d, row, *args, **kwargs))

    first = apply(rows[0])
    made = zeros((total, *first.shape), first.dtype)
    made[0] = first
    rank, last = len(outer), first.ndim
    made = fill(made, 1, total, lambda k: apply(rows[k])).reshape((*outer, *first.shape))
    order = range(rank + last)
    return np.transpose(made, [*order[:axis], *order[rank:], *order[axis:rank]])


def array(x: Any) -> Any:
    """`np.asarray(x)`."""
    x = array_of(valued(x))
    return x if isinstance(x, Tensor) and x.type.kind == 'array' else (
        call_named('numpy.asarray', (x,), {})
    )


def zeros(shape: Any, dtype: Any) -> Any:
    """`np.zeros(shape, dtype)`."""
    return call_named('numpy.zeros', (tuple(shape), dtype), {})


def numbers(start: int, stop: Any) -> Any:
    """`range(start, stop)`."""
    return range(start, stop) if isinstance(stop, int) else Range(start, stop, 1)


def fill(made: Any, start: int, stop: Any, element: Callable[[Any], Any]) -> Any:
    """The array with an element for every index from the start on."""

    def turn(k: Any, made: Any) -> Any:
        made[k] = element(k)
        return made

    return for_loop(numbers(start, stop), turn, made)


def check_any(size: Any, message: str) -> None:
    """Raises a ValueError where there is nothing to call a function on."""
    check(np.equal(size, 0) if isinstance(size, Tensor) else size == 0, message)
