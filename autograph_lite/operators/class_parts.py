"""Attributes that an object has of its class, and a class of one that it is derived from.

    class Counter:
        total = 0

        def count(self):
            type(self).total += 1

They stand in one place, whatever they are read of: that is guarded, and traced code sets it.
"""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Sequence
from typing import Any

from ..converters.callees import is_of_library
from ..pyct.asking import get_attribute, has_attribute
from .guards import record, record_error
from .outside import is_made_here, is_outside, world_now
from .outside_errors import SHARED, sets_of_some
from .own_methods import is_pythons
from .places import Attribute, Place, Question, place_of


def classes_with(owner: Any, name: str) -> list[type[Any]]:
    """The user's classes through which an object or a class comes to an attribute; it has it last.

    None where the object has it itself, and where a property or a slot says what it is. A class is
    the first of its own.
    """
    if is_pythons(owner) or isinstance(owner, types.ModuleType | types.FunctionType):
        return []
    if not isinstance(owner, type | super) and name in get_attribute(owner, '__dict__', ()):
        return []
    found: list[type[Any]] = []
    for kind in classes_of(owner):
        if is_of_library(kind):
            return []
        found.append(kind)
        if name in vars(kind):
            found_there = vars(kind)[name]
            is_computed = isinstance(found_there, functools.cached_property)
            if is_computed or hasattr(type(found_there), '__set__') or is_made_here(kind):
                return []
            return [each for each in found if not is_made_here(each)]
    return []


def lacks(owner: Any, name: str) -> bool:
    """Whether an object has no such attribute, nor its class."""
    return name not in get_attribute(owner, '__dict__', ()) and not any(
        name in vars(kind) for kind in classes_of(owner))


def classes_of(owner: Any) -> Sequence[type[Any]]:
    """Where an attribute of something is looked for."""
    if isinstance(owner, super):
        start: Any = owner
        classes: Sequence[type[Any]] = start.__self_class__.__mro__
        return classes[classes.index(start.__thisclass__) + 1 :]
    kind: type[Any] = owner if isinstance(owner, type) else type(owner)
    return kind.__mro__


def record_class(owner: Any, step: Attribute | Question) -> None:
    """Guards what the class of an object says of an attribute that the object does not have.

    Args:
      owner: the object.
      step: reads the attribute, or asks whether there is one.
    """
    name = step.name if isinstance(step, Attribute) else step.args[0]
    is_own = name in get_attribute(owner, '__dict__', ())
    kind = next((kind for kind in classes_of(owner) if not is_made_here(kind)), object)
    if is_own or is_pythons(owner) or is_of_library(kind):
        return
    static = inspect.getattr_static(kind, name, None)
    if isinstance(step, Attribute) and hasattr(type(static), '__get__'):
        # What it gives may be another one whenever it is read.
        step = Question('getattr_static', (name,))
    place = place_of(kind, kind.__name__).then(step)
    try:
        record(place, place())
    except AttributeError as error:
        record_error(place, error)


def record_lack(owner: Any, name: str, place: Place) -> None:
    """Guards that an object outside, which is found at a place, has no such attribute itself."""
    if has_attribute(owner, '__dict__'):
        record(place.then(Question('vars')).then(Question('in', (name,))), False)


def note_given(owner: Any, name: str) -> None:
    """Remembers that a staged block gives an object or a class an attribute of its own, perhaps."""
    kinds = [kind for kind in classes_of(owner) if not is_of_library(kind)]
    having = next((i for i, kind in enumerate(kinds) if name in vars(kind)), -1)
    world_now().perhaps_own.update(
        (name, id(kind)) for kind in kinds[: having + 1] if kind is not owner)


def check_set(owner: Any, name: str) -> None:
    """What has an attribute of a class that is set is known while tracing.

    Raises:
      OwnershipError: a staged block may have given an object one of its own.
    """
    if (name, id(owner)) in world_now().perhaps_own:
        raise sets_of_some(owner, name)


def is_shared(owner: Any) -> bool:
    """Whether a class or a function is one that the trace has not made."""
    if is_outside(owner):
        return True
    if not isinstance(owner, SHARED) or is_of_library(owner) or is_made_here(owner):
        return False
    if isinstance(owner, types.FunctionType):
        return owner.__globals__.get(owner.__name__) is owner
    known = world_now().known.values()
    return isinstance(owner, type) and any(owner in classes_of(each) for each in known)
