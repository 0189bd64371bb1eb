"""Fractions, decimals and spans of time beside what only the running graph knows."""
from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64
HALF = Fraction(1, 2)


@pytest.mark.parametrize('f', [
    lambda x: x * HALF, lambda x: HALF - x, lambda x: x < HALF, lambda x: Decimal('1.5') == x,
    lambda x: int(x) == Fraction(2), lambda x: int(x) in [HALF, Fraction(2)],
    lambda x: divmod(x, HALF), lambda x: pow(x, HALF), lambda x: sum([HALF, x]),
    lambda x: timedelta(hours=1) * x, lambda x: x < datetime(2000, 1, 1),
    lambda x: timedelta(hours=x),
])  # fmt: skip
def test_what_calculates_in_python_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match='only the running graph knows'):
        ag.function(f)(F(2))


def test_what_to_write_instead():
    def f(x):
        return (
            x * float(HALF), x < float(Decimal('1.5')), int(x) == float(Fraction(2)),
            x * timedelta(hours=1).total_seconds())

    check(f, (F(2),), (F(-1.5),))


def test_what_equals_no_number():
    check(lambda x: (float(x) == timedelta(1), int(x) != datetime(2000, 1, 1)), (F(2),))
