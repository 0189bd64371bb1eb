"""Recursion over trees that are deeper than Python's recursion limit.

A chain of 500 `elif`s or a sum of 1,000 terms is an ordinary program, but its tree is that deep.
"""
from __future__ import annotations

import contextvars
import functools
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec('P')
R = TypeVar('R')

DEPTH = 200_000
STACK_BYTES = 512 * 1024 * 1024  # reserved by the system, used only as far as the recursion goes

_one_at_a_time = threading.RLock()
_limits: list[int] = []  # those that are exceeded now, the user's own first


def deeply(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function that may recurse deeply.

    It is called as usual first; only if that exceeds the recursion limit is it called again, from
    the start, in a thread with a large stack. So it must have no effect before it is done.
    """
    if is_on_a_large_stack():
        return function(*args, **kwargs)
    # The limit is that of all threads: Python ends where another one lowers it too early.
    with _one_at_a_time:
        try:
            return function(*args, **kwargs)
        except RecursionError:
            return on_a_large_stack(functools.partial(function, *args, **kwargs))


def is_on_a_large_stack() -> bool:
    """Whether this is the thread with a large stack, where there is no more to be had."""
    return threading.current_thread().name == __name__


def users_limit() -> int:
    """The recursion limit that the user's functions have in plain Python."""
    return next(iter(_limits), None) or sys.getrecursionlimit()


def on_a_large_stack(function: Callable[[], R], depth: int = DEPTH) -> R:
    """Call a function in a thread with a large stack, and this recursion limit."""
    with _one_at_a_time:
        return _in_a_thread(function, depth)


def _in_a_thread(function: Callable[[], R], depth: int) -> R:
    context = contextvars.copy_context()
    outcome: list[R] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(context.run(function))
        except BaseException as error:
            failure.append(error)

    limit, stack = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
    _limits.append(limit)
    sys.setrecursionlimit(max(limit, depth))
    try:
        thread = threading.Thread(target=run, name=__name__)
        thread.start()
        threading.stack_size(stack)
        thread.join()
    finally:
        sys.setrecursionlimit(_limits.pop())
    if failure:
        raise failure[0]
    return outcome[0]
