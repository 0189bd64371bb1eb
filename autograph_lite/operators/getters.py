"""What `operator.attrgetter` and its like give for objects of the user's.

    names = map(operator.attrgetter('name'), items)
"""
from __future__ import annotations

import functools
import operator
from typing import Any

from ..converters.callees import is_of_library
from .captures import part
from .contents import is_object
from .own_methods import is_pythons
from .reentry import call

_GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)


def gets(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether it is what `operator.attrgetter` and its like give, asked of a user's object.

    A method that it calls may be one of any object.
    """
    if not isinstance(f, _GETTERS) or len(args) != 1:
        return False
    if isinstance(f, operator.methodcaller) or is_pythons(args[0]):
        return isinstance(f, operator.methodcaller)
    return is_object(args[0]) and not is_of_library(type(args[0]))


def got(f: Any, x: Any) -> Any:
    """What one of them gives for an object, with the user's code for that converted."""
    made_by, given, *_ = f.__reduce__()
    maker = functools.partial(made_by)
    args = (*maker.args, *given)
    if isinstance(f, operator.methodcaller):
        method = getattr(x, args[0]) if is_pythons(x) else part(x, f'.{args[0]}')
        return call(method, *args[1:], **maker.keywords)
    is_attributes = isinstance(f, operator.attrgetter)
    found = [_attribute(x, each) if is_attributes else part(x, [each]) for each in args]
    return found[0] if len(found) == 1 else tuple(found)


def _attribute(x: Any, names: str) -> Any:
    return part(x, *(f'.{name}' for name in names.split('.')))
