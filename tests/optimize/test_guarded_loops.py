"""What a loop computes in every turn is computed before it, where a test says that there is one."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X, W = np.full(5, 0.1), np.array([0.5, 0.25, 0.125])


def settle(x, w):
    while np.sum(x) > 1e-9:
        x = np.tanh(x) * (w * 2 + 1).sum() * 0.01
    return x


def count(x, w):
    turns = 0
    while np.sum(x) > 1e-9 and turns < 20:
        turns += 1
        x = np.tanh(x) * np.prod(w)
    return x, turns


def fill(x, w, n):
    out = np.zeros_like(x)
    for i in range(n):
        out[i] = x[i] + np.sum(w / x.max())
    return out


def nested(x, w, n):
    total = np.float64(0)
    for i in range(1, n):
        y = x * i
        while np.sum(y) > np.max(w):
            y = y * np.min(w) - np.sum(np.sqrt(w)) * i
        total = total + y[0]
    return total


def made(f, *args):
    return ag.function(f).get_concrete_function(*args).lowered_code


def test_before_a_while_loop():
    program = made(settle, X, W)
    before, after = program.split('while ')
    assert 'if np.add.reduce(x) > 1e-09:' in before
    assert 'w * 2' in before
    assert 'w' not in after.split('sum_1')[1]
    check(settle, (X, W), (-X, W), (np.full(5, np.nan), W))


def test_before_a_loop_over_a_range():
    program = made(fill, X, W, np.int64(3))
    assert 'if 0 < n:' in program
    assert '/' not in program.split('for ')[1]
    # An array without elements has no maximum, which is of no matter if there is no turn.
    check(fill, *((X, W, np.int64(n)) for n in (0, -2, 1, 5, 6)), traces=1)
    check(fill, (X[:0], W, np.int64(0)))


@pytest.mark.parametrize('f', [count, nested])
def test_around_other_control_flow(f):
    more = [(np.int64(n),) for n in (0, 1, 2, 7)] if f is nested else [()]
    check(f, *((x, W, *rest) for x in (X, X * 0, -X, X * 100) for rest in more), traces=1)


def test_not_for_little_nor_where_something_happens():
    def scaled(x, n):
        while np.sum(x) > 1:
            x = x * (n * 0.5)
        return x

    def told(x, w):
        while np.sum(x) > 0.1:
            ag.print('on')
            x = x * np.sum(w) * 0.1
        return x

    def strict(x, w):
        with np.errstate(all='raise'):
            while np.sum(x) > 0.1:
                x = x * np.sum(w) * 0.1
        return x

    assert 'if ' not in made(scaled, X, np.float64(1.0))
    assert 'if ' not in made(told, X, W)
    assert 'if ' not in made(strict, X, W)
