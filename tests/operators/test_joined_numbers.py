"""Python numbers that meet NumPy numbers of another dtype, turn by turn."""
from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from differential import check, joined

import autograph_lite as ag

ANY_LENGTH = [ag.TensorSpec([None], np.int64)]
INTEGERS = [([3, 1, 2],), ([],), ([-3, -1, -2],), ([0, 0],)]


def largest(xs):
    best, at = -np.inf, -1
    for i, x in enumerate(xs):
        if x > best:
            best, at = x, i
    return best, at


def by_max(xs):
    low, high = math.inf, -math.inf
    for x in xs:
        low, high = min(low, x), max(high, x)
    return low, high, high - low


def in_a_while(xs):
    best, i = float('inf'), 0
    while i < len(xs):
        if xs[i] < best:
            best = xs[i]
        i += 1
    return best


def two_largest(xs):
    first = second = -np.inf
    for x in xs:
        if x > first:
            first, second = x, first
        elif x > second:
            second = x
    return first, second


def last(xs):
    value = 0.5
    for x in xs:
        value = x
    return value


def of_a_dict(xs):
    found = {'best': 0.5}
    for x in xs:
        if x > found['best']:
            found['best'] = x
    return found


def of_an_object(xs):
    class Best:
        value = -np.inf

        def see(self, x):
            if x > self.value:
                self.value = x

    best = Best()
    for x in xs:
        best.see(x)
    return best.value


def set_back(xs):
    best = -np.inf
    for x in xs:
        if x > best:
            best = x
        elif x == 0:
            best = -np.inf
    return best


def nested(xs):
    best = 1.5
    for x in xs:
        for y in xs:
            if x + y > best:
                best = x + y
    return best


def reduced(xs):
    return functools.reduce(max, xs, -np.inf)


EACH = [
    largest, by_max, in_a_while, two_largest, last, of_a_dict, of_an_object, set_back, nested,
    reduced,
]  # fmt: skip


@pytest.mark.parametrize('f', EACH)
def test_a_python_float_and_integers(f):
    for dtype in (np.int64, np.int32):
        calls = [(np.array(xs, dtype),) for (xs,) in INTEGERS]
        check(f, *calls, traces=3, joins=True)


@pytest.mark.parametrize('f', EACH)
def test_in_one_trace(f):
    calls = [(np.array(xs, np.int64),) for (xs,) in INTEGERS]
    graph = ag.function(f, input_signature=ANY_LENGTH)
    for args in calls:
        assert joined(f(*args), graph(*args))
    assert graph.tracing_count == 1


def test_bools_and_a_python_integer():
    def largest_of_bools(xs):
        best = 0
        for x in xs:
            if x > best:
                best = x
        return best

    graph = ag.function(largest_of_bools)
    for xs in ([True, False], [False], []):
        assert graph(np.array(xs, bool)) == largest_of_bools(np.array(xs, bool))


def test_no_integer_is_rounded():
    times = np.array([2**60, 2**60 + 1, 2**60 - 1])

    def latest(xs):
        best, at = -np.inf, -1
        for i, x in enumerate(xs):
            if x > best:
                best, at = x, i
        return best, at

    def latest_or_none(xs):
        best, at = None, -1
        for i, x in enumerate(xs):
            if best is None or x > best:
                best, at = x, i
        return best, at

    for xs in (times, -times, times.astype(np.uint64)):
        with pytest.raises(ag.errors.StagingError, match='An integer beyond'):
            ag.function(latest)(xs)
        check(latest_or_none, (xs,))
    check(latest, (np.array([2**53, -(2**53)]),), joins=True)


def test_an_array_takes_in_the_one_number_and_not_the_other():
    def f(x, n):
        x += 1 if n > 0 else 2.5
        x -= n if n > 5 else 1
        return x

    check(f, *[(np.arange(3), np.int64(n)) for n in (7, 1, -1)])


def test_a_name_for_either_is_refused_with_what_to_write():
    def f(x, n):
        step = 1 if n > 0 else 2.5
        x += step
        return x

    with pytest.raises(ag.errors.StagingError, match=r'Write the `\+=` into the branches'):
        ag.function(f)(np.arange(3), np.int64(1))

    def advised(x, n):
        if n > 0:
            x += 1
        else:
            x += 2.5
        return x

    check(advised, *[(np.arange(3), np.int64(n)) for n in (1, -1)])
