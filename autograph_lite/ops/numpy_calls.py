"""Calls of NumPy's functions with what no protocol lets it see.

The protocols find a tensor among the arguments, not inside a list that a function takes for one
array (`np.sum([a, b])`), nor one array that is taken for a sequence of arrays
(`np.concatenate(x)`), and the functions on texts have none. NumPy would ask each tensor for its
value, so the call is traced before NumPy sees it.

A call without tensors is made while tracing; an array that it gives is the graph's own.
"""
from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import dispatch, nest
from ..graph.nest import Stackable
from ..graph.state import State, valued
from ..graph.tensor import Tensor
from ..graph.tracing import constant
from ..graph.types import type_of
from ..pyct.asking import get_attribute
from .calls import array_of, call_function, is_staged_list
from .made import own
from .public_names import has_public_name, value_name
from .raising import warnings_raised
from .ufuncs import operand


def takes_arrays(function: Any) -> bool:
    """Whether an object is a function of NumPy or a method of a ufunc, which take lists too.

    Methods of NumPy's numbers are, too: some of them make arrays.
    """
    owner = get_attribute(function, '__self__')
    if isinstance(function, np.ufunc) or isinstance(owner, np.ufunc | np.generic):
        return True
    if isinstance(function, type) or not callable(function):
        return False
    name = get_attribute(function, '__name__')
    if type(name) is str and name in ('__enter__', '__exit__'):  # of `np.errstate(...)`
        return False
    if isinstance(function, FunctionType):  # what it wraps may have lent it its `__module__`
        return _is_numpy(function.__globals__.get('__name__'))
    return _is_numpy(get_attribute(function, '__module__'))


def _is_numpy(module: object) -> bool:
    return str(module).split('.')[0] == 'numpy'


def call_numpy(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls a function of NumPy; traces the call where there are tensors among its arguments."""
    given = (*args, *kwargs.values())
    if any(map(_holds_tensors, given)):
        if isinstance(function, np.ufunc) and not any(map(_lists_tensors, given)):
            return function(*args, **kwargs)
        return _traced(function, args, kwargs)
    with suppress(FloatingPointError, Warning), warnings_raised():
        return _owned(function, function(*args, **kwargs))
    # It warns, which is for the running graph to do: Python may never come here.
    first = _as_tensor(args[0]) if args else None
    if first is None:
        return _owned(function, function(*args, **kwargs))
    return _traced(function, (first, *args[1:]), kwargs)


def _as_tensor(x: Any) -> Any:
    """A tensor for what NumPy takes for an array or a number; None for anything else."""
    known = np.asarray(x) if isinstance(x, list | tuple) else x
    return None if type_of(known) is None else constant(known)


def _traced(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args = tuple(map(_number, map(_values, args)))
    kwargs = {name: _values(arg) for name, arg in kwargs.items()}
    given = (*args, *kwargs.values())
    if isinstance(function, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](function, '__call__', args, kwargs)
    owner = getattr(function, '__self__', None)
    if isinstance(owner, np.ufunc):
        return dispatch.FALLBACKS['ufunc'](owner, function.__name__, args, kwargs)
    if not _dispatches(function) and not has_public_name(function):
        return function(*args, **kwargs)
    for x in given:
        if is_staged_list(x):  # which knows what to do itself
            return x.__array_function__(function, (type(x),), args, kwargs)
    implementation = dispatch.FUNCTIONS.get(function)
    if implementation is not None:
        return implementation(*args, **kwargs)
    return call_function(function, args, kwargs)


def _owned(function: Callable[..., Any], result: Any) -> Any:
    """What NumPy gave, with the graph's own arrays for those in it."""
    if not isinstance(result, np.ndarray | list | tuple):
        return result
    name = value_name(str(get_attribute(function, '__name__', '')))
    return nest.map_leaves(lambda x: own(x, name), result)


_DISPATCHER: type = type(np.sum)
_TEXTS = ('numpy.strings', 'numpy.char')


def _dispatches(function: Callable[..., Any]) -> bool:
    """Whether a function takes arrays, by NumPy's protocol or because it is one on texts."""
    return isinstance(function, _DISPATCHER) or function.__module__ in _TEXTS


def _lists_tensors(value: Any) -> bool:
    if isinstance(value, Stackable):
        return True
    return isinstance(value, list | tuple) and any(map(_holds_tensors, value))


def _holds_tensors(value: Any) -> bool:
    return isinstance(value, Tensor | State | Stackable) or _lists_tensors(value)


def _number(x: Any) -> Any:
    """A number of NumPy's for one of a class derived from Python's, such as an `IntEnum`."""
    is_derived = isinstance(x, int | float | complex) and type_of(x) is None
    return operand(x) if is_derived else x


def _values(value: Any) -> Any:
    """What state holds now, also in lists; of what is no array, what NumPy makes one of."""
    if type(value) in (list, tuple):
        return type(value)(map(_values, value))
    if not isinstance(value, Stackable):
        return valued(value)
    if value.instead_of_array:
        raise StagingError(describe(
            'NumPy makes no array of what is in a dict or a set.', user_location(),
            f'Make one: {value.instead_of_array}.'))
    return array_of(value)
