"""Fractions, decimals and spans of time beside what only the running graph knows.

Their classes calculate in Python, with a number that is there.
"""
from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..errors import StagingError, describe, kind_of, user_location
from ..graph.tensor import Tensor

_FIXES = {
    'timedelta': 'Reckon with its seconds, `t.total_seconds()`, and make a timedelta of the result '
    'outside the function.',
    'datetime': 'Reckon with its seconds, `t.timestamp()`.',
}
_EQUALITIES = ('==', '!=')


def check_known(symbol: str, *operands: Any) -> None:
    """No operand of an operator needs Python to know the other one.

    Raises:
      StagingError: one does, such as a Fraction, and the other one is a tensor.
    """
    for x in operands:
        kind = type(x)
        is_number = issubclass(kind, numbers.Number) and not issubclass(
            kind, np.generic | int | float | complex)
        if not is_number and (kind.__name__ not in _FIXES or kind.__module__ != 'datetime'):
            continue
        is_other = symbol in _EQUALITIES and not is_number  # which equals no number
        if is_other or not any(map(_is_number, operands)):
            continue
        what = f'`{symbol}` of {kind_of(x)} needs a number that only the running graph knows.'
        fix = _FIXES.get(kind.__name__) or f'Make a float of the {kind.__name__}: `float(...)`.'
        raise StagingError(describe(what, user_location(), fix))


def _is_number(x: Any) -> bool:
    """Whether only the running graph knows it, and it is no time, which NumPy calculates with."""
    return isinstance(x, Tensor) and x.type.present.dtype.kind not in 'mM'
