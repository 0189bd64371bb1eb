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

from ..errors import describe, user_location
from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.types import python_scalar
from ..ops.live import ASK_LIVE
from ..ops.new_objects import bare
from ..pyct.asking import get_attribute, members_of
from .live import Live, ask, form_of, is_absent, kind_of, load, store, unsupported, value_in_graph
from .live_types import NotOfLiveError, is_known
from .logic import not_
from .reentry import cond

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
        is_own = not (name.startswith('__') or name in _NAMES)
        if is_own and is_known(form_of(self), name):
            return load(self, name, name=name)
        if is_own:
            check_there(self, name)
        return object.__getattribute__(self, name)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f'{type(self)._kind.__name__!r} object has no attribute {name!r}')

    def __setattr__(self, name: str, value: Any) -> None:
        check_name(self, name)
        store(self, name, value, name=name)

    def __delattr__(self, name: str) -> None:
        fix = f'Set it to None in place of that: `p.{name} = None`.'
        raise unsupported(self, f'`del` of its attribute {name!r}', fix)

    def as_condition(self) -> Any:
        """It is true if it is there, unless its class says otherwise."""
        return not_(is_absent(self))

    def __copy__(self) -> Any:
        held = value_in_graph(self)
        return ask(self, ASK_LIVE, type=held.type, how='copied', asked='copy')


def check_name(x: Any, name: str) -> None:
    """An attribute can be told from what the library has of what stands for an object.

    Raises:
      StagingError: it cannot.
    """
    if name in _NAMES:
        kind = type(x).__name__
        raise NotOfLiveError(describe(
            f'A {kind} of the running graph has an attribute {name!r}, a name that the library has '
            'for a purpose of its own.', user_location(), f'Call it otherwise, such as `{name}_`.'))


def check_can_be_set(x: Live) -> None:
    """Its class lets code set attributes: the running program sets them so.

    Raises:
      StagingError: it does not, as that of a frozen dataclass.
    """
    if get_attribute(kind_of(x), '__setattr__') is not object.__setattr__:
        raise unsupported(
            x, '`object.__setattr__`', 'Put a new one in its place: `p = replace(p, x=v)`.')


def has(x: LiveObject, name: str) -> Any:
    """`hasattr(x, name)`."""
    if not is_known(form_of(x), name) and is_absent(x) is False:
        return hasattr(x, name)
    return ask(x, ASK_LIVE, type=python_scalar(bool), how='has', asked=name)


def attribute_or(x: LiveObject, name: str, default: Any) -> Any:
    """`getattr(x, name, default)`."""
    return cond(has(x, name), lambda: getattr(x, name), lambda: default)


def check_there(x: LiveObject, name: str) -> None:
    """Where it is None when the graph runs, that has no attribute which is one of its class."""
    absent = is_absent(x)
    if absent is not False and hasattr(type(x)._kind, name):
        message = f"'NoneType' object has no attribute {name!r}"
        dispatch.FALLBACKS['check'](absent, message, AttributeError)


def check_step(x: LiveObject, name: str) -> None:
    """It has attributes, and is not asked for what holds them.

    Raises:
      StagingError: it is.
    """
    check_there(x, name)
    if name in ('__dict__', 'vars'):
        raise unsupported(
            x, '`vars` and `__dict__`', 'Take its attributes one by one: `{"x": p.x, "y": p.y}`.')


def class_for(kind: type[Any]) -> type[Live]:
    """The class of what stands for an object of a class."""
    found = _known.get(kind)
    if found is None:
        members = {**_members(), '_kind': kind, '__module__': __name__}
        if vars(object)['__repr__'] is not get_attribute(kind, '__repr__'):
            del members['__repr__']
        members |= dict.fromkeys(members_of(bare(kind)).slots, _Slot())
        if has_dict(kind):
            members['__slots__'] = ()
        found = _known[kind] = type(kind.__name__, (kind, LiveObject), members)
    return found


class _Slot:
    """Stands for a slot: the running program has what is in it."""

    def __get__(self, x: Any, kind: Any = None) -> Any:
        raise AttributeError


def has_dict(kind: type[Any]) -> bool:
    """Whether objects of a class have attributes that are not in slots."""
    return bool(kind.__dictoffset__)


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
    for name in attributes:
        check_name(x, name)
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
    special = (names & _SPECIAL) or members_of(bare(kind)).caches
    is_frozen = _is_data(kind) and kind.__dataclass_params__.frozen
    is_special = special and not (is_frozen and {*special} <= {'__setattr__', '__delattr__'})
    return not is_special and names.isdisjoint(name for name in _members() if name[:2] != '__')


def _is_data(kind: type[Any]) -> bool:
    return dataclasses.is_dataclass(kind)


# What a class says that changes what its attributes are.
_SPECIAL = frozenset({
    '__setattr__', '__delattr__', '__getattr__', '__getattribute__', '__del__', '__class__',
    '__copy__', '__deepcopy__', '__getstate__', '__setstate__', '__reduce__', '__reduce_ex__',
})  # fmt: skip

# What the library asks what stands for one: no attribute of the object has such a name.
_NAMES = frozenset(
    name for name in _members() if name[:2] != '__'
    and name not in ('of', 'parts', 'shown', 'standing_for', 'steps')  # these it asks the class
) | {'_kind'}
