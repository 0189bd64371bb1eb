"""Calls of NumPy's functions that its protocols do not reach, such as `np.sum([x, y])`.

The protocols find a tensor among the arguments, not inside a list that a function takes for one
array (`np.sum([a, b])`), nor one array that is taken for a sequence of arrays
(`np.concatenate(x)`), and the functions on texts have none. NumPy would ask each tensor for its
value, so the call is traced before NumPy sees it.
"""
from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ..graph import dispatch
from ..graph.tensor import State, Tensor, valued
from ..graph.types import ListType
from .calls import call_function
from .public_names import get_attribute, has_public_name


def takes_arrays(function: Any) -> bool:
    """Whether an object is a function of NumPy or a method of a ufunc, which take lists too."""
    if isinstance(function, np.ufunc) or isinstance(get_attribute(function, '__self__'), np.ufunc):
        return True
    if isinstance(function, type) or not callable(function):
        return False
    if isinstance(function, FunctionType):  # what it wraps may have lent it its `__module__`
        return _is_numpy(function.__globals__.get('__name__'))
    return _is_numpy(get_attribute(function, '__module__'))


def _is_numpy(module: object) -> bool:
    return str(module).split('.')[0] == 'numpy'


def call_numpy(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function of NumPy; traces the call where there are tensors among its arguments."""
    given = (*args, *kwargs.values())
    ignored = isinstance(function, np.ufunc) and not any(map(_lists_tensors, given))
    if ignored or not any(map(_holds_tensors, given)):
        return function(*args, **kwargs)
    args = tuple(map(_values, args))
    kwargs = {name: _values(arg) for name, arg in kwargs.items()}
    if isinstance(function, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](function, '__call__', args, kwargs)
    owner = getattr(function, '__self__', None)
    if isinstance(owner, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](owner, function.__name__, args, kwargs)
    if not _dispatches(function) and not has_public_name(function):
        return function(*args, **kwargs)
    for x in given:
        if isinstance(x, Tensor) and _is_list(x):
            return x.__array_function__(function, (type(x),), args, kwargs)
    implementation = dispatch.FUNCTIONS.get(function)
    if implementation is not None:
        return implementation(*args, **kwargs)
    return call_function(function, args, kwargs)


_DISPATCHER: type = type(np.sum)
_TEXTS = ('numpy.strings', 'numpy.char')


def _dispatches(function: Callable[..., Any]) -> bool:
    """Whether a function takes arrays, by NumPy's protocol or because it is one on texts."""
    return isinstance(function, _DISPATCHER) or function.__module__ in _TEXTS


def _is_list(x: Tensor) -> bool:
    """Whether this is a list of the running graph, which knows what to do itself."""
    return isinstance(x.type, ListType)


def _lists_tensors(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(map(_holds_tensors, value))


def _holds_tensors(value: Any) -> bool:
    return isinstance(value, Tensor | State) or _lists_tensors(value)


def _values(value: Any) -> Any:
    """What state holds now, also in lists."""
    if type(value) in (list, tuple):
        return type(value)(map(_values, value))
    return valued(value)
