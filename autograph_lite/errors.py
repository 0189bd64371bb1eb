"""Every exception the library raises, and the way back to the user's line.

A message has three parts: the place in the user's source (file, line, text, caret), what was found
there, and what to write instead. `describe` lays them out; everything that raises goes through it.
"""
from __future__ import annotations

import contextlib
import functools
import linecache
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType, TracebackType
from typing import Any

from .pyct.asking import get_attribute
from .pyct.codes import once_by_code


class _OnError:
    """What is told of each error that is made.

    Attributes:
      note: takes it; None for nobody.
    """

    note: Callable[[AutographError], None] | None = None


on_error = _OnError()


class AutographError(Exception):
    """The base of every error that the library itself raises.

    Its arguments are the parts of its message: what was found, where, and what to write instead.
    A program that runs leaves out where, which is added when the error leaves it.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        if on_error.note is not None:
            on_error.note(self)

    def __str__(self) -> str:
        return '\n'.join(map(str, self.args))


class ConversionError(AutographError, NotImplementedError):
    """A construct, or a kind of object, that does not convert."""


class SourceNotFoundError(AutographError, OSError):
    """The text of a function could not be found."""


class StagingError(AutographError, TypeError):
    """A staged value is used or joined as it cannot be."""

    is_of_unconverted = False  # whether it is by code that Python itself calls
    meets: tuple[Any, ...] = ()  # the types of two values that do not join


class UnboundError(AutographError, UnboundLocalError):
    """A variable is read that has no value on one of the ways that lead here."""

    certain = False  # whether it has none on any of them, so that plain Python raises too
    in_python: type[Exception] | None = None  # what plain Python raises, where it raises


class OwnershipError(AutographError, ValueError):
    """An array is modified by one who does not own it, or read by another name after that.

    Attributes:
      written: the memory that the blocks wrote in which it was raised.
    """

    written: frozenset[Any] = frozenset()


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


def as_written(name: str, location: Location | None) -> str:
    """The attribute of an object as the user's line calls it: `self.x` for `Model.x`."""
    _, dot, attribute = name.rpartition('.')
    if location is None or not (dot and attribute.isidentifier()):
        return name
    found = re.search(rf'\b[^\W\d][\w.]*\.{attribute}\b', location.text)
    return name if found is None else found.group()


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


def no_value(name: str) -> tuple[str, str]:
    """The message for a variable to which the running program gave no value."""
    return (
        f'{name!r} is read here, but no way that led here gave it a value.',
        f'Give {name!r} a value before the loop or the branches that may leave it without one.')


_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_CONVERTERS = os.path.join(os.path.dirname(_PACKAGE[:-1]), 'converters') + os.sep
_OWN = (_PACKAGE, _CONVERTERS, '<lowered')


def kind_of(value: object) -> str:
    """What a message calls a value: 'a list', 'an Index'."""
    return with_article(type(value).__name__)


def with_article(kind: str, begins: bool = False) -> str:
    """What a message calls a thing of a class: 'a list', 'an Index'; 'A list' where it begins."""
    article = 'an' if kind[:1].lower() in tuple('aeiou') else 'a'
    return f'{article.capitalize() if begins else article} {kind}'


def _numpy_directory() -> str:
    numpy = sys.modules.get('numpy')
    return os.path.dirname(numpy.__file__ or '') + os.sep if numpy else '\0'


@functools.lru_cache(maxsize=4096)
def is_internal(filename: str) -> bool:
    """Whether code of this file belongs to the library or to NumPy, not to the user."""
    return filename.startswith(_OWN) or is_numpy(filename)


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
        if not is_internal(frame.f_code.co_filename):
            if is_users(frame):
                return frame
            innermost = innermost or frame
        frame = frame.f_back
    return innermost


def is_users(frame: FrameType) -> bool:
    """Whether a frame runs the user's code."""
    return _is_users(frame.f_code.co_filename)


