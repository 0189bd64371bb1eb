"""Runs what is done to every element on blocks of the arrays, on several threads.

`AUTOGRAPH_LITE_THREADS` says on how many, when a program is made; without it blocks are not used,
since on cores that are busy with something else they are slower than NumPy on the whole array.
The threads start with the first call that needs them.
"""
from __future__ import annotations

import contextvars
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, Literal

import numpy as np

# Elements of a block: smaller ones cost more calls, larger ones leave the cache.
BLOCK = 1 << 16

Function = Callable[..., Any]


def threads() -> int:
    """On how many threads blocks run."""
    given = os.environ.get('AUTOGRAPH_LITE_THREADS', '')
    return max(int(given), 1) if given.isdigit() else 1


_pool: list[ThreadPoolExecutor] = []

if hasattr(os, 'register_at_fork'):
    # A process that forks takes no threads along.
    os.register_at_fork(after_in_child=_pool.clear)


def _helpers() -> ThreadPoolExecutor:
    if not _pool:
        _pool.append(ThreadPoolExecutor(max(threads() - 1, 1), 'autograph_lite'))
    return _pool[0]


def in_blocks(function: Function, types: Sequence[np.dtype[Any]], *args: Any) -> Any:
    """What the function gives for whole arrays, found a block at a time.

    Args:
      function: takes parts of the arrays, and the numbers; gives that part of each result.
      types: the dtypes of the results.
      args: arrays of one shape, and numbers.

    Raises:
      ValueError: the elements of an array do not follow one another in memory.
      FloatingPointError: an operation overflowed, or did what else NumPy warns of.
    """
    shapes = [x.shape for x in args if isinstance(x, np.ndarray)]
    if not all(x.flags.c_contiguous for x in args if isinstance(x, np.ndarray)):
        raise ValueError
    flat = [x.reshape(-1) if isinstance(x, np.ndarray) else x for x in args]
    results = [np.empty(shapes[0], dtype) for dtype in types]
    work = _Work(function, flat, [x.reshape(-1) for x in results])
    under: Literal['ignore', 'raise']
    under = 'ignore' if np.geterr()['under'] == 'ignore' else 'raise'
    with np.errstate(over='raise', divide='raise', invalid='raise', under=under):
        blocks = math.ceil(work.length / BLOCK)
        helpers = min(threads(), blocks) - 1
        futures = [
            _helpers().submit(contextvars.copy_context().run, work.run) for _ in range(helpers)
        ]
        try:
            work.run()
        finally:
            failures = [future.exception() for future in futures]
    for failure in failures:
        if failure is not None:
            raise failure
    return results[0] if len(results) == 1 else tuple(results)


class _Work:
    """Blocks that wait for a thread."""

    def __init__(
        self, function: Function, args: Sequence[Any], results: Sequence[np.ndarray[Any, Any]]
    ) -> None:
        self._function = function
        self._args = args
        self._results = results
        self.length = len(results[0])
        # Taking the next number is one step for the interpreter, so that no two threads share it.
        self._next: Iterator[int] = count(0, BLOCK)

    def run(self) -> None:
        """Takes blocks until there is none left."""
        while (start := next(self._next)) < self.length:
            part = slice(start, start + BLOCK)
            args = [x[part] if isinstance(x, np.ndarray) else x for x in self._args]
            found = self._function(*args)
            many = found if isinstance(found, tuple) else (found,)
            for result, block in zip(self._results, many, strict=True):
                result[part] = block
