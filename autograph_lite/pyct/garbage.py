"""Garbage collection while trees are built."""
from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Have nothing collected meanwhile.

    Trees and tables about them are many objects, all of which are needed until a function is
    converted: looking through all of them again and again takes up to a quarter of the time and
    finds nothing.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
