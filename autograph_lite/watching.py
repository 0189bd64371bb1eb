"""Who asks is told of every `Function` that is made and traced meanwhile, and where."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .errors import Location, user_location

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .function import Function

# A trace, or what was raised instead, and where the user's code was that had it made.
Traced = tuple['ConcreteFunction | Exception', Location | None]
Watched = dict['Function[..., Any]', list[Traced]]

_watchers: list[Watched] = []


@contextmanager
def watching() -> Iterator[Watched]:
    """Tells of what is made and traced inside."""
    watched: Watched = {}
    _watchers.append(watched)
    try:
        yield watched
    finally:
        _watchers[:] = [other for other in _watchers if other is not watched]


def made(function: Function[..., Any]) -> None:
    """Tells that there is a function."""
    for watched in _watchers:
        watched[function] = []


def traced(function: Function[..., Any], result: ConcreteFunction | Exception) -> None:
    """Tells that it was traced, or what was raised meanwhile."""
    for watched in _watchers:
        watched.setdefault(function, []).append((result, user_location()))
