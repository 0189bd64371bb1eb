"""Two arrays that trade places where the running graph decides it surely are two."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2, 5, -3])
CALLS = [(X, np.float64(1.0)), (X, np.float64(-9.0)), (X, np.float64(9.0))]


def swapped_in_a_branch(xs, limit):
    x, y = xs.copy(), xs * 2
    for v in xs:
        if v > limit:
            x, y = y, x
        x[0] = v
    return x, y


def left_before_the_swap(xs, limit):
    x, y = xs.copy(), xs * 2
    for v in xs:
        x[0] = v
        if v > limit:
            break
        x, y = y, x
    return x, y


def returned_before_the_swap(xs, limit):
    x, y = xs.copy(), xs * 2
    for v in xs:
        y[:] = x * 2 + v
        if v > limit:
            return y
        x, y = y, x
    return x


def modified_after_the_loop(xs, limit):
    x, y = xs.copy(), xs * 2
    for v in xs:
        y[1:] = x[1:] + v
        x, y = y, x
        if v > limit:
            break
    x[0] = 7
    return x, y


def in_two_loops(xs, limit):
    x, y = xs.copy(), xs * 2
    for v in xs:
        for w in xs:
            y[1:] = x[1:] * w
            x, y = y, x
        if v > limit:
            x, y = y, x
    return x, y


@pytest.mark.parametrize('f', [
    swapped_in_a_branch, left_before_the_swap, returned_before_the_swap, modified_after_the_loop,
    in_two_loops])
def test_arrays_trade_places(f):
    check(f, *CALLS)


def test_one_of_which_the_other_is_made_may_be_the_same():
    def f(xs, limit):
        x, y = xs.copy(), xs * 2
        for v in xs:
            x[0] = v
            if v > limit:
                y = x
        return x, y

    with pytest.raises(ag.errors.OwnershipError, match='y and x may be one array'):
        ag.function(f)(*CALLS[0])
