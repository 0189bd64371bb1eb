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
