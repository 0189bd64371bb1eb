"""Objects that may be `None` when the graph runs: what their classes say of operators.

    best = None
    for x in xs:
        if best is None or best < x:        # `__lt__` of its class, which is converted
            best = Best(x)

Code of the class gets a copy, and so may change nothing of the object.
"""
from __future__ import annotations

import dataclasses
import inspect
import sys
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, user_location
from ..graph import nest_contents
from ..pyct.asking import get_attribute
from .live_types import live_might_help
from .reentry import call

if TYPE_CHECKING:
    from .optional_nests import Perhaps

_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

# What Python says where it asks `None` for these.
_LACKING = {
    '__call__': "'NoneType' object is not callable",
    '__contains__': "argument of type 'NoneType' is not iterable",
    '__enter__': "'NoneType' object does not support the context manager protocol",
    '__exit__': "'NoneType' object does not support the context manager protocol",
    '__getitem__': "'NoneType' object is not subscriptable",
    '__iter__': "'NoneType' object is not iterable",
    '__len__': "object of type 'NoneType' has no len()",
    '__reversed__': "'NoneType' object is not reversible",
    '__abs__': "bad operand type for abs(): 'NoneType'",
    '__invert__': "bad operand type for unary ~: 'NoneType'",
    '__neg__': "bad operand type for unary -: 'NoneType'",
    '__pos__': "bad operand type for unary +: 'NoneType'",
    '__float__': "float() argument must be a string or a real number, not 'NoneType'",
    '__int__':
        "int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
}


def class_of(x: Any) -> type[Any]:
    """The class of what may be None, where that is there."""
    from .opened import Opened

    return x.kind if isinstance(x, Opened) else type(x)


def closed_object(x: Any) -> Any:
    """The object itself, for code of its class."""
    from .opened import Opened

    return x.closed() if isinstance(x, Opened) else x


def is_object_or_none(x: Perhaps) -> bool:
    """Whether what may be None is an object."""
    return class_of(x.nest) is not type(x.nest) or dataclasses.is_dataclass(x.nest)


def own_of_optional(x: Perhaps, name: str) -> Callable[..., Any] | None:
    """A method that the user has written for a class, of an object of it that may be None.

    Args:
      x: the object.
      name: such as `__len__`, which Python looks for in the class.
    """
    found = get_attribute(class_of(x.nest), name) if name in _LACKING else None
    if not isinstance(found, types.FunctionType) or is_of_library(found):
        return None
    if found.__code__.co_flags & _RESUMES or not is_object_or_none(x):
        return None
    error: type[Exception] = TypeError
    message = _LACKING[name]
    if name in ('__enter__', '__exit__') and sys.version_info < (3, 11):
        error, message = AttributeError, '__enter__'
    return lambda *args, **kwargs: called_unchanged(
        object_there(x, message, error), name, *args, **kwargs)


def object_there(x: Perhaps, message: str, error: type[Exception] = TypeError) -> Any:
    """The object; where it is not there when the graph runs, that raises what Python does."""
    return closed_object(x.checked(error, message))


def truth_of_object(x: Perhaps) -> Callable[[], Any] | None:
    """What tells whether an object is true that is there; None where every object is."""
    kind = class_of(x.nest)
    if not is_object_or_none(x):
        return None
    name = next((each for each in ('__bool__', '__len__') if hasattr(kind, each)), None)
    if name is None:
        return None

    def truth() -> Any:
        from .numbers_made import bool as bool_

        there = closed_object(x.sure())
        return unchanged_by(there, name, lambda: bool_(there))

    return truth


def called_unchanged(there: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """What a method gives of a copy.

    Raises:
      StagingError: it changes that.
    """
    return unchanged_by(there, name, lambda: call(getattr(there, name), *args, **kwargs))


def unchanged_by(there: Any, name: str, run: Callable[[], Any]) -> Any:
    """What code of its class gives, which changes no attribute.

    Raises:
      StagingError: it does.
    """
    before, held = nest_contents.contents(there), _attributes(there)
    result = run()
    after = _attributes(there)
    is_same = len(held) == len(after) and all(after.get(name) is x for name, x in held.items())
    if not is_same or not all(nest_contents.holds(container, x) for container, x in before):
        raise unsupported(f'calling `{name}`, which changes it')
    return result


def _attributes(x: Any) -> dict[str, Any]:
    return dict(get_attribute(x, '__dict__', {}))


_PARTS = 'Take its parts where it `is not None`, and make a new one of them.'


def unsupported(what: str, fix: str = _PARTS) -> StagingError:
    """The error for what nobody can do with a value that may be None."""
    live_might_help()
    what = f'What may be None when the graph runs does not support {what}.'
    return StagingError(describe(what, user_location(), fix))
