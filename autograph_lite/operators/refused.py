"""Refusals that code has perhaps swallowed which Python runs as it is.

    def known(values):
        for x in values:
            try:
                y = float(x)        # refused, where `x` is what only the running graph knows
            except TypeError:
                continue
            yield y

The handlers of converted code do not catch them. What other code was refused is refused again where
that code is left, unless the trace has gone back to before.
"""
from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from types import FrameType

from ..converted import is_converted
from ..errors import (
    AutographError,
    is_internal,
    is_users,
    on_error,
    traceback_entries,
    user_frame,
)
from ..graph import tensor
from ..graph.dispatch import FALLBACKS
from ..graph.tracing import note_writes

_Errors = tuple[AutographError, ...]


class _Tracing(threading.local):
    is_on = False
    raised: _Errors = ()  # which code has met that Python runs, or perhaps only the library
    refused: AutographError | None = None  # which such code has met

    def restore(self, raised: _Errors, refused: AutographError | None) -> None:
        """Undoes what was refused, as a write is undone."""
        self.raised, self.refused = raised, refused


_tracing = _Tracing()


@contextlib.contextmanager
def noting_refusals() -> Iterator[None]:
    """Around a trace."""
    outer = _tracing.is_on, _tracing.raised, _tracing.refused
    _tracing.is_on, _tracing.raised, _tracing.refused = True, (), None
    try:
        yield
    finally:
        _tracing.is_on, _tracing.raised, _tracing.refused = outer


def is_noting() -> bool:
    """Whether refusals are noted."""
    return _tracing.is_on


def note_refused(error: AutographError) -> None:
    """Something is refused to code that may go on without it."""
    _note(_tracing.raised, _tracing.refused or error)


def check_refusals() -> None:
    """What was refused is refused, too, where what asked for it goes on without.

    Raises:
      AutographError: something was.
    """
    if _tracing.refused is not None:
        raise _tracing.refused
    for error in _tracing.raised:
        frames = (entry.tb_frame for entry in traceback_entries(error.__traceback__))
        if any(is_users(frame) and _is_by_python(frame) for frame in frames):
            raise error


def _note(raised: _Errors, refused: AutographError | None) -> None:
    note_writes([(_tracing, _tracing.raised, _tracing.refused)])  # type: ignore[list-item]
    _tracing.raised, _tracing.refused = raised, refused


def _note_raised(error: AutographError) -> None:
    if not _tracing.is_on:
        return
    frame = user_frame()
    if frame is not None and _is_by_python(frame):
        _note((*_tracing.raised, error), _tracing.refused)


def _note_asked(error: AutographError) -> None:
    """The same, where Python itself asks a tensor for its value."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == _TENSOR:
        frame = frame.f_back
    if _tracing.is_on and frame is not None and _is_by_python(frame):
        note_refused(error)


def _is_by_python(frame: FrameType) -> bool:
    """Whether it runs code that is not converted, and none of the library's or NumPy's."""
    code = frame.f_code
    return not is_internal(code.co_filename) and not is_converted(code)


on_error.note = _note_raised
FALLBACKS['note asked'] = _note_asked
_TENSOR = tensor.__file__
