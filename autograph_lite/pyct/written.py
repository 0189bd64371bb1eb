"""The function that somebody wrote, behind what was made of it."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from autograph_lite.errors import ConversionError, kind_of
from autograph_lite.pyct.asking import called, get_attribute, has_attribute

# What `functools.cache` and `functools.lru_cache` make of a function.
CACHED: Any = type(functools.cache(len))
# On what `convert` returns: the function that it converts, and itself, since `functools.wraps`
# copies the attribute to functions that call it.
_CONVERTS = '__ag_converts__'


def function_behind(f: Any) -> FunctionType:
    """The function behind methods, partial calls, callable objects and what this library makes.

    Raises:
      ConversionError: there is none: it is a class, a builtin, or not callable at all.
    """
    while not isinstance(f, FunctionType) or converted_by(f) is not f:
        if isinstance(f, FunctionType):
            f = converted_by(f)
        elif has_attribute(f, 'python_function'):
            f = f.python_function
        elif isinstance(f, functools.partial):
            f = f.func
        elif isinstance(f, CACHED):
            f = f.__wrapped__
        elif isinstance(f, MethodType | staticmethod | classmethod):
            f = f.__func__
        elif not isinstance(f, type) and isinstance(own_call(f), FunctionType):
            f = own_call(f)
        else:
            raise ConversionError(_refusal(f))
    return f


def stands_for(call: Callable[..., Any], function: FunctionType) -> None:
    """Remembers on a function which one it converts when it is called."""
    setattr(call, _CONVERTS, (function, call))


def converted_by(f: Any) -> Any:
    """The function that a function converts when it is called; for any other, itself."""
    function, call = get_attribute(f, _CONVERTS) or (f, None)
    return function if call is f else f


def own_call(f: Any) -> Any:
    """What the class of an object says that a call of the object does, if it says anything."""
    return inspect.getattr_static(type(f), '__call__', None)


def resumes(f: FunctionType) -> str:
    """What a function makes that is not done when it returns; empty if it is done."""
    for test, what in (
        (inspect.isasyncgenfunction, 'an asynchronous generator'),
        (inspect.iscoroutinefunction, 'a coroutine'),
        (inspect.isgeneratorfunction, 'a generator'),
    ):
        if test(f):
            return what
    return ''


def _refusal(f: Any) -> str:
    name = called(f)
    if isinstance(f, type):
        return f'{name} is a class, and only functions convert.\nConvert its methods.'
    if not callable(f):
        return f'{name} is not callable, and only functions convert.'
    return (
        f'{name} is {kind_of(f)}, which is not written in Python: there is no source to '
        'convert.\nWrite a function that calls it, and convert that.')
