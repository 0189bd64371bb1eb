"""The filters that the traced function itself has put in front of Python's for warnings.

    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        y = np.nanmean(x)  # warns of nothing, when the graph runs either

Python's filters are those of all threads. What is held is the list that a manager made when this
thread entered it while tracing, and never what another thread has put in its place.
"""
from __future__ import annotations

import itertools
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# An action, what a text begins with, a class, what a module is called like, and a line.
Filter = tuple[Any, ...]


class _Held(threading.local):
    outside: Any = None  # the list in force when tracing began
    before: tuple[Filter, ...] = ()  # what there was outside of all managers
    filters: list[Filter] | None = None  # those of the innermost manager
    graph: Any = None  # in which it was entered
    entering: Any = None  # the list in force before the manager that is being entered


_held = _Held()


def begin() -> dict[str, Any]:
    """This thread begins to trace; what it held until then is for `end`."""
    held = dict(vars(_held))
    vars(_held).clear()
    _held.outside = warnings.filters
    return held


def end(held: dict[str, Any]) -> None:
    """It has traced."""
    vars(_held).clear()
    vars(_held).update(held)


def own_filters() -> tuple[Filter, ...] | None:
    """The filters that are in front in the managers that were entered; None outside of all."""
    if _held.filters is None:
        return None
    others = set(map(id, _held.before))
    return tuple(itertools.takewhile(lambda each: id(each) not in others, _held.filters))


def are_in_front() -> bool:
    """Whether nothing has changed of the other filters, as `append=True` changes them."""
    own = own_filters()
    if own is None or _held.filters is None:
        return True
    return _held.filters[len(own) :] == [each for each in _held.before if each not in own]


def are_held(graph: Any) -> bool:
    """Whether the filters in force are those of a manager that was, or is, entered in a graph."""
    if _held.entering is not None:
        return warnings.filters is not _held.entering
    return warnings.filters is _held.filters and graph is _held.graph


def are_of_another() -> bool:
    """Whether the filters in force are those of a manager that no `with` has entered."""
    return warnings.filters is not _held.outside and warnings.filters is not _held.filters


class Entering:
    """What entering a manager makes of the filters, and leaving it unmakes."""

    __slots__ = ('_before', '_outer', 'has_changed', 'lists')

    @contextmanager
    def noting(self, graph: Any) -> Iterator[None]:
        """The manager is entered inside, in a graph."""
        filters: Any = warnings.filters
        shows = _shows()
        self._before, self._outer = tuple(filters), (_held.before, _held.filters, _held.graph)
        outer, _held.entering = _held.entering, filters
        try:
            yield
        finally:
            _held.entering = outer
        self.lists, self.has_changed = _shows() is not shows, warnings.filters is not filters
        if self.has_changed:
            _held.before = self._before if _held.filters is None else _held.before
            inside: Any = warnings.filters
            _held.filters, _held.graph = inside, graph

    def own(self) -> list[Filter]:
        """The filters that were not there when it was entered."""
        known = set(map(id, self._before))
        return [each for each in _held.filters or () if id(each) not in known]

    def leave(self) -> None:
        """The manager is left."""
        _held.before, _held.filters, _held.graph = self._outer


def _shows() -> Any:
    """What is told of each warning."""
    return getattr(warnings, '_showwarnmsg_impl', None)
