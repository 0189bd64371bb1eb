"""Recursion over trees that are deeper than Python's recursion limit.

A chain of 500 `elif`s or a sum of 1,000 terms is an ordinary program, but its tree is that deep.
"""
from __future__ import annotations

import contextvars
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec('P')
R = TypeVar('R')

DEPTH = 200_000
STACK_BYTES = 512 * 1024 * 1024  # reserved by the system, used only as far as the recursion goes

_one_at_a_time = threading.RLock()


def deeply(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """Call a function that may recurse deeply.

    It is called as usual first; only if that exceeds the recursion limit is it called again, from
    the start, in a thread with a large stack. So it must have no effect before it is done.
    """
    try:
        return function(*args, **kwargs)
    except RecursionError:
        if threading.current_thread().name == __name__:
            raise  # this is the large stack already
    context = contextvars.copy_context()
    outcome: list[R] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(context.run(function, *args, **kwargs))
        except BaseException as error:
            failure.append(error)

    with _one_at_a_time:  # the limit and the stack size are settings of the whole process
        limit, stack = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
        sys.setrecursionlimit(max(limit, DEPTH))
        try:
            thread = threading.Thread(target=run, name=__name__)
            thread.start()
            threading.stack_size(stack)
            thread.join()
        finally:
            sys.setrecursionlimit(limit)
    if failure:
        raise failure[0]
    return outcome[0]
