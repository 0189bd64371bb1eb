"""What is known of code objects, as long as they live; equal ones are kept apart.

A code object is no key of a dict: Python hashes all that is in it, each time it is asked.
"""
from __future__ import annotations

import weakref
from collections.abc import Callable
from types import CodeType
from typing import Generic, TypeVar

T = TypeVar('T')


class ByCode(Generic[T]):
    """A table by code objects."""

    def __init__(self) -> None:
        self._values: dict[int, tuple[weakref.ref[CodeType], T]] = {}

    def get(self, code: CodeType) -> T | None:
        """What is known of a code object, if anything is."""
        entry = self._values.get(id(code))
        return entry[1] if entry is not None and entry[0]() is code else None

    def set(self, code: CodeType, value: T) -> None:
        """Keep something that is no part of the code object and does not hold it."""
        place = id(code)
        reference = weakref.ref(code, lambda _: self._values.pop(place, None))
        self._values[place] = reference, value


def once_by_code(find: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """A function of a code object that is run once for each."""
    known: ByCode[T] = ByCode()

    def found(code: CodeType) -> T:
        value = known.get(code)
        if value is None:
            value = find(code)
            known.set(code, value)
        return value

    return found
