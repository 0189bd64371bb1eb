"""Classes and functions that a function has made: what blocks that are given none of it reach.

    def f(x):
        log = []

        class Counter:
            total = 0

            def count(self, v, seen=[]):
                log.append(v)

They hold values as objects do: the attributes of a class, the variables that its methods close
over, the default values of a function. Those of a module are outside, where all that is guarded.
"""
from __future__ import annotations

import inspect
import sys
import types
from typing import Any

from ..converters.callees import is_of_library

_DESCRIPTORS = (staticmethod, classmethod, property)
_CODE = (types.FunctionType, *_DESCRIPTORS)


def is_local_class(kind: type) -> bool:
    """Whether a class of the user's is one that a function has made, by a statement or a call."""
    if is_of_library(kind):
        return False
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split('.'):
        found = getattr(found, '__dict__', {}).get(name)
    return found is not kind


def local_classes(x: Any) -> list[type]:
    """The classes made by functions in which methods and attributes of something are found."""
    kinds = (*type(x).__mro__, *(x.__mro__ if isinstance(x, type) else ()))
    return [kind for kind in kinds if is_local_class(kind)]


def members(kind: type) -> dict[str, Any]:
    """What the user has put into a class: code, and attributes, by name."""
    return {name: value for name, value in vars(kind).items() if _is_users(name, value)}


def _is_users(name: str, value: Any) -> bool:
    if isinstance(value, types.FunctionType):
        return not is_of_library(value)
    is_pythons = name.startswith('__') and name.endswith('__')
    return isinstance(value, _DESCRIPTORS) or not is_pythons


def functions_of(descriptor: Any) -> dict[str, Any]:
    """The functions that a method without a `self`, or a property, is made of."""
    names = (
        ('fget', 'fset', 'fdel') if isinstance(descriptor, property) else ('__func__',))
    return {name: getattr(descriptor, name) for name in names}


def defaults(f: types.FunctionType) -> dict[str, Any]:
    """The default values, by parameter, of a function that another one has made."""
    by_position, by_name = f.__defaults__ or (), f.__kwdefaults__ or {}
    if not (by_position or by_name) or not _is_local(f):
        return {}
    return dict(zip(_parameters(f), by_position, strict=True)) | by_name


def set_default(f: types.FunctionType, name: str, value: Any) -> None:
    """Gives a parameter of a function another default value."""
    by_name = f.__kwdefaults__ or {}
    if name in by_name:
        f.__kwdefaults__ = {**by_name, name: value}
    else:
        found = zip(_parameters(f), f.__defaults__ or (), strict=True)
        f.__defaults__ = tuple(value if key == name else held for key, held in found)


def _parameters(f: types.FunctionType) -> tuple[str, ...]:
    """The parameters that have default values and can be given by position."""
    code = f.__code__
    return code.co_varnames[code.co_argcount - len(f.__defaults__ or ()) : code.co_argcount]


def _is_local(f: types.FunctionType) -> bool:
    is_nested = f.__code__.co_flags & inspect.CO_NESTED  # whatever name `functools.wraps` gave it
    return bool(is_nested) and not is_of_library(f)
