"""`sorted`, `min` and `max` by keys, of tuples, and of what only the running graph knows."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X, Y = np.array([1.0, 5.0, 2.0, 5.0]), np.array([3.0, 1.0, 2.0, 1.0])
CALLS = [(X, Y), (Y, X), (-X, X)]


def test_the_best_index():
    def best(x, y):
        return max(range(len(x)), key=lambda i: x[i]), min([3, 1, 2], key=lambda i: y[i])

    check(best, *CALLS)


def test_names_by_their_values():
    def best(x, y):
        names = ['a', 'b', 'c', 'd']
        values = dict(zip(names, [x[0], x[1], x[2], x[3]], strict=True))
        return max(values, key=values.get), sorted(names, key=lambda n: values[n], reverse=True)

    check(best, *CALLS)


def test_stable_orders():
    def order(x, y):
        indices = range(len(x))
        return (
            sorted(indices, key=lambda i: x[i]),
            sorted(indices, key=lambda i: x[i], reverse=True),
            sorted(indices, key=lambda i: (y[i], -x[i])),
            sorted(indices, key=lambda i: (y[i], i), reverse=True),
            sorted([x[0], x[2], y[0]]),
            sorted(x, key=lambda v: abs(v - 2)),
        )

    check(order, *CALLS)


def test_tuples():
    def extremes(x, y):
        pairs = [(x[i], i) for i in range(3)]
        return max(pairs), min(pairs), sorted(pairs), max(zip(x, y)), min(enumerate(x), key=second)

    def second(pair):
        return pair[1]

    check(extremes, *CALLS)


def test_rows_and_default():
    def largest(x):
        rows = max(x, key=lambda row: row.sum())
        return rows, max([row.sum() for row in x], default=-1.0)

    check(largest, (np.array([[1.0, 5.0], [2.0, 2.0]]),))


def test_of_any_length():
    def best(n, x, y):
        found = [x[i] * 2 for i in range(n)]
        return (
            max(found, default=y), min(found, key=lambda v: -v, default=y),
            max(range(n), key=lambda i: x[i], default=0),
        )

    check(best, *((np.int64(n), X, np.float64(-1)) for n in (3, 1, 0)))


def test_nothing_is_an_error():
    @ag.function
    def f(n, x):
        return max(zip(range(n), x))[0]

    assert f(np.int64(2), X) == 1
    with pytest.raises(ValueError, match='empty'):
        f(np.int64(0), X)


def test_keys_of_python_stay_with_python():
    calls = []

    def length(name):
        calls.append(name)
        return len(name)

    @ag.function
    def f(x):
        return x, sorted(['aaa', 'b', 'cc'], key=length), max('a', 'bb', key=length)

    assert f(X)[1:] == (['b', 'cc', 'aaa'], 'bb')
    assert calls == ['aaa', 'b', 'cc', 'a', 'bb']
