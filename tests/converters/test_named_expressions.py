"""`:=` in operands that may not be evaluated."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

NUMBERS = [(np.float64(a), np.float64(b)) for a in (-1.0, 1.0) for b in (-3.0, 0.5, 3.0)]


def doubled(x):
    return x * 2


def or_binds(a, x):
    y = x
    if a > 0 or (y := doubled(x)) > 2:
        return y
    return -y


def and_binds(a, x):
    if a > 0 and x > 0 and (y := doubled(x)) > 2:
        return y
    elif a < 0 and (y := x) < 0:
        return y - 1
    return x


def bound_perhaps(a, x):
    if a > 0 or (y := doubled(x)) > 2:
        z = x
    else:
        z = y
    return z


def conditional(a, x):
    y = a
    z = (y := x * 2) if x > 0 else a
    return z + y


def given_back(a, x):
    y = x
    return a > 0 and (y := x * 2) > 0 and y > x


def in_a_loop(a, x):
    y = x
    while not (a > 9 or (y := y + 1) > 4):
        a = a + y
    return a, y


@pytest.mark.parametrize('f', [
    or_binds, and_binds, bound_perhaps, conditional, given_back, in_a_loop])
def test_same_as_python(f):
    check(f, *NUMBERS)


def test_refused():
    @ag.function
    def f(a, x):
        y = x
        return np.sin(x if a > 0 or (y := x * 2) > 2 else a) + y

    with pytest.raises(ag.errors.StagingError, match=r':=`.*(?s:.*)test_named_expressions\.py'):
        f(np.float64(1), np.float64(1))


def test_a_name_without_a_value():
    @ag.function
    def f(a, x):
        if a > 0 or (y := doubled(x)) > 2:
            return y
        return x

    with pytest.raises(ag.errors.UnboundError, match=r"'y' .*(?s:.*)test_named_expressions\.py"):
        f(np.float64(1), np.float64(1))
