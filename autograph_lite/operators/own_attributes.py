"""Attributes for which the user's classes have code: what reads them is converted like any."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from ..converters.callees import is_of_library
from ..graph import nest
from ..keys import is_container
from ..pyct.asking import get_attribute
from .chosen_parts import Chosen
from .class_parts import classes_of
from .conditionals import cond
from .contents import is_object
from .guarded import guarded
from .guards import record, record_error
from .outer_parts import is_variable, note_place, place_of_container, set_attribute
from .outside import is_made_here, is_outside, note
from .own_methods import is_pythons, own_method
from .perhaps_missing import is_bound, may_lack
from .places import Attribute, Place, place_of, step_in
from .reentry import call, try_
from .unconverted import record_reads

MISSING = object()


def own_read(value: Any, name: str, place: Place | None = None) -> Callable[[], Any] | None:
    """What reads an attribute of an object by code of the user's; None if nothing does.

    That is a property, `functools.cached_property`, another object with a `__get__`, or
    `__getattr__`.

    Args:
      value: the object.
      name: the attribute.
      place: where a container was found that lives outside.
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
    if isinstance(found, functools.cached_property):
        if is_container(owner) and is_outside(owner):
            note_place(owner, place)
        return _kept(owner, name, _calling(kind, name, found.func, owner), found.func)
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


def gives(read: Callable[[], Any]) -> Any:
    """Whether code of the user's finds an attribute that it reads."""
    def is_read() -> bool:
        read()
        return True

    return caught(is_read, False)


def caught(read: Callable[[], Any], default: Any) -> Any:
    """What code of the user's reads, or what stands in its place where it finds no attribute."""
    return try_(read, [(lambda: AttributeError, lambda error: default)])


def runs_code(value: Chosen, step: Any) -> bool:
    """Whether code of the user's reads an attribute of one of several: it may change that one."""
    return isinstance(step, Attribute) and not value.steps and any(
        own_read(nest.actual(x), step.name) is not None for x in value.parts)


def _kept(
    owner: Any, name: str, compute: Callable[[], Any] | None, function: Any
) -> Callable[[], Any] | None:
    """What computes an attribute of `functools.cached_property`, and sets it; None if it is there.

    Args:
      owner: the object.
      name: the attribute.
      compute: calls the function of the user's; None for any other.
      function: that.
    """
    held = get_attribute(owner, '__dict__')
    kept = MISSING if held is None else held.get(name, MISSING)
    if kept is not MISSING and not may_lack(kept):
        return None
    if compute is None or held is None:
        record_reads(function, owner)
        return None

    def read() -> Any:
        if kept is MISSING and is_outside(owner) and not is_variable(owner, name):
            record_error(_place_in(owner, name), AttributeError())
        value = compute() if kept is MISSING else cond(
            is_bound(kept), lambda: guarded(kept), compute)
        set_attribute(owner, name, value, _keep)
        return value

    return read


def _place_in(owner: Any, name: str) -> Place:
    place = place_of_container(owner) or place_of(owner, type(owner).__name__)
    return place.then(step_in(owner, Attribute(name)))


def _keep(owner: Any, name: str, value: Any) -> None:
    vars(owner)[name] = value


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
