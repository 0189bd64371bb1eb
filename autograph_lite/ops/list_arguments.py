"""Lists of tensors given to NumPy's functions: `np.sum([a, b])`, `np.maximum.reduce([a, b, c])`.

The protocols find a tensor among the arguments, not inside a list that a function takes for one
array. NumPy would ask each tensor in it for its value; so the call is traced before NumPy sees it.
"""
from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ..graph import dispatch
from ..graph.tensor import State, Tensor, valued
from .calls import call_function


def takes_arrays(function: Any) -> bool:
    """Whether an object is a function of NumPy or a method of a ufunc, which take lists too."""
    if isinstance(function, np.ufunc) or isinstance(getattr(function, '__self__', None), np.ufunc):
        return True
    if isinstance(function, type) or not callable(function):
        return False
    if isinstance(function, FunctionType):  # what it wraps may have lent it its `__module__`
        return _is_numpy(function.__globals__.get('__name__'))
    return _is_numpy(getattr(function, '__module__', None))


def _is_numpy(module: object) -> bool:
    return str(module).split('.')[0] == 'numpy'


def call_with_lists(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function of NumPy; traces the call where there are tensors in lists."""
    if not any(_lists_tensors(arg) for arg in (*args, *kwargs.values())):
        return function(*args, **kwargs)
    args = tuple(map(_values, args))
    kwargs = {name: _values(arg) for name, arg in kwargs.items()}
    if isinstance(function, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](function, '__call__', args, kwargs)
    owner = getattr(function, '__self__', None)
    if isinstance(owner, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](owner, function.__name__, args, kwargs)
    implementation = dispatch.FUNCTIONS.get(function)
    if implementation is not None:
        return implementation(*args, **kwargs)
    return call_function(function, args, kwargs)


def _lists_tensors(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(
        isinstance(item, Tensor | State) or _lists_tensors(item) for item in value
    )


def _values(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_values, value))
    return valued(value)
