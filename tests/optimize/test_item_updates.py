"""What `x[i] += v` writes is not written twice, or in one statement."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from backends.traced import traced
from differential import check

import autograph_lite as ag
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.item_updates import item_updates

X = np.arange(12.0).reshape(4, 3)


def test_the_program():
    def f(x, alive, n):
        x = x.copy()
        for i in range(n):
            x[alive] += 1
            x[i, 1:] *= x[i, 0]
            x[1:] -= x[:-1].copy()
        return x

    args = X, np.array([True, False, True, True]), np.int64(2)
    assert check(f, args).get_concrete_function(*args).lowered_code == textwrap.dedent("""
        def f(x, alive, n):
            x = x.copy()
            for i in range(n):
                x[alive] += 1
                item = x[i, 1:]
                item *= x[i, 0]
                item = x[1:]
                item -= x[:-1].copy()
            return x
        """).lstrip()


def test_a_row_that_is_filled_item_by_item():
    def f(n):
        a = np.zeros((n, 3))
        for i in range(n):
            row = a[i]
            row[0] = i
            row[1] = 2 * i
            row[2] = 3 * i
        return a

    args = (np.int64(4),)
    assert check(f, args).get_concrete_function(*args).lowered_code == textwrap.dedent("""
        def f(n):
            a = np.zeros((n, 3))
            for i in range(n):
                row = a[i]
                row[0] = i
                row[1] = 2 * i
                row[2] = 3 * i
            return a
        """).lstrip()


def test_the_graph_stays_valid():
    def f(x):
        y = x * 2
        y[1] += x[0]
        return y

    after = item_updates(traced(f, X))
    verify(after)
    assert 'y_1: float64[4, 3] = y after\n' in str(after)


def other_reader(x):
    y = x.copy()
    item = y[1]
    item += 1
    y[1] = item
    return y, item


def two_views(x):
    y = x.copy()
    row, same = y[1], y[1]
    row[0] = 5
    same[1] = row[0] + 1
    row[2] = same[1] + y[1, 0]
    return y


def a_view_of_a_view(x):
    y = x.copy()
    rows = y[1:]
    row = rows[0]
    row[0] = 5
    rows[1] = 2 * row
    row[1] = rows[1, 0]
    return y


def another_row_between(x):
    y = x.copy()
    row, other = y[1], y[2]
    row[0] = 5
    other[:] = row
    row[1] = other[0]
    y[1] = row + other
    row[2] = y[1, 1]
    return y


def several_times(x):
    y = x.copy()
    row = y[1]
    row += 1
    row[0] = 5
    row[1:].sort()
    y[2] += row
    y[1, ::-1] *= y[0]
    return y


def by_a_name_for_the_index(x):
    y = x.copy()
    i = int(x[0, 1])
    row = y[i]
    i += 1
    row += 1
    y[i] = row
    return y


def itself(x):
    y = x.copy()
    y[[0, 1]] += y[[0, 1]]
    y[2:] += y[2:]
    return y


def other_place(x):
    y = x.copy()
    item = y[[1]]
    item += 1
    y[[2]] = item
    return y


def other_array(x):
    y, z = x.copy(), x * 2
    item = y[[1]]
    item += 1
    z[[1]] = item
    return y, z


def meanwhile(x):
    y = x.copy()
    item = y[[1]]
    y[1] = 7.0
    item += 1
    y[[1]] = item
    return y


def in_a_branch(x):
    y = x.copy()
    if x[0, 0] < 5:
        y[1] += x[2]
        y[np.array([0, 0])] += 1
    return y


def by_a_function(x):
    y = x.copy()
    np.add(y[1], 2, out=y[1])
    y[2] += np.float64(3)
    return y


CASES = [
    other_reader, several_times, by_a_name_for_the_index, itself, other_place, other_array,
    meanwhile, in_a_branch, by_a_function, two_views, a_view_of_a_view, another_row_between,
]


@pytest.mark.parametrize('f', CASES)
def test_the_result_stays(f):
    check(f, (X,), (X + 10,))


def test_a_scalar_is_no_array():
    def f(x, n):
        y = np.zeros(4)
        for i in range(n):
            y[i] += x[i, 0]
        return y

    check(f, (X, np.int64(4)))
    assert ag.function(f)(X, np.int64(0)).tolist() == [0, 0, 0, 0]
