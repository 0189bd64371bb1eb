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


def returned_from_the_test(x, limit):
    while True:
        if (y := x * 2) > limit:
            return y
        x = y


def returned_from_two(x, limit):
    while True:
        if (y := x * 2) > (z := limit - 1):
            return y, z, x
        x = y + 1


def test_what_a_test_binds_is_returned_from_an_endless_loop():
    for f in (returned_from_the_test, returned_from_two):
        check(f, (np.float64(1), np.float64(20)), (np.float64(1), np.float64(1)))


def test_a_loop_that_ends_where_what_it_names_is_none():
    def f(xs):
        i, total = 0, np.float64(0)
        while (v := xs[i] if i < len(xs) else None) is not None:
            total += v
            i += 1
        return total, v

    def g(x):
        def halved(y):
            return y / 2 if y > 1 else 0.0

        n = 0
        while halved(y := x - n):
            n += 1
            if n > 3:
                break
        return n, y

    check(f, (np.ones(3),), (np.zeros(0),), traces=2)
    check(g, *((np.float64(v),) for v in (0.0, 2.5, 9.0)))
