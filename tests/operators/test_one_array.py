"""`a is b`, of arrays and lists: only where the trace knows."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2.0])


def test_what_is_known_is_answered():
    def f(x):
        a = x * 2
        b = a
        c = a.copy()
        return a is b, a is c, a is x, c is not a

    check(f, (X,))


def test_what_a_branch_decides_is_refused():
    def f(x):
        a = x * 2
        b = x * 3
        if x[0] > 0:
            b = a
        return b is a

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


def test_what_a_loop_decides_is_refused():
    def f(x):
        a = x * 2
        b = a
        for _ in x:
            a, b = b, a + b
        return b is a

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


def test_a_list_that_a_loop_may_make_anew():
    def f(x):
        kept = [x[0]]
        new = kept
        for v in x:
            if v > 1:
                new = [*new, v]
        return new is kept

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


@pytest.mark.parametrize('same', [np.atleast_1d, np.real, lambda x: x.astype(float, copy=False)])
def test_what_numpy_may_give_back_is_refused(same):
    def f(x):
        return same(x) is x

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)
