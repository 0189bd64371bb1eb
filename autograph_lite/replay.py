"""Running something once more without doing again what it does besides giving a result.

While a tape is recorded, what Python functions return to the graph is noted; while it is played,
they are not called but return that, and nothing is printed.
"""
from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Tape:
    """What the Python functions returned that were called, in order."""

    def __init__(self) -> None:
        self._calls: list[tuple[str, Any, Exception | None]] = []
        self._next: int | None = None

    @contextmanager
    def recorded(self) -> Iterator[None]:
        """Notes what is returned in this thread."""
        with _using(self):
            yield

    @contextmanager
    def played(self) -> Iterator[None]:
        """Returns, in this thread, what was noted."""
        self._next = 0
        with _using(self):
            yield

    @property
    def is_played(self) -> bool:
        """Whether it is played, not recorded."""
        return self._next is not None

    def call(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Calls the function, or returns what it returned."""
        name = str(getattr(function, '__name__', function))
        if self._next is None:
            result, error = None, None
            try:
                result = function(*args)
            except Exception as raised:
                error = raised
            self._calls.append((name, copy.deepcopy(result), error))
        else:
            self._next += 1
            if self._next > len(self._calls) or self._calls[self._next - 1][0] != name:
                raise RuntimeError(f'{name} is called, which the graph does not call here')
            _, result, error = self._calls[self._next - 1]
            result = copy.deepcopy(result)
        if error is not None:
            raise error
        return result


class _Thread(threading.local):
    tape: Tape | None = None


_thread = _Thread()


@contextmanager
def _using(tape: Tape) -> Iterator[None]:
    outer, _thread.tape = _thread.tape, tape
    try:
        yield
    finally:
        _thread.tape = outer


def call(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """`function(*args)`, unless a tape that is played knows what it returned."""
    return function(*args) if _thread.tape is None else _thread.tape.call(function, args)


def is_silent() -> bool:
    """Whether nothing is to be printed."""
    return _thread.tape is not None and _thread.tape.is_played
