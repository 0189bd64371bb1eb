"""`sum`, `functools.reduce` and arrays of lists of rows, of what only the running graph counts."""
from __future__ import annotations

import functools
import operator

import numpy as np
import pytest
from differential import check, same
from sweep import differences

import autograph_lite as ag

X = np.array([3.0, -1, 2, 0])


def reduced(x):
    return (
        functools.reduce(lambda a, b: a * b if b else a, x), functools.reduce(operator.add, x, 1.5),
        functools.reduce(lambda a, b: max(a, b), [v * 2 for v in x]),
        functools.reduce(np.maximum, [x, x * 2, -x]),
    )  # fmt: skip


def nothing_reduced(x):
    return functools.reduce(operator.add, x[:0])


def rows(x):
    pairs = []
    for v in x:
        if v > -5:
            pairs.append((v, v > 0))
    return (
        np.array([[v, v * 2] for v in x]), np.array([(i, v) for i, v in enumerate(x)]),
        np.asarray([(i, i + 1) for i in range(len(x))]), np.array([(x, x * v) for v in x]),
        np.mean(pairs, axis=0), np.array(pairs, dtype='f4').T, np.vstack(pairs), np.shape(pairs),
    )  # fmt: skip


@pytest.mark.parametrize('f', [reduced, nothing_reduced, rows])
def test_as_python_does(f):
    assert differences(f, X) == []


def test_no_rows():
    def f(x):
        return np.array([(i, v) for i, v in enumerate(x)]), np.array([v for v in x if v > 0])

    assert differences(f, X[:0]) == []


def sums(x):
    numbers = [float(v) for v in x]
    some = []
    for v in x:
        if v > -5:
            some.append(v.item())
    return (
        sum(numbers), sum(numbers, 1), sum(some), sum(some, 2.5), sum(x.tolist()),
        sum(map(float, x)), sum(complex(v) for v in x),
        sum(float(v) * 2 for v in x), sum(v.item() for v in x if v > 0), sum(x), sum(v for v in x),
        sum([float(x[0]), x[1], 3]), sum((float(x[0]), 1, float(x[1])), 0.5),
        sum([True, x[0] > 1]), sum(1 for v in x if v > 0),
    )  # fmt: skip


@pytest.mark.parametrize('x', [[0.1] * 10, [1e16, 1.0, -1e16, 0.3], [np.inf, -1e308, -np.inf]])
def test_sums_of_pythons_floats(x):
    assert differences(sums, np.array(x)) == []


def test_sums_of_rows():
    def total(x):
        return sum(x), sum(x, 1.5), sum([r for r in x]), sum(r * 2 for r in x if r[0] > 0)

    x = np.arange(6.0).reshape(3, 2)
    check(total, (x + 1,))
    unknown = ag.function(total, input_signature=[ag.TensorSpec([None, 2], 'f8')])
    for rows in (x + 1, x[:2] + 1):
        assert same(unknown(rows), total(rows))


def test_the_sum_of_no_rows_is_no_array():
    f = ag.function(lambda x: sum(x), input_signature=[ag.TensorSpec([None, 2], 'f8')])
    with pytest.raises(ag.errors.StagingError, match=r'sum\(\) of no rows'):
        f(np.zeros((0, 2)))
