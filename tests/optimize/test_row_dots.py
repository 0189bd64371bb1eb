"""Products of rows that `np.dot` makes are made before the loop, all at once."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

RNG = np.random.default_rng(0)
X, W, H = RNG.normal(size=(40, 4, 5)), RNG.normal(size=(5, 6)), RNG.normal(size=(4, 6))


def by_name(x, w, h):
    for row in x:
        h = np.absolute(np.dot(row, w) + h)
    return h


def by_method(x, w, h):
    for row in x:
        h = np.absolute(row.dot(w) + h)
    return h


@pytest.mark.parametrize('f', [by_name, by_method])
def test_before_the_loop(f):
    args = [(array * 9).astype(int) for array in (X, W, H)]  # `dot` of floats is for NumPy 2.3
    code = check(f, args).get_concrete_function(*args).lowered_code
    assert code == textwrap.dedent(f"""
        def {f.__name__}(x, w, h):
            for dot in x @ w:
                h = np.absolute(dot + h)
            return h
        """).lstrip()


def test_arrays_that_lie_in_another_order():
    check(by_name, (X[::-1], W, H), (np.asfortranarray(X), W, H), (X, np.asfortranarray(W), H))


def test_vectors_stay():
    def f(x, w, h):
        for row in x:
            h = np.tanh(np.dot(row, w) + h)
        return h

    x, h = X[:, 0], H[0]
    check(f, (x, W, h))


def test_what_a_turn_changes_stays():
    def f(x, w, h):
        for row in x:
            w = w * 0.5
            h = np.tanh(np.dot(row, w) + h)
        return h

    code = ag.function(f).get_concrete_function(X, W, H).lowered_code
    assert code.index('for ') < code.index('dot')
    check(f, (X, W, H))
