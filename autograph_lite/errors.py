"""Every exception the library raises, and the way back to the user's line.

A message has three parts: the place in the user's source (file, line, text, caret), what was found
there, and what to write instead. `describe` lays them out; everything that raises goes through it.
"""
from __future__ import annotations

import contextlib
import functools
import linecache
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any, Generic, TypeVar

T = TypeVar('T')


class AutographError(Exception):
    """The base of every error that the library itself raises."""


class ConversionError(AutographError, NotImplementedError):
    """A construct, or a kind of object, that does not convert."""


class SourceNotFoundError(AutographError, OSError):
    """The text of a function could not be found."""


class StagingError(AutographError, TypeError):
    """A staged value is used or joined as it cannot be."""


class UnboundError(AutographError, UnboundLocalError):
    """A variable is read that has no value on one of the ways that lead here."""


class OwnershipError(AutographError, ValueError):
    """An array is modified by one who does not own it, or read by another name after that."""


class SignatureError(AutographError, ValueError):
    """Arguments do not fit the signature that was declared or traced."""


class RetracingWarning(UserWarning):
    """A function is traced again and again, which costs more than it gains."""


@dataclass(frozen=True)
class Location:
    """A place in the user's source; columns count characters, None where Python keeps none."""

    filename: str
    line: int
    function: str
    column: int | None = None
    end_column: int | None = None

    @property
    def text(self) -> str:
        """The source line without its line end, or '' where Python cannot read it."""
        return linecache.getline(self.filename, self.line).rstrip()

    def __str__(self) -> str:
        return f'File "{self.filename}", line {self.line}, in {self.function}'


def excerpt(location: Location) -> str:
    """The place as a traceback shows it, with a caret line where columns are known."""
    lines = [f'  {location}']
    text = location.text
    if text.strip():
        indent = len(text) - len(text.lstrip())
        lines.append('    ' + text.strip())
        if location.column is not None:
            start = max(location.column - indent, 0)
            end = max((location.end_column or len(text)) - indent, start + 1)
            lines.append('    ' + ' ' * start + '^' * (min(end, len(text.strip())) - start or 1))
    return '\n'.join(lines)


def describe(what: str, location: Location | None = None, fix: str = '') -> str:
    """A message: what was found, where, and what to write instead."""
    parts = [what]
    if location is not None:
        parts.append(excerpt(location))
    if fix:
        parts.append(fix)
    return '\n'.join(parts)


_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CONVERTERS = os.path.join(os.path.dirname(_PACKAGE[:-1]), 'converters') + os.sep


def _numpy_directory() -> str:
    numpy = sys.modules.get('numpy')
    return os.path.dirname(numpy.__file__ or '') + os.sep if numpy else '\0'


@functools.lru_cache(maxsize=4096)
def is_internal(filename: str) -> bool:
    """Whether code of this file belongs to the library or to NumPy, not to the user."""
    return filename.startswith((_PACKAGE, _CONVERTERS, '<lowered')) or is_numpy(filename)


def is_package(module: str) -> bool:
    """Whether a module with this name is of the library."""
    return module.partition('.')[0] == __package__


def is_numpy(filename: str) -> bool:
    """Whether code of this file belongs to NumPy."""
    return filename.startswith(_numpy_directory())


def user_frame() -> FrameType | None:
    """The innermost frame that runs the user's code; the standard library's is, if no other is."""
    frame: FrameType | None = sys._getframe(1)
    innermost: FrameType | None = None
    while frame is not None:
        filename = frame.f_code.co_filename
        if not is_internal(filename):
            if not _is_standard(filename):
                return frame
            innermost = innermost or frame
        frame = frame.f_back
    return innermost


@functools.lru_cache(maxsize=4096)
def _is_standard(filename: str) -> bool:
    """Whether code of this file belongs to Python's standard library."""
    is_installed = 'site-packages' in filename
    return filename.startswith(('<frozen ', _STANDARD_LIBRARY)) and not is_installed


class _Standing(threading.local):
    at: Location | None = None


_standing = _Standing()


@contextlib.contextmanager
def standing_at(function: Any) -> Iterator[None]:
    """What is found wrong inside is told of the function that was run, not of whoever called it."""
    code = getattr(function, '__code__', None)
    if isinstance(code, CodeType):
        _standing.at = Location(code.co_filename, code.co_firstlineno, code.co_name)
    try:
        yield
    finally:
        _standing.at = None


def user_location() -> Location | None:
    """The place in the user's source that is being run; columns where Python keeps them (3.11+)."""
    if _standing.at is not None:
        return _standing.at
    frame = user_frame()
    return None if frame is None else location_at(frame.f_code, frame.f_lasti, frame.f_lineno)


def traceback_entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """The entries of a traceback, the innermost last."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def for_the_user(error: Exception) -> Exception:
    """The error, with no frame of the library in its traceback: it ends at the user's line.

    Nor are there any in those of the errors that it was raised from.
    """
    linked, seen = error.__cause__ or error.__context__, {id(error)}
    while linked is not None and id(linked) not in seen:
        linked.with_traceback(_users_entries(linked))
        seen.add(id(linked))
        linked = linked.__cause__ or linked.__context__
    return error.with_traceback(_users_entries(error))


def _users_entries(error: BaseException) -> TracebackType | None:
    """The traceback without the library's frames and those of `contextlib` that it calls.

    A failed assertion of the library's own keeps them: it is a bug here.
    """
    entries = list(traceback_entries(error.__traceback__))
    codes = [entry.tb_frame.f_code.co_filename for entry in entries]
    if isinstance(error, AssertionError) and codes and is_internal(codes[-1]):
        return error.__traceback__
    kept: TracebackType | None = None
    callers = ['', *codes]
    for entry, filename, caller in reversed(list(zip(entries, codes, callers, strict=False))):
        is_ours = filename == contextlib.__file__ and is_internal(caller)
        if not is_ours and not is_internal(filename):
            kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


class ByCode(Generic[T]):
    """A table keyed by code objects, as long as they live; equal ones are kept apart.

    A dict would hash all that is in a code object, each time.
    """

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


def location_at(code: CodeType, instruction: int, line: int) -> Location:
    """The place of one instruction of a code object."""
    column = end_column = None
    if sys.version_info >= (3, 11) and instruction >= 0:
        first, last, start, end = _positions(code)[instruction // 2]
        if first == line and last == line:
            column, end_column = _characters(code.co_filename, line, start, end)
    return Location(code.co_filename, line, code.co_name, column, end_column)


@once_by_code
def _positions(code: CodeType) -> list[tuple[int | None, int | None, int | None, int | None]]:
    """The place of each instruction of a code object: first and last line, first and last byte."""
    if sys.version_info >= (3, 11):
        return list(code.co_positions())
    return []


def _characters(
    filename: str, line: int, column: int | None, end_column: int | None
) -> tuple[int | None, int | None]:
    """Byte offsets, as Python keeps them, as offsets in characters."""
    if column is None or end_column is None:
        return None, None
    raw = linecache.getline(filename, line).encode()
    return len(raw[:column].decode(errors='ignore')), len(raw[:end_column].decode(errors='ignore'))
