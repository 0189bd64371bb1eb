"""Transposes of transposes are one, and none of them runs in Python."""
from __future__ import annotations

import itertools
import textwrap

import numpy as np
import pytest
from backends.traced import traced
from differential import check, same

import autograph_lite as ag
from autograph_lite.graph.text import text
from autograph_lite.graph.types import array_type
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.dead_code import dead_code
from autograph_lite.optimize.transposes import transposes

X = np.arange(24.0).reshape(2, 3, 4)


def rewritten(function, *shape):
    graph = traced(function, array_type(np.float64, shape))
    transposes(graph)
    dead_code(graph)
    verify(graph)
    return text(graph)


def lines(code):
    return textwrap.dedent(code).strip()


def test_two_transposes_are_one():
    after = """
        graph <lambda>(x: float64[2, 3, 4]) -> float64[3, 2, 4]:
          transpose: float64[3, 2, 4] = x.transpose(1, 0, 2)
          return transpose
        """
    assert rewritten(lambda x: x.T.transpose(1, 2, 0), 2, 3, 4) == lines(after)


def test_the_transpose_of_the_transpose_is_the_array():
    after = """
        graph <lambda>(x: float64[2, 3]) -> float64[2, 3]:
          add: float64[2, 3] = add(x, 1)
          return add
        """
    assert rewritten(lambda x: x.T.T + 1, 2, 3) == lines(after)


def test_an_array_that_is_returned_is_no_argument():
    assert 'transpose' in rewritten(lambda x: x.T.T, 2, 3)


def test_views_that_numpy_makes_in_python():
    def f(x):
        return np.moveaxis(x, 0, -1) + 1, np.rollaxis(x, 2) + 1, np.expand_dims(x, (0, -1)) + 1

    code = ag.function(f).get_concrete_function(X).lowered_code
    assert 'moveaxis' not in code
    assert 'rollaxis' not in code
    assert 'expand_dims' not in code
    check(f, (X,), (np.asfortranarray(X),))


def test_one_spelling_is_one_subexpression():
    def f(x):
        return np.transpose(x) @ x + x.T @ x + x.swapaxes(0, 1) @ x

    concrete = ag.function(f).get_concrete_function(X[0])
    assert concrete.lowered_code.count('x.T @ x') == 1
    check(f, (X[0],), (np.asfortranarray(X[0]),))


@pytest.mark.parametrize('first', [*itertools.permutations(range(3))])
def test_every_order(first):
    def f(x):
        y = x.transpose(first)
        z = [y.transpose(second) for second in itertools.permutations(range(3))]
        return [(each + 1, each.sum(axis=0)) for each in (*z, y.T, y.mT, np.swapaxes(y, 0, 2))]

    for x in (X, X.T, X[::-1, ::2]):
        assert same(ag.function(f)(x), f(x))
