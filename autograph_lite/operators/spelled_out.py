"""Functions that do what a statement or a method does, for what that does while tracing.

    operator.setitem(d, k, v)               d[k] = v
    object.__setattr__(self, name, value)   self.name = value, whatever its class says
    list.append(rows, x)                    rows.append(x)
"""
from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from typing import Any

from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.tracing import is_tracing
from ..keys import is_container
from ..pyct.asking import get_attribute
from .calls import call
from .captures import method_of_container
from .class_tests import type_of
from .live import Live
from .live_objects import check_can_be_set
from .operations import operation
from .outer_parts import delete_attribute, place_of_container, set_attribute
from .outside import is_outside
from .places import Attribute
from .setting import deleting, setting


def as_method(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What a function of a class of Python's, such as `list.append`, does by a method; or None.

    Args:
      f: the function.
      args: what it is given, first the object.
    """
    if not isinstance(f, types.MethodDescriptorType | types.WrapperDescriptorType) or not args:
        return None
    kind, owner = f.__objclass__, actual(args[0])
    if kind is object or type_of(owner) is not kind:
        return None
    name, place = f.__name__, place_of_container(owner)
    if place is not None and is_container(owner) and is_outside(owner):
        return lambda _, *rest, **given: call(
            method_of_container(owner, place, Attribute(name)), *rest, **given)
    return lambda _, *rest, **given: call(getattr(owner, name), *rest, **given)


def as_statement(f: Any) -> Callable[..., Any] | None:
    """What does by a statement what a method does that Python has for it, such as `d.__setitem__`.

    Returns:
      It; None for any other method.
    """
    owner = get_attribute(f, '__self__')
    if type(f) is not types.MethodWrapperType or isinstance(owner, type):
        return None
    if f.__objclass__ is object and f.__name__ in _OF_OBJECTS:
        return functools.partial(_OF_OBJECTS[f.__name__], owner)
    if f.__objclass__ is type(owner) and f.__name__ in _OF_ITEMS:
        return functools.partial(_OF_ITEMS[f.__name__], owner)
    return None


def _set_item(owner: Any, key: Any, value: Any) -> None:
    setting(owner, None)[key] = value


def _delete_item(owner: Any, key: Any) -> None:
    del deleting(owner)[key]


def _set_attribute(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, Live):
        check_can_be_set(owner)
        setattr(setting(owner, None), name, value)
    elif is_tracing() and is_outside(owner):
        set_attribute(owner, name, value, object.__setattr__)
    else:
        object.__setattr__(owner, name, value)


def _delete_attribute(owner: Any, name: str) -> None:
    if isinstance(owner, Live):
        delattr(deleting(owner), name)
    elif is_tracing() and is_outside(owner):
        delete_attribute(owner, name, object.__delattr__)
    else:
        object.__delattr__(owner, name)


_Change = Callable[..., None]
_OF_OBJECTS: dict[str, _Change] = {'__setattr__': _set_attribute, '__delattr__': _delete_attribute}
_OF_ITEMS: dict[str, _Change] = {'__setitem__': _set_item, '__delitem__': _delete_item}

replaces(object.__setattr__)(_set_attribute)
replaces(object.__delattr__)(_delete_attribute)
replaces(operator.setitem)(_set_item)
replaces(operator.delitem)(_delete_item)
replaces(operator.iconcat)(functools.partial(operation, '+='))
