"""Garbage collection while trees and graphs are built."""
from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Have nothing collected meanwhile.

    Trees, graphs and tables about them are many objects, all of which are needed until the work is
    done: looking through all of them again and again takes up to a quarter of the time and finds
    nothing.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
