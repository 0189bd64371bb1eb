"""Asking objects of which nothing is known."""
from __future__ import annotations

import functools
import types
import weakref
from typing import Any, NamedTuple


def get_attribute(x: Any, name: str, default: Any = None) -> Any:
    """An attribute; the default where there is none, whatever the object's class raises for it."""
    try:
        return getattr(x, name, default)
    except Exception:
        return default


def kept_attribute(x: Any, name: str, default: Any = None) -> Any:
    """The same; of what `functools.cached_property` computes, what is kept by now."""
    is_computed = name in members_of(x).caches
    return in_dict(x).get(name, default) if is_computed else get_attribute(x, name, default)


def has_attribute(x: Any, name: str) -> bool:
    """Whether there is an attribute, whatever the object's class raises where there is none."""
    return get_attribute(x, name, _NONE) is not _NONE


_NONE = object()


def called(x: Any) -> str:
    """A function or class by its own name, which is the same in every run; the text of the rest.

    A function that another one makes has its line with it, of which there may be several.
    """
    is_plain = get_attribute(type(x), '__repr__') is object.__repr__  # its text is an address
    shown = f'one {type(x).__name__}' if is_plain else repr(x)
    name = str(get_attribute(x, '__qualname__') or shown)
    outer, _, own = name.rpartition('<locals>.')
    code = get_attribute(x, '__code__')
    return f'{own} (line {code.co_firstlineno})' if outer and code is not None else own


def package_of(x: Any) -> str:
    """The top package that a class or function says it is of; empty if it does not say so."""
    module = get_attribute(x, '__module__')
    return module.partition('.')[0] if isinstance(module, str) else ''


def attributes(x: Any) -> dict[str, Any]:
    """What an object itself holds by name, in slots too."""
    slots = {name: getattr(x, name) for name in in_slots(x) if hasattr(x, name)}
    return in_dict(x) | slots


def in_dict(x: Any) -> dict[str, Any]:
    """The attributes of an object that are not in slots."""
    return get_attribute(x, '__dict__', {})  # type: ignore[no-any-return]


class Members(NamedTuple):
    """Of a class, the attributes in slots, and those that `functools.cached_property` keeps."""

    slots: tuple[str, ...]
    caches: tuple[str, ...]


def in_slots(x: Any) -> tuple[str, ...]:
    """The names of the attributes that objects of its class have in slots."""
    return members_of(x).slots


def members_of(x: Any) -> Members:
    """Those of its class."""
    known = _known_members.get(type(x))
    if known is None:
        found = {
            name: (member, '__slots__' in vars(each))
            for each in reversed(type(x).__mro__) for name, member in vars(each).items()}
        known = _known_members[type(x)] = Members(
            tuple(name for name, (member, has_slots) in found.items()
                  if has_slots and isinstance(member, types.MemberDescriptorType)),
            tuple(name for name, (member, _) in found.items()
                  if isinstance(member, functools.cached_property)))
    return known


# Classes may be as short-lived as their objects.
_known_members: weakref.WeakKeyDictionary[type, Members] = weakref.WeakKeyDictionary()
