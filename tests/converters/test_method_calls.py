"""Methods of the user's classes with names that arrays and lists have too."""
from __future__ import annotations

import numpy as np
from differential import check


class Positive:
    def sum(self, xs):
        return sum(x for x in xs if x > 0)

    def clip(self, x):
        if x > 2:
            x = x * 0 + 2
        return x


def f(xs):
    positive = Positive()
    return positive.clip(positive.sum(xs)) + xs.sum() + [1, 2].index(2)


def test_they_are_converted():
    check(f, (np.array([1.0, -2.0, 3.0]),), (np.array([0.5, -2.0, 1.0]),))


class Base:
    def __call__(self, x):
        return x * 2 if x > 0 else x


class Derived(Base):
    pass


def test_an_inherited_call():
    check(lambda x: Derived()(x), (np.int64(2),), (np.int64(-2),))
