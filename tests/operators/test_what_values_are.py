"""Asking a value what it is, and builtins that come as values."""
from __future__ import annotations

from collections.abc import Iterable, Sized

import numpy as np
import pytest
from differential import check
from sweep import differences

import autograph_lite as ag

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


def texts(x):
    return x.__str__(), x.__repr__(), format(x, '.3f'), x.__format__('.2f'), x.__class__.__name__


def test_texts_and_classes_by_method():
    check(texts, (np.float64(2),), (np.float64(-3.5),))


@pytest.mark.parametrize('f', [lambda xs: zip(xs, xs), lambda xs: (1, enumerate(xs))])
def test_iterators_are_not_returned(f):
    with pytest.raises(ag.errors.StagingError, match='An iterator is returned'):
        ag.function(f)(np.ones(2))


def test_iterators():
    def ask(xs):
        kept = filter(None, xs)
        return (
            isinstance(zip(xs, xs), zip), isinstance(kept, filter), isinstance(kept, Iterable),
            type(enumerate(xs)) is enumerate, type(enumerate(kept)) is enumerate,
            isinstance(map(abs, xs), map), isinstance((x for x in xs), zip),
        )

    check(ask, (np.ones(2),))


@pytest.mark.parametrize('made', [
    lambda xs: zip(xs, xs), lambda xs: enumerate(filter(None, xs)), lambda xs: map(abs, xs),
    lambda xs: filter(None, xs), lambda xs: (x for x in xs),
])  # fmt: skip
def test_iterators_have_no_length_and_no_end(made):
    assert differences(lambda xs: len(made(xs)), np.ones(2)) == []
    assert differences(lambda xs: reversed(made(xs)), np.ones(2)) == []
