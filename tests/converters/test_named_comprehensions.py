"""Comprehensions that bind names by `:=`."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [
    (np.float64(3.0), np.array([1.0, -2.0, 3.0, 0.5])),
    (np.float64(-1.0), np.array([-1.0, -2.0, 0.0, 5.0])),
    (np.float64(0.5), np.array([2.0, 2.0, 9.0, -4.0])),
]


def condition_of_a_list(x, xs):
    e = x
    found = [(y, e) for e in xs if (y := e * 2) > x and y < 10]
    return found, e


def running_total(x, xs):
    last = x
    found = [last for e in xs if (last := last + e) > 1]
    return found, last


def nested_with_conditions(x, xs):
    rows = xs.reshape(2, 2)
    return [t * u for row in rows if (t := row.sum()) > 0 for e in row if not (u := e + t) > 4]


def sums_and_others(x, xs):
    x += sum(y for e in xs if (y := e) > 0)
    rest = [z for e in xs if not (z := e) > 0]
    return x - max((q := e) for e in xs), rest, q


def first_that_is_found(x, xs):
    if x > 0 and any((y := e) > 2 for e in xs):
        return y
    elif all((y := e) < 4 for e in xs):
        return y * 2
    return x


def in_a_loop(x, xs):
    for e in xs:
        if any((y := e * f) > 5 for f in xs):
            return e, y
        x = x + e
    return x, x


def in_a_nested_function(x, xs):
    def positive(values):
        return [y for e in values if (y := e - x) > 0]

    return positive(xs)


@pytest.mark.parametrize('f', [
    condition_of_a_list, running_total, nested_with_conditions, sums_and_others,
    first_that_is_found, in_a_loop, in_a_nested_function,
])  # fmt: skip
def test_comprehension(f):
    check(f, *CALLS)


def test_what_is_read_before_stays_what_it_was():
    def f(x, xs):
        y = x
        return y + sum(y for e in xs if (y := e * 2) > x)

    with pytest.raises(ag.errors.StagingError, match='The condition is a tensor'):
        ag.function(f)(*CALLS[0])


def test_a_search_that_binds_a_name_in_the_test_of_a_loop():
    def f(x, xs):
        while any((y := e) > x for e in xs):
            x = x + y + 1
        return x

    with pytest.raises(ag.errors.StagingError, match='How many elements `any` asks for'):
        ag.function(f)(*CALLS[0])
