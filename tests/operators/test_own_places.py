"""Attributes and items that staged statements set: each by one name, and by no code of a class."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class Thing:
    """It holds what it is given."""


class Limited:
    """It limits what it is given."""

    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = min(value, 5.0)


def test_places_of_their_own():
    def f(x, n):
        a, b, d = Thing(), Thing(), {'n': x}
        a.n, b.n = x, x * 2
        for i in range(n):
            a.n = a.n + 1
            b.n = b.n * x
            if x > 0:
                d['n'] = a.n
        return a.n, b.n, d

    check(f, (F(2), np.int64(3)), (F(-2), np.int64(2)), (F(2), np.int64(0)))


def test_two_names_for_one_attribute():
    def f(x):
        a = Thing()
        b = a
        a.n = x
        for _ in range(3):
            a.n = a.n + 1
            b.n = b.n * 2
        return a.n

    with pytest.raises(ag.errors.OwnershipError, match='Two names lead to'):
        ag.function(f)(F(1))


def test_one_dict_for_two_parameters():
    def both(p, q, x):
        for _ in range(3):
            p['n'] = p['n'] + x
            q['n'] = q['n'] * 2
        return p['n']

    def f(x):
        d = {'n': x}
        return both(d, d, x)

    with pytest.raises(ag.errors.OwnershipError, match='Two names lead to'):
        ag.function(f)(F(1))


def test_a_setter_in_a_staged_block():
    def f(x):
        p = Limited(x)
        if x > 0:
            p.value = p.value * 2
        return p.value

    with pytest.raises(ag.errors.OwnershipError, match='runs code of its class'):
        ag.function(f)(F(4))


class Doubled(Limited):
    """It doubles what it is given."""

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self._value = value * 2


def test_a_setter_elsewhere():
    def f(x):
        p = Doubled(x)
        p.value = x
        return p.value

    check(f, (F(4),), (F(6),))
