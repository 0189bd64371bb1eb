"""Who asks is told of every `Function` that is made and traced meanwhile, and where.

Of each it is remembered where its last trace stopped, if it did.
"""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from .errors import AutographError, Location, location_at, traceback_entries, user_location
from .pyct.asking import get_attribute

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .function import Function

# A trace, or what was raised instead, and where the user's code was that had it made.
Traced = tuple['ConcreteFunction | Exception', Location | None]
Watched = dict['Function[..., Any]', list[Traced]]

_watchers: list[Watched] = []


class Stop(NamedTuple):
    """Where in a function a trace of it stopped, if that is known, and what was raised there.

    Attributes:
      location: the place.
      error: the class and the message on one line, with the advice.
    """

    location: Location | None
    error: str


_stops: WeakKeyDictionary[Function[..., Any], Stop] = WeakKeyDictionary()


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
    _stops.pop(function, None)
    if isinstance(result, Exception):
        what = f'{type(result).__name__}: {_told(result)}'
        _stops[function] = Stop(_place_of(result, function), what)
    for watched in _watchers:
        watched.setdefault(function, []).append((result, user_location()))


def stop_of(function: Function[..., Any]) -> Stop | None:
    """Where its last trace stopped; None if it did not, or if there was none."""
    return _stops.get(function)


def _told(error: Exception) -> str:
    """What an error says on one line; one of the library's own also what to write instead."""
    lines = str(error).splitlines() or ['']
    if not isinstance(error, AutographError):
        return lines[0]
    return ' '.join(line for line in lines if not line.startswith(' '))  # those are of the excerpts


def _place_of(error: Exception, function: Function[..., Any]) -> Location | None:
    """The innermost place of a function that an error came through."""
    code = get_attribute(function.python_function, '__code__')
    place = None
    for entry in traceback_entries(error.__traceback__):
        own = entry.tb_frame.f_code
        if code and (own.co_filename, own.co_name) == (code.co_filename, code.co_name):
            place = location_at(own, entry.tb_lasti, entry.tb_lineno)
    return place
