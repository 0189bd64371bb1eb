"""Python's numbers, texts and lists of them as arrays of a dtype that is wanted."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import nest


def goes_to(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Whether values of one dtype may be taken to another: no text is cut, no kind is lost."""
    if given.kind in 'SU' and wanted.itemsize:
        return np.can_cast(given, wanted, 'safe')
    return np.can_cast(given, wanted, 'same_kind')


def as_dtype(value: Any, dtype: np.dtype[Any]) -> Any:
    """An array of the dtype where NumPy takes the values to it; else of the dtype they have.

    Raises:
      OverflowError: an integer is out of the dtype's bounds; NumPy's own for one of Python's.
    """
    array = np.asarray(value)
    # NumPy itself refuses those integers that the dtype does not hold.
    are_integers = array.dtype.kind in 'iu' and dtype.kind in 'iu'
    if not (are_integers or goes_to(array.dtype, dtype)):
        return array
    taken = np.array(value, dtype)
    if are_integers and not np.array_equal(taken, array):
        # Those of NumPy's own would wrap.
        raise OverflowError(f'{value!r} is out of bounds for {dtype}')
    return taken


def number_as(x: Any, dtype: np.dtype[Any]) -> Any:
    """One of Python's numbers as one of the dtype where NumPy takes it to it; else itself."""
    if type(x) not in (bool, int, float, complex):
        return x
    are_integers = type(x) is int and dtype.kind in 'iu'
    return dtype.type(x) if are_integers or goes_to(np.asarray(x).dtype, dtype) else x


def check_bounds(value: list[Any] | tuple[Any, ...], dtype: np.dtype[Any]) -> None:
    """Refuses a list with an integer of Python's that the dtype does not hold.

    Raises:
      OverflowError: there is one; NumPy's own.
    """
    if dtype.kind in 'iu':
        for leaf in nest.flatten(value)[0]:
            if type(leaf) is int:
                np.array(leaf, dtype)
