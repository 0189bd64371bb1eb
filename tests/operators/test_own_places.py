"""Attributes and items that staged statements set: each by one name, and by no code of a class."""
from __future__ import annotations

import numpy as np
from differential import check

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
