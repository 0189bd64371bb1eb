"""A function that gives another number at each call, which nothing in it tells."""
from __future__ import annotations

import ctypes

import autograph_lite as ag

# Whoever looks for what a call changes does not look in here.
_last, _step = ctypes.c_double(), ctypes.c_double()


def start(first: float = 2.0, step: float = 1.0) -> None:
    """The next call gives the first number, and each one after it that much more."""
    _last.value, _step.value = first - step, step


@ag.do_not_convert
def impure() -> float:
    """The next number; a graph keeps the one that it is traced with."""
    _last.value += _step.value
    return _last.value
