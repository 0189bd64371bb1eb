"""Values, not places: what is modified in place, and who may still read it."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def fill(n):
    out = np.zeros(10)
    for i in range(n):
        out[i] = i * 2
    return out


def fill_if(x, c):
    out = x.copy()
    if c > 0:
        out[0] = c
    return out


def add_in_place(x):
    y = x * 2
    y += x
    return y


def recurrence(n):
    out = np.zeros(20)
    out[0] = 1.0
    for i in range(1, n):
        out[i] = out[i - 1] * 0.5 + i
    return out


def masked(x):
    y = x.copy()
    y[y < 0] = 0
    return y


def alias_sees_it(x):
    y = x.copy()
    z = y
    y[0] = 5.0
    return z


def out_argument(x):
    y = np.zeros(3)
    np.add(x, 1, out=y)
    return y


@pytest.mark.parametrize('f', [fill, recurrence])
def test_filling_in_a_loop(f):
    check(f, *[(np.int64(n),) for n in (0, 1, 5, 10)])


@pytest.mark.parametrize('f', [add_in_place, masked, alias_sees_it, out_argument])
def test_straight_line(f):
    check(f, (np.array([1.0, -2.0, 3.0]),))


def test_in_a_branch():
    check(fill_if, *[(np.arange(3.0), np.float64(c)) for c in (-1, 2)])


def test_a_loop_fills_in_place():
    code = ag.function(fill).get_concrete_function(np.int64(3)).lowered_code
    assert 'copy' not in code


def test_swapped_buffers():
    def f(x, n):
        a = x.copy()
        b = np.zeros_like(a)
        for _ in range(n):
            b[1:] = a[:-1] + 1
            a, b = b, a
        return a, b

    check(f, *[(np.arange(4.0), np.int64(n)) for n in (0, 1, 2, 5)])


def refused(f, *args):
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(*args)
    assert 'test_ownership.py' in str(caught.value)
    return str(caught.value)


def test_an_alias_of_what_a_loop_modifies():
    def f(n):
        x = np.zeros(3)
        y = x
        for i in range(n):
            x[i] = 1
        return x, y

    check(f, (np.int64(2),), (np.int64(0),))


def test_a_helper_that_modifies_what_a_branch_does_not_own():
    def put(x):
        x[0] = 1

    def f(c):
        x = np.zeros(3)
        if c > 0:
            put(x)
        return x

    check(f, (np.float64(1),), (np.float64(-1),))
