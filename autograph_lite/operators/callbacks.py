"""Functions of NumPy that call a function of the user."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.dispatch import implements
from ..graph.tensor import Tensor
from .calls import call
from .conditionals import cond, unchanged


@implements(np.apply_over_axes)
def _apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """`np.apply_over_axes`: one call for each axis, on what the last one gave."""
    rank = np.ndim(a)
    for axis in axes if isinstance(axes, Sequence) else [axes]:
        axis = axis + rank if axis < 0 else axis
        result = call(func, a, axis)
        if np.ndim(result) != np.ndim(a):
            result = np.expand_dims(result, axis)
        if np.ndim(result) != np.ndim(a):
            raise ValueError('function is not returning an array of the correct shape')
        a = result
    return a


@implements(np.piecewise)
def _piecewise(
    x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kwargs: Any
) -> Any:
    """`np.piecewise`: each function is called with the elements of its piece, if there are any."""
    conditions = [
        condition.astype(bool) if isinstance(condition, Tensor) else np.asarray(condition, bool)
        for condition in (condlist if _are_several(condlist, np.ndim(x)) else [condlist])
    ]
    if len(conditions) == len(funclist) - 1:
        conditions.append(~np.any(np.stack(conditions), axis=0))
    elif len(conditions) != len(funclist):
        raise ValueError(
            f'with {len(conditions)} condition(s), either {len(conditions)} or '
            f'{len(conditions) + 1} functions are expected'
        )
    y = np.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if callable(function):
            y = _fill(y, x, condition, functools.partial(_called, function, args, kwargs))
        else:
            y[condition] = function
    return y


def _are_several(condlist: Any, rank: int) -> bool:
    """Whether this is a list of conditions; NumPy takes the rows of a matrix for them too."""
    if not isinstance(condlist, list | tuple):
        return np.ndim(condlist) > 1
    return rank == 0 or isinstance(condlist[0], list | np.ndarray | Tensor)


def _called(function: Callable[..., Any], args: Any, kwargs: dict[str, Any], piece: Any) -> Any:
    return call(function, piece, *args, **kwargs)


def _fill(y: Any, x: Any, condition: Any, function: Callable[[Any], Any]) -> Any:
    piece = x[condition]

    def fill(y: Any) -> Any:
        y[condition] = function(piece)
        return y

    return cond(piece.size > 0, fill, unchanged, y)
