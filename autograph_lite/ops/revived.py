"""An exception made again as it was: of its arguments, and of what it holds beside them.

    ImportError('no plugin', name='scipy')    # `name` is none of its arguments

The code of the user's class is not run again.
"""
from __future__ import annotations

import itertools
import types
from typing import Any

from ..pyct.asking import attributes


def revived(kind: type[BaseException], state: dict[str, Any], *args: Any) -> BaseException:
    """An exception of a class that has these arguments, and holds this."""
    made_by = kind
    while made_by.__module__ != 'builtins':
        assert made_by.__base__ is not None
        made_by = made_by.__base__
    error = made_by.__new__(kind, *args)
    made_by.__init__(error, *args)
    error.args = args
    for name, value in state.items():
        object.__setattr__(error, name, value)  # into a slot, or the `__dict__`
    return error


def is_made_by_user(error: BaseException) -> bool:
    """Whether code of its class has made it."""
    kind: Any = type(error)
    return any(isinstance(f, types.FunctionType) for f in (kind.__new__, kind.__init__))


def beside_arguments(error: BaseException) -> dict[str, Any]:
    """What an exception holds that its arguments do not tell."""
    held, told = held_by(error), held_by(revived(type(error), {}, *error.args))
    return {name: x for name, x in held.items() if name not in told or told[name] is not x}


def held_by(error: BaseException) -> dict[str, Any]:
    """All that an exception holds by name, but for its arguments and what Python links to it."""
    return attributes(error) | {name: getattr(error, name) for name in _fields(error)}


def _fields(error: BaseException) -> list[str]:
    """The names of what a class of Python's keeps: `name` of an ImportError, `value`, `code`."""
    kinds = itertools.takewhile(_has_fields, type(error).__mro__)
    return [
        name for kind in kinds for name, x in vars(kind).items()
        if isinstance(x, _FIELDS) and not name.startswith('__') and hasattr(error, name)]


_FIELDS = types.MemberDescriptorType, types.GetSetDescriptorType


def _has_fields(kind: type) -> bool:
    """What an exception, and a group of some, has of its own is made of its arguments."""
    return kind is not BaseException and kind.__name__ != 'BaseExceptionGroup'