def library_call() -> tuple[str, str]:
    """The module and the function of a library that is being run for the user; '' for none.

    Of NumPy only what it writes in Python about polynomials counts: the rest takes tensors.
    """
    frame: FrameType | None = sys._getframe(1)
    found = '', ''
    while frame is not None and not is_users(frame):
        module = str(frame.f_globals.get('__name__', ''))
        is_standard = frame.f_code.co_filename.startswith(_STANDARD_LIBRARY)
        is_known = module.startswith('numpy.polynomial') or (
            is_standard and 'site-packages' not in frame.f_code.co_filename
            and module.partition('.')[0] in _COMPUTING)
        if is_known:
            found = module, frame.f_code.co_name
        frame = frame.f_back
    return found


# Modules of Python that calculate with what they are given.
_COMPUTING = ('colorsys', 'decimal', 'fractions', 'json', 'numbers', 'random', 're', 'statistics')


@functools.lru_cache(maxsize=4096)
def _is_users(filename: str) -> bool:
    is_standard = filename.startswith(_STANDARD_LIBRARY) and 'site-packages' not in filename
    is_frozen = filename.startswith('<frozen ')
    return not (is_standard or is_frozen or is_internal(filename))


class _Standing(threading.local):
    at: Location | None = None


_standing = _Standing()


@contextmanager
def standing_at(function: Any) -> Iterator[None]:
    """What is found wrong inside is told of the function that was run, not of whoever called it."""
    code = get_attribute(function, '__code__')
    if code is not None:
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


def location_or(known: Location | None) -> Location | None:
    """The place that is being run; where that is a whole function, another one if it is known."""
    return known if known is not None and _standing.at is not None else user_location()


def traceback_entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    """The entries of a traceback, the innermost last."""
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def leaves_debugger(error: BaseException) -> bool:
    """Whether it ends what a debugger of Python's runs, which the user wants no more of."""
    return type(error).__module__ == 'bdb'


def place_in_users_code(error: BaseException) -> Location | None:
    """The innermost place of the user's code that an error came through."""
    entries = [each for each in traceback_entries(error.__traceback__) if is_users(each.tb_frame)]
    if not entries:
        return None
    last = entries[-1]
    return location_at(last.tb_frame.f_code, last.tb_lasti, last.tb_lineno)


def for_the_user(error: Exception) -> Exception:
    """The error, with no frame of the library in its traceback: it ends at the user's line.

    Nor are there any in those of what it was raised from. A failed assertion of the library's own
    keeps them: it is a bug here.
    """
    linked, seen = error.__cause__ or error.__context__, {id(error)}
    while linked is not None and id(linked) not in seen:
        entries = traceback_entries(linked.__traceback__)
        if any(entry.tb_frame.f_code.co_filename.startswith(_OWN) for entry in entries):
            linked.with_traceback(_users_entries(linked))
        seen.add(id(linked))
        linked = linked.__cause__ or linked.__context__
    handled = error.__context__
    if is_package(type(handled).__module__) and not isinstance(handled, AutographError):
        error.__context__ = None  # it stands for what only the running graph catches
    if isinstance(error, AutographError) and _is_for_the_library(type(error)):
        error.__class__ = type(error).__bases__[0]
    return error.with_traceback(_users_entries(error))


def _is_for_the_library(kind: type[Exception]) -> bool:
    """Whether only the library itself tells errors of this class from others."""
    return kind.__module__ != __name__ and is_package(kind.__module__) and len(kind.__bases__) == 1


def _users_entries(error: BaseException) -> TracebackType | None:
    """The traceback of an error without the frames of the library, nor those of blocks."""
    frames = list(traceback_entries(error.__traceback__))
    codes = [entry.tb_frame.f_code.co_filename for entry in frames]
    if isinstance(error, AssertionError) and codes and is_internal(codes[-1]):
        return error.__traceback__
    # What the library calls of `contextlib` is the library's too.
    ours = [
        is_internal(filename) or (filename == contextlib.__file__ and is_internal(caller))
        for filename, caller in zip(codes, ['', *codes], strict=False)
    ]
    kept: TracebackType | None = None
    for entry, internal in zip(reversed(frames), reversed(ours), strict=True):
        if not internal and not (kept and _is_around(entry, kept)):
            kept = TracebackType(kept, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return kept


def _is_around(entry: TracebackType, inner: TracebackType) -> bool:
    """Whether it called a branch or a loop's body of its own function, which is one in Python."""
    code, block = entry.tb_frame.f_code, inner.tb_frame.f_code
    return block in code.co_consts and block.co_name == code.co_name


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
