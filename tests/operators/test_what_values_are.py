"""Asking a value what it is, and builtins that come as values."""
from __future__ import annotations

from collections.abc import Iterable, Sized

import numpy as np
import pytest
from differential import check

F = np.float64


def test_what_a_value_can_do():
    def ask(x):
        return (
            hasattr(x, '__len__'), hasattr(x, '__iter__'), isinstance(x, Iterable),
            isinstance(x, Sized), isinstance(x, (int, np.ndarray)), isinstance(x, np.floating),
        )

    check(ask, (F(2),))
    check(ask, (np.ones(2),))


def test_its_class():
    def ask(x):
        doubled = x * 2 if type(x) is np.ndarray else x
        return doubled, type(x) in (float, np.float64), type(x) is type(doubled)

    check(ask, (F(2),))
    check(ask, (np.ones(2),))


def test_a_staged_list_is_a_list():
    def ask(xs):
        out = []
        for x in xs:
            out.append(x)
        return isinstance(out, list), type(out) is list

    check(ask, (np.ones(2),))


@pytest.mark.parametrize('choose', [max, min, sum, len, abs, sorted, any, all, str, repr])
def test_builtins_that_come_as_values(choose):
    def use(xs):
        function = choose
        return function(xs)

    check(use, (np.array([3.0, 1.0, 2.0]),), (np.array([0.0, -1.0, 5.0]),))


def test_mapped_texts():
    def use(xs):
        return list(map(str, xs))

    check(use, (np.array([3.0, 1.0]),))
