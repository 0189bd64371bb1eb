"""Which ways Python took while tracing, for people to see: of others nothing is in the graph.

>>> with noting_ways() as ways:
...     note_taken(lambda: 'taken')
...     note_untaken(lambda: 'not taken')
>>> [code.co_consts[-1] for code in ways.untaken]
['not taken']
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from .anew import take_way


class Ways:
    """The code of the ways that were chosen between; a staged choice takes both."""

    def __init__(self) -> None:
        self._taken: dict[int, CodeType] = {}
        self._others: dict[int, CodeType] = {}

    def note(self, way: Callable[..., Any], is_taken: bool) -> None:
        """Notes a way; what is no function of Python's has no code."""
        code = getattr(way, '__code__', None)
        if code is not None:
            (self._taken if is_taken else self._others)[id(code)] = code

    @property
    def taken(self) -> tuple[CodeType, ...]:
        """The ways that were taken at least once."""
        return tuple(self._taken.values())

    @property
    def untaken(self) -> tuple[CodeType, ...]:
        """The ways that were never taken."""
        return tuple(code for key, code in self._others.items() if key not in self._taken)


class _Noting(threading.local):
    ways: Ways | None = None


_noting = _Noting()


@contextmanager
def noting_ways() -> Iterator[Ways]:
    """Around a trace: the ways that Python takes in it."""
    outer, ways = _noting.ways, Ways()
    _noting.ways = ways
    try:
        yield ways
    finally:
        _noting.ways = outer


def note_taken(way: Callable[..., Any]) -> None:
    """Notes that a branch is traced."""
    take_way()
    if _noting.ways is not None:
        _noting.ways.note(way, is_taken=True)


def note_untaken(way: Callable[..., Any]) -> None:
    """Notes that a branch is not traced this time."""
    if _noting.ways is not None:
        _noting.ways.note(way, is_taken=False)
