"""A trace that has read as it was what it is found to change begins anew, and knows that then.

    for cell in cells:
        total = sum(cell.log)       # read as it is, of each cell
        cell.log.append(total)      # and changed after that

What it makes is thrown away, but it goes on for a while: one trace finds what many would have to.
"""
from __future__ import annotations

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

# A trace goes on for as many ways again as it has taken by then, so that all of them together take
# no more than a few times as many as the last; so many it takes in any case.
_WAYS = 64


class TracedAnew(BaseException):
    """A trace begins anew, knowing that it sets attributes or items that it has read.

    Attributes:
      places: which ones.
    """

    def __init__(self, *places: Hashable) -> None:
        super().__init__()
        self.places = places


class _Found:
    """What one trace is to begin anew for.

    Attributes:
      places: what it has to know then.
      taken: how many branches and turns of loops it has traced.
      most: with how many it ends, once there are places.
      may_go_on: whether Python has done nothing so far that it would do once more.
    """

    def __init__(self) -> None:
        self.places: dict[Hashable, None] = {}
        self.taken = 0
        self.most = 0
        self.may_go_on = True


class _Tracing(threading.local):
    found: _Found | None = None


_tracing = _Tracing()


@contextmanager
def may_begin_anew() -> Iterator[None]:
    """Around a trace that may begin anew."""
    outer, _tracing.found = _tracing.found, _Found()
    try:
        yield
    finally:
        _tracing.found = outer


def note_late(*places: Hashable) -> None:
    """The trace is to begin anew, knowing these places; by then it may find more.

    Raises:
      TracedAnew: it begins anew at once.
    """
    found = _tracing.found
    if found is None or not found.may_go_on:
        raise TracedAnew(*places)
    if not found.places:
        found.most = 2 * found.taken + _WAYS
    found.places.update(dict.fromkeys(places))


def begin_anew(ended_by: BaseException | None = None) -> None:
    """A trace that is to begin anew goes on no longer.

    Args:
      ended_by: what has ended it, which comes perhaps of what it had read.

    Raises:
      TracedAnew: it is.
    """
    found = _tracing.found
    if found is not None and found.places:
        more = ended_by.places if isinstance(ended_by, TracedAnew) else ()
        raise TracedAnew(*found.places, *more) from None


def is_in_vain() -> bool:
    """Whether what is traced here is thrown away."""
    return _tracing.found is not None and bool(_tracing.found.places)


def take_way() -> None:
    """A branch or a turn of a loop is traced.

    Raises:
      TracedAnew: the trace is to begin anew, and has gone on for long enough.
    """
    found = _tracing.found
    if found is not None:
        found.taken += 1
        if found.taken > found.most:
            begin_anew()


def leave_to_python() -> None:
    """Python is about to do what it would do once more in a trace that begins anew.

    Raises:
      TracedAnew: the trace is to begin anew.
    """
    begin_anew()
    if _tracing.found is not None:
        _tracing.found.may_go_on = False
