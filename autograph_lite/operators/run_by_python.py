"""Code of the user's that Python runs as it is while a function is traced: before it, and after.

Such code is a generator, that of a context manager too, or what is marked not to be converted.
"""
from __future__ import annotations

from .arrays_read import check_arrays_of_block, note_arrays_read
from .drawn_by_python import check_drawn, note_generators
from .refused import check_refusals
from .set_by_python import tell_what_python_set


def goes_on() -> None:
    """Such code perhaps goes on."""
    note_arrays_read()
    note_generators()


def has_run() -> None:
    """It has run, up to here.

    Raises:
      AutographError: it was refused something, and went on without; it drew random numbers where
        the graph draws some; or it changed an array in a staged block.
    """
    check_refusals()
    check_drawn()
    check_arrays_of_block()
    tell_what_python_set()
