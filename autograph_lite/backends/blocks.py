"""Runs what is done to every element on blocks of the arrays, with a helping thread a core.

The calling thread does the first block, and asks for help if the others will take long. It takes
blocks, too, and never waits long: what a helper has begun and does not
end, because its core is busy with something else, is done once more. `AUTOGRAPH_LITE_THREADS` says
how many threads work at a time; 1 is the calling one alone. Helpers start with the first call that
needs them.
"""
from __future__ import annotations

import contextvars
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..optimize.elementwise_blocks import BLOCK

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

# Seconds of work; less is done before another thread has begun.
_LEAST_SHARED = 2e-3


def helpers() -> int:
    """How many threads may help: as many as cores are idle, unless told."""
    given = os.environ.get('AUTOGRAPH_LITE_THREADS', '')
    if given.isdigit():
        return max(int(given) - 1, 0)
    try:
        cores = len(os.sched_getaffinity(0))
        with open('/proc/loadavg') as file:
            running = int(file.read().split()[3].partition('/')[0])
    except (AttributeError, OSError):  # not on every platform
        cores, running = os.cpu_count() or 1, 1
    return max(cores - max(running, 1), 0)


_pool: list[ThreadPoolExecutor] = []

if hasattr(os, 'register_at_fork'):
    # A process that forks takes no threads along.
    os.register_at_fork(after_in_child=_pool.clear)


def _threads() -> ThreadPoolExecutor:
    if not _pool:
        from concurrent.futures import ThreadPoolExecutor  # which takes long to import

        _pool.append(ThreadPoolExecutor(os.cpu_count() or 1, 'autograph_lite'))
    return _pool[0]


def _wait(futures: Sequence[Future[None]], seconds: float) -> None:
    from concurrent.futures import wait

    wait(futures, seconds)


def in_blocks(
    function: Function,
    *args: Any,
    results: Sequence[np.dtype[Any]],
    scratch: Sequence[np.dtype[Any]] = (),
) -> Any:
    """What the function gives for whole arrays, found a block at a time.

    Args:
      function: takes parts of the arrays, the numbers, the parts of the results to write to, and
        memory of its own.
      args: arrays of one shape, and numbers.
      results: the dtypes of the results.
      scratch: the dtypes of the memory.

    Raises:
      ValueError: the elements of an array do not follow one another in memory.
      FloatingPointError: an operation overflowed, or did what else NumPy warns of.
    """
    shapes = [x.shape for x in args if isinstance(x, np.ndarray)]
    if not all(x.flags.c_contiguous for x in args if isinstance(x, np.ndarray)):
        raise ValueError
    flat = [x.reshape(-1) if isinstance(x, np.ndarray) else x for x in args]
    made = [np.empty(shapes[0], dtype) for dtype in results]
    work = _Work(function, flat, [x.reshape(-1) for x in made], scratch)
    under: Literal['ignore', 'raise']
    under = 'ignore' if np.geterr()['under'] == 'ignore' else 'raise'
    with np.errstate(over='raise', divide='raise', invalid='raise', under=under):
        work.run()
    return made[0] if len(made) == 1 else tuple(made)


class _Work:
    """Blocks that wait for a thread."""

    def __init__(
        self,
        function: Function,
        args: Sequence[Any],
        results: Sequence[Array],
        scratch: Sequence[np.dtype[Any]],
    ) -> None:
        self._function = function
        self._args = args
        self._results = results
        self._scratch = scratch
        self._length = len(results[0])
        self.blocks = math.ceil(self._length / BLOCK)
        # Taking the next number is one step for the interpreter, so that no two threads share it.
        self._next: Iterator[int] = count(0, BLOCK)
        self._lock = threading.Lock()
        self._begun: set[int] = set()
        self._is_closed = False

    def run(self) -> None:
        """Does all blocks, with threads to help where it takes long.

        Raises:
          FloatingPointError: an operation overflowed, or did what else NumPy warns of.
        """
        scratch = self._own(self._scratch)
        try:
            slowest = self._run_here(scratch, 1)
            left = self.blocks - 1
            if left * slowest > _LEAST_SHARED:
                self._share(scratch, min(helpers(), left), slowest)
            else:
                self._run_here(scratch, left)
        finally:
            # From here on the results are the user's.
            with self._lock:
                self._is_closed = True

    def _share(self, scratch: Sequence[Array], helpers: int, slowest: float) -> None:
        """Does what is left, with so many threads to help."""

        futures = [
            _threads().submit(contextvars.copy_context().run, self._help) for _ in range(helpers)
        ]
        slowest = max(slowest, self._run_here(scratch, self.blocks))
        for future in futures:
            future.cancel()
        _wait(futures, slowest)
        with self._lock:
            begun = list(self._begun)
        for start in begun:
            self._do(start, self._results_at(start), scratch)

    def _run_here(self, scratch: Sequence[Array], most: int) -> float:
        """Takes so many blocks, or all that are left; the longest time that one took."""
        slowest = 0.0
        for start in islice(self._next, most):
            if start >= self._length:
                break
            before = time.perf_counter()
            self._do(start, self._results_at(start), scratch)
            slowest = max(slowest, time.perf_counter() - before)
        return slowest

    def _help(self) -> None:
        """Takes blocks, too; what comes out goes to the results unless they are done without."""
        scratch = self._own(self._scratch)
        own = self._own([result.dtype for result in self._results])
        while (start := self._begin()) < self._length:
            places = self._results_at(start)
            found = [part[: len(place)] for part, place in zip(own, places, strict=True)]
            # What raises here is left to the calling thread, where it raises once more.
            self._do(start, found, scratch)
            with self._lock:
                if self._is_closed:
                    break
                for place, part in zip(places, found, strict=True):
                    place[:] = part
                self._begun.discard(start)

    def _begin(self) -> int:
        """Takes a block so that the calling thread knows."""
        with self._lock:
            start = next(self._next)
            if start < self._length:
                self._begun.add(start)
        return start

    def _results_at(self, start: int) -> list[Array]:
        return [result[start : start + BLOCK] for result in self._results]

    def _own(self, dtypes: Sequence[np.dtype[Any]]) -> list[Array]:
        return [np.empty(min(BLOCK, self._length), dtype) for dtype in dtypes]

    def _do(self, start: int, outs: Sequence[Array], scratch: Sequence[Array]) -> None:
        part = slice(start, start + BLOCK)
        args = [x[part] if isinstance(x, np.ndarray) else x for x in self._args]
        own = [x[: len(outs[0])] for x in scratch]
        self._function(*args, *outs, *own)
