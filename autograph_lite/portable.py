"""What tells a Python value once the trace that was made for it has been pickled.

An identity means nothing in another process. What pickles by its name is told by that name, what
cannot change and has an equality of its own by that, and anything else equals nothing. None of it
is loaded before it is compared, so that a trace runs where the user's source is not.
"""
from __future__ import annotations

import pickle
from collections.abc import Hashable
from types import CodeType
from typing import Any

from .keys import Identity


def portable(key: Hashable) -> Hashable:
    """The key with something that pickles in the place of each identity."""
    match key:
        case Identity():
            return Portable(key.value())
        case Identity() as told, Identity() as kind if kind.value() is type(told.value()):
            return Portable(told.value()), _Implied()
        case tuple():
            return tuple(map(portable, key))
        case frozenset():
            return frozenset(map(portable, key))
    return key


class Portable:
    """An object that a pickled trace was made for; it equals the identity of that object."""

    __slots__ = ('_token',)

    def __init__(self, value: Any) -> None:
        self._token = _content(value) if isinstance(value, CodeType) else _pickled(value)

    def __eq__(self, other: object) -> bool:
        if self._token is None or isinstance(other, Portable):
            return self is other
        if not isinstance(other, Identity):
            return False
        value = other.value()
        if isinstance(value, CodeType):
            return self._token == _content(value)
        return isinstance(self._token, bytes) and _is_pickled(value, self._token)

    def __hash__(self) -> int:
        return hash(Portable)


class _Implied:
    """The class of an object that is told by what stands before it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity | _Implied)

    def __hash__(self) -> int:
        return hash(_Implied)


def _pickled(value: Any) -> bytes | None:
    """An object as bytes, if it is told by its name or by what it equals."""
    try:
        data = pickle.dumps(value)
        return data if _is_pickled(value, data) else None
    except Exception:
        return None


def _is_pickled(value: Any, data: bytes) -> bool:
    """Whether an object is what was pickled."""
    try:
        loaded = pickle.loads(data)
        return loaded is value or (
            type(loaded) is type(value) and _cannot_change(loaded) and bool(loaded == value)
        )
    except Exception:
        return False


def _cannot_change(value: Any) -> bool:
    """Whether an object has an equality and a hash of its own."""
    kind: Any = type(value)
    return kind.__eq__ is not _PLAIN.__eq__ and kind.__hash__ not in (None, _PLAIN.__hash__)


_PLAIN: Any = object


def _content(code: CodeType) -> tuple[Any, ...]:
    """What a function's code does, without where it stands."""
    constants = [_content(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    return code.co_code, *names, *constants
