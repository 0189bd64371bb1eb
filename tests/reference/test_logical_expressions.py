"""`and`, `or`, `not` and comparisons: they give their operands, and evaluate what they need."""
from __future__ import annotations

import numpy as np
import pytest
from reference.sweep import COUNTERS, FLOATS, NUMBERS, TRUTHS, each, sweep


def ors(x, y, z):
    return x or y or z


def ands(x, y, z):
    return x and y and z


def mixed(x, y, z):
    return x or (y and z) or (not x and z)


def negated(x, y, z):
    return not (x and not y) or not z


def with_a_call(x, y, z):
    last = lambda: z  # noqa: E731 - as users write it
    return x or y or last()


def as_a_condition(x, y, z):
    if x and (y or z):
        return 1
    elif not x or y:
        return 2
    return 3


def in_a_loop(x, y, z):
    n = 0
    while n < 4 and (x or y) and not (n > 1 and z):
        n += 1
    return n


@pytest.mark.parametrize(
    'f', [ors, ands, mixed, negated, with_a_call, as_a_condition, in_a_loop]
)
def test_truths(f):
    sweep(f, *[each((bool, np.bool_, np.array), [True, False])] * 3, joins=True)


@pytest.mark.parametrize('f', [ors, ands, mixed, negated, as_a_condition])
def test_operands_of_one_type(f):
    for form in (*NUMBERS, *FLOATS):
        sweep(f, *[each([form], [0, 1, 3])] * 3)


def ordered(x, y, z):
    return x < y and y < z


def chained(x, y, z):
    return x < y < z


def long_chain(x, y, z):
    return x <= y == z != x >= 2 > z


def equal(x, y, z):
    return x == y == z, x != y, (x == z) == (y == z)


def identical(x, y, z):
    return x is None or (y is not None and z is z)


@pytest.mark.parametrize('f', [ordered, chained, long_chain, equal, identical])
def test_comparisons(f):
    for form in NUMBERS:
        sweep(f, *[each([form], [1, 2, 3])] * 3, joins=True)
    mixed_numbers = each((int, np.int32), [1, 2]), each((np.int64, np.array), [1, 2])
    sweep(f, *mixed_numbers, [1, np.int64(2)], joins=True)


def counted_chain(x):
    calls = []

    def middle(y):
        calls.append('middle')
        return y

    inside = 0 < middle(x) < 3
    return inside, calls


def counted_or(x):
    calls = 0

    def second(y):
        nonlocal calls
        calls += 1
        return y > 1

    either = x > 2 or second(x)
    return either, calls


def test_operands_are_evaluated_once_or_not_at_all():
    sweep(counted_chain, each((*NUMBERS, *TRUTHS), [0, 2, 3]))
    sweep(counted_or, [0, 2, 3])


def of_arrays(x, y):
    return ((x > 0) & (y > 0)) | (~(x > y) ^ (y == 1))


def test_elementwise():
    a = np.array([0, 1, 2])
    sweep(of_arrays, [a, a[::-1], 1, np.int64(2)], [a, -a, np.int64(1)])


def safe_division(x, y):
    return y != 0 and x / y > 1


def safe_item(xs, i):
    while i < len(xs) and xs[i] > 0:
        i += 1
    return i


def test_what_stands_behind_a_condition_is_not_evaluated():
    sweep(safe_division, each((int, float), [1, 2, 3]), each((int, float), [0, 1]))
    sweep(safe_item, [np.array([1, 2, 0, 3]), np.array([1, 1]), [1, 2]], each(COUNTERS, [0, 1, 2]))
