"""What is printed while tracing something that may be undone: only once it is known to stay.

    while True:
        k += 1
        print(k)            # Python's while tracing, unless the loop is found to be the graph's
        if x[0] * k > 1:
            break
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .tracing import note_writes


class _Trials(threading.local):
    """How many trials this thread is in, each inside the one before, and what waits for the end."""

    def __init__(self) -> None:
        self.depth = 0
        self.waiting: list[Callable[[], object]] = []

    def restore(self, waits: bool, do: Callable[[], object]) -> None:
        """Undoes what only waits so far, as a write is undone."""
        if do in self.waiting:
            self.waiting.remove(do)


_trials = _Trials()


@contextmanager
def trying() -> Iterator[None]:
    """What is traced inside may be undone: what it prints waits, and is undone with it."""
    _trials.depth += 1
    try:
        yield
    finally:
        settled()
        _trials.depth -= 1


def settled() -> None:
    """What has been traced since the innermost trial began stays, unless one around is undone."""
    if _trials.depth == 1:
        waiting, _trials.waiting = _trials.waiting, []
        for do in waiting:
            do()


@contextmanager
def for_good() -> Iterator[None]:
    """What is traced inside stays, whatever is undone around it."""
    before = _trials.depth, _trials.waiting
    _trials.depth, _trials.waiting = 0, []
    try:
        yield
    finally:
        _trials.depth, _trials.waiting = before


def once_settled(do: Callable[[], object]) -> None:
    """Does something, outside of trials at once."""
    if not _trials.depth:
        do()
        return
    _trials.waiting.append(do)
    waits: Any = _trials
    note_writes([(waits, True, do)])
