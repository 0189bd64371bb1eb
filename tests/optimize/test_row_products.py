"""Products of rows with a matrix are made before the loop, however it takes the rows."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag
from autograph_lite.optimize.products import dot_warns

RNG = np.random.default_rng(0)
ARGS = RNG.normal(size=(120, 4, 5)), RNG.normal(size=(5, 6)), RNG.normal(size=(4, 6))


def rows(x, w, h):
    for row in x:
        h = np.tanh(row @ w + h)
    return h


def numbered(x, w, h):
    for i, row in enumerate(x, 3):
        h = np.tanh(row @ w + h) * i
    return h


def backwards(x, w, h):
    for row in reversed(x):
        h = np.tanh(row @ w + row @ (w * 2) + h)
    return h


def in_pairs(x, w, h):
    for row, (i, other) in zip(x, enumerate(x[::-1]), strict=False):
        h = np.tanh(row @ w + h * i + other @ w)
    return h


def several(x, w, h):
    for i, row in enumerate(x):
        h = np.tanh(row @ w + h) * np.tanh(row @ (w + i * 0 + 1)) + row @ (w * 2) * row[0, 0]
    return h


def from_the_second(x, w, h):
    for i in range(1, 120):
        h = np.tanh(x[i] @ w + h)
    return h


def down_to_the_third(x, w, h):
    for i in range(110, 1, -1):
        h = np.tanh(x[i] @ w + h) + x[i - 1, 0, 0]
    return h


def in_a_loop(x, w, h):
    for _ in range(150):
        for row in x:
            h = h * 0.5 + row @ w
    return h


FUNCTIONS = [
    rows, numbered, backwards, in_pairs, several, from_the_second, down_to_the_third, in_a_loop]


@pytest.mark.parametrize('function', FUNCTIONS)
def test_however_rows_are_taken(function):
    code = ag.function(function).get_concrete_function(*ARGS).lowered_code
    assert ' @ w' in code
    assert '.dot(w)' not in code
    check(function, ARGS)
    check(function, tuple(np.asfortranarray(a) for a in ARGS))


def test_not_where_rows_are_left_out_or_change():
    def every_second(x, w, h):
        for i in range(0, 120, 2):
            h = np.tanh(x[i] @ w + h)
        return h

    def as_many_as_there_are(x, w, h):
        for row, _ in zip(x, h, strict=False):
            h = np.tanh(row @ w + h)
        return h

    def until_it_is_large(x, w, h):
        for row in x:
            if np.max(h) > 3:
                break
            h = row @ w + h
        return h

    def changing(x, w, h):
        x = x.copy()
        for i in range(120):
            h = np.tanh(x[i] @ w + h)
            x[119 - i] = 0.0
        return h

    for function in (every_second, as_many_as_there_are, until_it_is_large, changing):
        code = ag.function(function).get_concrete_function(*ARGS).lowered_code
        assert 'x @ w' not in code
        assert '] @ w\n' not in code.split('for ')[0]
        check(function, ARGS)


def test_rows_that_are_read_elsewhere_come_beside():
    code = ag.function(several).get_concrete_function(*ARGS).lowered_code
    assert 'for i, (row, matmul, matmul_1) in enumerate(zip(x, x @ (w * 2), x @ w)):' in code


@pytest.mark.skipif(not dot_warns(), reason='this NumPy does not warn of overflow in dot')
def test_by_dot():
    def dots(x, w, h):
        for i, row in enumerate(x):
            h = np.tanh(row.dot(w) + h) * i
        for i in range(len(x)):
            h = np.tanh(np.dot(x[i], w) + h)
        return h

    graph = ag.function(dots)
    code = graph.get_concrete_function(*ARGS).lowered_code
    assert code.count('x @ w') == 2
    assert 'x.flags.c_contiguous and w.flags.c_contiguous' in code
    for order in 'CF':
        args = [np.asarray(a, order=order) for a in ARGS]
        assert same(graph(*args), dots(*args))
    # A product of numbers or of rows that are vectors is not what `@` makes of a stack.
    check(dots, (np.ones((120, 4, 1)), np.ones((1, 6)), np.ones((4, 6))))
    check(dots, (ARGS[0][:, 0], ARGS[1], ARGS[2][0]))


def test_what_numpy_warns_of_stays_where_it_is_raised():
    def strict(x, w, h):
        with np.errstate(over='raise'):
            for row in x:
                h = np.tanh(row @ w + h)
        return h

    assert 'x @ w' not in ag.function(strict).get_concrete_function(*ARGS).lowered_code
    check(strict, ARGS, (ARGS[0], np.full((5, 6), 1e308), ARGS[2]))
