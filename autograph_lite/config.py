"""Switches that change how every `ag.function` runs."""
from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, ClassVar


class _Thread(threading.local):
    """How many blocks this thread is inside that run functions as plain Python."""

    plain = 0


_thread = _Thread()
_everywhere = {'eager': False, 'numerics': False}
# How many threads trace, and how many blocks of plain Python they are inside.
_counts = {'tracing': 0, 'plain': 0}
_lock = threading.Lock()
# One list that is empty as long as every function runs as usual: the fast path looks only here.
unusual: list[str] = []


def _set(switch: str, on: bool) -> None:
    with _lock:
        _everywhere[switch] = on
        _update()


def _count(what: str, step: int) -> None:
    with _lock:
        _counts[what] += step
        _update()


def _update() -> None:
    on = [name for name, is_on in _everywhere.items() if is_on]
    unusual[:] = on + [name for name, count in _counts.items() if count]


def tracing(on: bool) -> None:
    """A thread begins to trace, or has ended."""
    _count('tracing', 1 if on else -1)


class run_functions_eagerly:
    """Makes every `ag.function` run as plain Python, for a debugger or a comparison.

    A call switches it for the whole process; as a context manager it switches it back at the end.

        ag.config.run_functions_eagerly(True)

        with ag.config.run_functions_eagerly(True):
            f(x)
    """

    def __init__(self, run_eagerly: bool = True) -> None:
        self._on = bool(run_eagerly)
        self._is_block = False
        self._thread = threading.get_ident()
        with _lock:
            # A later call replaces the calls of this thread that were no blocks.
            calls = [s for s in _settings if s._thread == self._thread and not s._is_block]
            _settings[:] = [s for s in _settings if s not in calls[:-1]]
        self._set(True)

    def __enter__(self) -> None:
        self._is_block = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._set(False)

    def _set(self, holds: bool) -> None:
        """The last setting that holds counts: blocks of other threads may end in any order."""
        with _lock:
            _settings.append(self) if holds else _settings.remove(self)
            _everywhere['eager'] = bool(_settings) and _settings[-1]._on
            _update()


# The blocks that run and the last calls of each thread, in the order in which they were made.
_settings: list[run_functions_eagerly] = []


def functions_run_eagerly() -> bool:
    """Whether an `ag.function` that is called now runs as plain Python."""
    return _everywhere['eager'] or _thread.plain > 0


def check_numerics(on: bool) -> None:
    """Whether graphs check the numbers that they make; see `ag.debugging`."""
    _set('numerics', on)


def numerics_are_checked() -> bool:
    """Whether graphs check the numbers that they make now."""
    return _everywhere['numerics']


class plain_python:
    """Inside, this thread runs every `ag.function` as plain Python; other threads go on."""

    def __enter__(self) -> None:
        self._step(1)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._step(-1)

    @staticmethod
    def _step(step: int) -> None:
        _thread.plain += step
        _count('plain', step)


class Displayed:
    """What a notebook displays as its report.

    Attributes:
      render: makes the HTML; the package sets it, because reports are its last layer.
    """

    render: ClassVar[Callable[[Any], str]]

    def _repr_html_(self) -> str:
        return Displayed.render(self)
