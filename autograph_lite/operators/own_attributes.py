"""Attributes for which the user's classes have code: what reads them is converted like any."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from ..converters.callees import is_of_library
from ..pyct.asking import get_attribute
from .cached_results import once
from .class_parts import classes_of
from .contents import is_object
from .guards import record
from .outside import is_made_here, is_outside, note
from .own_methods import is_pythons, own_method
from .places import Attribute, place_of
from .reentry import call
from .staging import graph_now
from .unconverted import record_reads

MISSING = object()


def own_read(value: Any, name: str) -> Callable[[], Any] | None:
    """What reads an attribute of an object by code of the user's; None if nothing does.

    That is a property, `functools.cached_property`, another object with a `__get__`, or
    `__getattr__`.
    """
    if is_pythons(value):
        return None
    is_super = isinstance(value, super)
    kind = class_with(value, name) if is_super else type(value)
    owner = get_attribute(value, '__self__') if is_super else value
    found = of_class(kind, name)
    if isinstance(found, property):
        return _calling(kind, name, found.fget, owner)
    held = get_attribute(owner, '__dict__', {})
    if isinstance(found, functools.cached_property) and name not in held:
        compute = _calling(kind, name, found.func, owner)
        if compute is None or is_outside(owner) or graph_now().parent is not None:
            record_reads(found.func, owner)  # what a block makes is not to be kept
            if compute is None or is_outside(owner) or not is_made_here(kind):
                return None
            return lambda: once(found.func, lambda: getattr(owner, name))
        return lambda: held.setdefault(name, compute())
    note_descriptor(found, kind)
    get = of_class(type(found), '__get__')
    if name not in held or of_class(type(found), '__set__') is not MISSING:
        read = _calling(type(found), '__get__', get, found, owner, kind)
        if read is not None:
            return read
    if found is MISSING and name not in held and not name.startswith('__'):
        own = own_method(owner, '__getattr__')
        return None if own is None else lambda: own(name)
    return None


def note_descriptor(found: Any, kind: Any) -> None:
    """An object of a class of the user's that another class has lives outside, as that does."""
    if is_object(found) and not is_of_library(type(found)) and not is_made_here(kind):
        note(found)


def class_with(owner: Any, name: str) -> Any:
    """The class in which `super()` finds an attribute."""
    return next((each for each in classes_of(owner) if name in vars(each)), None)


def of_class(kind: Any, name: str) -> Any:
    """What a class has for an attribute, as it stands there."""
    classes = get_attribute(kind, '__mro__', ())
    return next((vars(each)[name] for each in classes if name in vars(each)), MISSING)


def _calling(kind: type[Any], name: str, function: Any, *args: Any) -> Callable[[], Any] | None:
    """A call of a function of the user's that a class has; None for any other."""
    if not isinstance(function, types.FunctionType) or is_of_library(function):
        return None

    def read() -> Any:
        step = Attribute(name)
        record(place_of(kind, kind.__name__).then(step), step(kind))
        return call(function, *args)

    return read
