"""What a name is for, of which only the running graph knows for which of several things it stands.

    g = groups[k]

As a rule it is for the values that the one has. A function that modifies one of them is traced
anew: then the name refers to what is there (see `references`).
"""
from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Tracing(threading.local):
    is_on = False
    has_met = False


_tracing = _Tracing()


@contextmanager
def referring(is_on: bool) -> Iterator[None]:
    """Around a trace.

    Args:
      is_on: whether a name refers to what only the running graph knows.
    """
    outer = _tracing.is_on, _tracing.has_met
    _tracing.is_on, _tracing.has_met = is_on, False
    try:
        yield
    finally:
        _tracing.is_on, _tracing.has_met = outer


@contextmanager
def by_value() -> Iterator[None]:
    """What is read inside is no name for what it is read from."""
    outer, _tracing.is_on = _tracing.is_on, False
    try:
        yield
    finally:
        _tracing.is_on = outer


def refers() -> bool:
    """Whether a name for one of several refers to that; if not, it is noted that it might."""
    _tracing.has_met = True
    return _tracing.is_on


def would_refer() -> bool:
    """Whether the trace would have another name for something if it were traced anew."""
    return _tracing.has_met and not _tracing.is_on


def names_refer() -> bool:
    """Whether names refer to what is there."""
    return _tracing.is_on
