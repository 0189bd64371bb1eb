"""Rows that are written number by number."""
from __future__ import annotations

import numpy as np
import pytest
from backends.traced import traced
from differential import check

from autograph_lite.graph.text import text
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.dead_code import dead_code
from autograph_lite.optimize.item_rows import item_rows

X = np.arange(12.0).reshape(4, 3)


def rewritten(function, *args):
    graph = traced(function, *args)
    item_rows(graph)
    dead_code(graph)
    verify(graph)
    return text(graph)


def test_a_row_is_written_by_elements():
    def f(x, a):
        y = x * 2
        y[1] = a, 1, a
        return y

    found = rewritten(f, X, np.float64(7))
    assert [line.strip() for line in found.splitlines() if ' after ' in line] == [
        'y_1: float64[4, 3] = y after y[1, 0] = a',
        'y_2: float64[4, 3] = y_1 after y_1[1, 1] = 1',
        'y_3: float64[4, 3] = y_2 after y_2[1, 2] = a',
    ]
    assert 'asarray' not in found
    check(f, (X, np.float64(7)))


def test_a_loop_of_numbers_computes_with_those_of_python():
    def f(s, n):
        x, y = s[0], s[1]
        out = np.empty((5, 2))
        out[:] = 0
        for i in range(n):
            x, y = x + 0.1 * y, y - 0.1 * x
            out[i] = np.array([x, y])
        return out

    args = np.array([1.0, 2.0]), np.int64(5)
    program = check(f, args, (args[0], np.int64(0))).get_concrete_function(*args).lowered_code
    assert 'out_items[i, 0] = ' in program


def swapped(x):
    y = x.copy()
    y[0] = y[0, 2], y[1, 0], y[0, 0]
    return y


def others(x):
    y = x.copy()
    row = np.array([x[0, 0], 2.0, 3.0])
    y[1] = row
    return y, row


def mixed(x, i):
    y = x.copy()
    y[i] = [True, 2, x[0, 1]]
    y[i, 1:] = [1, 2.5]
    return y


def of_integers(x):
    y = np.zeros((2, 2), dtype=int)
    y[0] = [x[0, 1], 2.7]
    y[1] = [3, len(x)]
    return y


@pytest.mark.parametrize('f', [swapped, others, of_integers])
def test_results(f):
    check(f, (X,))


def test_an_index_that_only_the_running_graph_knows():
    check(mixed, (X, np.int64(2)), (X, np.int64(-1)))


@pytest.mark.parametrize(
    'write',
    [
        lambda y, a: y.__setitem__(slice(0, 2), [a, a, a]),
        lambda y, a: y.__setitem__([0, 1], [a, a, a]),
        lambda y, a: y.__setitem__(0, [[a, a, a]]),
        lambda y, a: y.__setitem__(0, [a]),
        lambda y, a: y.__setitem__((0, slice(None)), [a, a, a]),
    ],
)
def test_what_is_no_row_of_numbers_stays(write):
    def f(x, a):
        y = x * 2
        write(y, a)
        return y

    assert 'asarray' in rewritten(f, X, np.float64(7))
