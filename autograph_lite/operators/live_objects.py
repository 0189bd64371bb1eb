"""Objects of the user's classes that the running program has itself: see `live`.

    for p in particles:
        p.x += p.v * dt

What stands for one is of a class that is derived from the object's own, and takes its attributes
from the running program; the object that the traced code has made becomes of that class.
"""
from __future__ import annotations

import dataclasses
import weakref
from typing import Any

from ..graph.tensor import Tensor
from ..ops.new_objects import bare
from .live import Live, form_of, is_absent, load, store
from .live_types import is_known, names_of
from .logic import not_

_HELD = '<held>'


class LiveObject(Live):
    """An object."""

    __slots__ = ()

    @property
    def _held(self) -> Tensor:
        held: Tensor = object.__getattribute__(self, '__dict__')[_HELD]
        return held

    @classmethod
    def standing_for(cls, held: Tensor) -> Live:
        made: Live = object.__new__(cls)
        object.__getattribute__(made, '__dict__')[_HELD] = held
        return made

    def __getattribute__(self, name: str) -> Any:
        if name == '__class__':
            return type(self)._kind
        if not name.startswith('__') and name in names_of(type(self)._kind):
            return load(self, name, name=name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith('_'):
            is_known(form_of(self), name)
        raise AttributeError(f'{type(self)._kind.__name__!r} object has no attribute {name!r}')

    def __setattr__(self, name: str, value: Any) -> None:
        store(self, name, value, name=name)

    def as_condition(self) -> Any:
        """It is true if it is there, unless its class says otherwise."""
        return not_(is_absent(self))

    def __copy__(self) -> Any:
        kind = type(self)._kind
        made = bare(kind)
        for name in names_of(kind):
            object.__setattr__(made, name, getattr(self, name))
        return made


def class_for(kind: type[Any]) -> type[Live]:
    """The class of what stands for an object of a class."""
    found = _known.get(kind)
    if found is None:
        members = {'_kind': kind, '__module__': __name__, '__slots__': ()}
        found = _known[kind] = type(kind.__name__, (kind, LiveObject), _members() | members)
    return found


# Classes may be as short-lived as their objects.
_known: weakref.WeakKeyDictionary[type, type[Live]] = weakref.WeakKeyDictionary()


def _members() -> dict[str, Any]:
    """What is found before what the user's class has."""
    found: dict[str, Any] = {}
    for kind in reversed(LiveObject.__mro__[:-1]):
        found |= {name: x for name, x in vars(kind).items() if name not in _OWN}
    return found


_OWN = frozenset({
    '__dict__', '__doc__', '__init__', '__module__', '__slots__', '__weakref__', '_kind'})


def become(x: Any, held: Tensor) -> None:
    """Lets an object be what stands for one of the running program."""
    attributes = vars(x)
    attributes.clear()
    attributes[_HELD] = held
    object.__setattr__(x, '__class__', class_for(type(x)))


def can_be_of_program(kind: type[Any]) -> bool:
    """Whether objects of a class are no more than their attributes."""
    try:
        bare(kind)
    except TypeError:
        return False
    names = {name for each in kind.__mro__ if each is not object for name in vars(each)}
    names |= {field.name for field in dataclasses.fields(kind)} if _is_data(kind) else set()
    special = names & _SPECIAL
    is_frozen = _is_data(kind) and kind.__dataclass_params__.frozen
    is_special = special and not (is_frozen and special <= {'__setattr__', '__delattr__'})
    return not is_special and names.isdisjoint(name for name in _members() if name[:2] != '__')


def _is_data(kind: type[Any]) -> bool:
    return dataclasses.is_dataclass(kind)


# What a class says that changes what its attributes are.
_SPECIAL = frozenset({
    '__setattr__', '__delattr__', '__getattr__', '__getattribute__', '__slots__', '__del__',
    '__copy__', '__deepcopy__', '__class__',
})  # fmt: skip
