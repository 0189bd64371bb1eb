"""Conditions whose operands have nothing in common but that they are true or false."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

K = np.array([1, 0, 2])
X = np.array([1.0, -1.0, 3.0])
CALLS = [(K, X), (np.zeros(3, int), X), (K, np.zeros(3))]


def test_an_integer_and_a_comparison():
    def count(k, x):
        n = 0
        for a, b in zip(k, x):
            if (a and b < 0) or not (b and a):
                n += 1
        return n

    check(count, *CALLS)


def test_in_every_place_that_asks():
    def ask(k, x):
        i = 0
        while i < len(k) and k[i]:
            i += 1
        assert len(k) == 3 or k[0], 'never'
        return i, 'x' if False else np.sum([1 if a and b > 1 else 0 for a, b in zip(k, x)])

    check(ask, *CALLS)


def test_lists_and_missing_values():
    def largest(k, x):
        best = None
        out = []
        for v in x:
            if v:
                out.append(v)
            if out and v > 0 and (best is None or v > best):
                best = v
        if best and len(out) > 1:
            return best * 2
        return best

    check(largest, *CALLS)


def test_as_a_value_they_need_a_common_type():
    @ag.function
    def f(x):
        return x and x > 1

    with pytest.raises(ag.errors.StagingError, match='bool against float64'):
        f(np.float64(2))


def drops_small(xs):
    out = []
    for x in xs:
        out.append(x)
        if x < 2 and out:
            out.pop()
    return len(out)


def while_both(xs, n):
    out = []
    for x in xs:
        out.append(x)
    while n > 0 and out:
        out.pop()
        n -= 1
    return len(out), 1 if xs[0] > 5 or out else 2


def with_python_values(x, table):
    return 1 if x > 0 and table else 2


def test_a_list_as_an_operand():
    check(drops_small, (np.array([1.0, 2.0, 3.0]),), (np.array([3.0, 1.0, 0.0]),))
    xs = np.array([1.0, 2.0, 3.0])
    check(while_both, (xs, np.int64(2)), (xs, np.int64(5)))
    for table in {}, {'a': 1}:
        check(with_python_values, (np.float64(1), table), (np.float64(-1), table))


def in_any_and_all(k, x):
    one = any(a and b > 1 for a, b in zip(k, x)), all([a or b < 0 for a, b in zip(k, x)])
    return one, any([k[0] and x[0] > 1, x[1] < 0 or k[1]]), all((k[0] or x[0] > 1, k[2] > 0))


def in_filter(k, x):
    return list(filter(lambda a: a and x[0] > 0, k))


@pytest.mark.parametrize('f', [in_any_and_all, in_filter])
def test_builtins_that_ask(f):
    check(f, *CALLS)
