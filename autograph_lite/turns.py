"""Which thread may trace a function: one at a time, and none waits where that could never end."""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

R = TypeVar('R')


class _Here(threading.local):
    depth = 0


_here = _Here()


class Turns:
    """The turns of the threads that would trace one function."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Inside, no other thread traces the function, whose traces the others wait for.

        A thread that is tracing already does not wait: the thread that it waits for may need
        what it is tracing. It makes a trace of its own.
        """
        has_turn = self._lock.acquire(blocking=not _here.depth)
        _here.depth += 1
        try:
            yield
        finally:
            _here.depth -= 1
            if has_turn:
                self._lock.release()


def in_turn(function: Callable[[], R]) -> R:
    """Calls a function in a thread that traces for one that has its turn."""
    _here.depth += 1
    try:
        return function()
    finally:
        _here.depth -= 1
