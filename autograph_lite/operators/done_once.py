"""What Python does while tracing is done once, however often the trace begins anew.

    log.write('called\\n')      # the trace reads `rows`,
    y = x * rows[-1]
    rows.append(y)             # and begins anew, now that it knows that `rows` changes

A trace that begins anew comes the same way: what it does first is what was done before.
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .anew import leave_to_python

T = TypeVar('T', bound='Ahead')


@dataclass
class _Calls:
    """The calls of the traces of one call of the user's, and how many this trace has come to.

    Attributes:
      made: what was called, and what gives its outcome.
      passed: how many of them this trace has come to.
      ahead: what the running graph does later than tracing did it, by what tells it.
    """

    made: list[tuple[Callable[..., Any], Callable[[], Any]]] = field(default_factory=list)
    passed: int = 0
    ahead: dict[Hashable, Any] = field(default_factory=dict)


class Ahead:
    """What tracing does in advance of the first run.

    Attributes:
      passed: how often this trace has come to it.
    """

    def __init__(self) -> None:
        self.passed = 0


class _Tracing(threading.local):
    calls: _Calls | None = None


_tracing = _Tracing()


@contextmanager
def done_once() -> Iterator[None]:
    """Around the traces of one call of the user's, until one of them is complete."""
    outer, _tracing.calls = _tracing.calls, _Calls()
    try:
        yield
    finally:
        _tracing.calls = outer


def from_the_start() -> None:
    """A trace begins."""
    if _tracing.calls is not None:
        _tracing.calls.passed = 0
        for each in _tracing.calls.ahead.values():
            each.passed = 0


def ahead(key: Hashable, make: Callable[[], T]) -> T:
    """What stands in all traces of this call for what tracing does in advance of the first run."""
    calls = _tracing.calls
    return make() if calls is None else calls.ahead.setdefault(key, make())


def done(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `f(*args, **kwargs)` gives or raises; a trace before this one has perhaps called it."""
    calls = _tracing.calls
    if calls is None:
        return f(*args, **kwargs)
    if calls.passed < len(calls.made) and calls.made[calls.passed][0] == f:
        outcome = calls.made[calls.passed][1]
    else:
        leave_to_python()
        del calls.made[calls.passed :]
        outcome = _outcome(f, *args, **kwargs)
        calls.made.append((f, outcome))
    calls.passed += 1
    return outcome()


def _outcome(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Callable[[], Any]:
    try:
        value = f(*args, **kwargs)
    except Exception as error:
        return _raising(error)
    return lambda: value


def _raising(error: Exception) -> Callable[[], Any]:
    def outcome() -> Any:
        raise error

    return outcome
