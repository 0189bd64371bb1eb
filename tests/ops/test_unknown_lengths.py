"""Calls that are possible for some lengths of unknown axes only."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

ROW, TABLE = ag.TensorSpec([None]), ag.TensorSpec([None, None])
CALLS: dict[str, tuple[Any, Any, Any]] = {
    'as many counts': (lambda x: x.repeat([1, 2, 3, 4], axis=0), TABLE, np.ones((4, 2))),
    'as many parts': (lambda x: np.split(x, 7), ROW, np.arange(14.0)),
    'as many samples': (lambda x: np.polyfit([1, 2, 3, 4, 5], x, 2), ROW, np.arange(5.0)),
    'as many observations': (lambda x: np.cov(x, [1, 2, 3, 4, 5]), ROW, np.arange(5.0)),
}


@pytest.mark.parametrize('name', CALLS)
def test_lengths_that_the_call_tells(name):
    f, spec, x = CALLS[name]
    assert same(f(x), ag.function(f).get_concrete_function(spec)(x))


def test_numpys_own_errors():
    with pytest.raises(np.linalg.LinAlgError, match='1-dimensional array given'):
        ag.function(lambda x: np.linalg.inv(x)).get_concrete_function(ROW)


def test_what_is_wrong_for_every_length():
    def f(x, chosen):
        return np.maximum.reduce(x, axis=(), where=chosen)

    specs = [TABLE, ag.TensorSpec([None, None], bool)]
    with pytest.raises(ValueError, match='does not have an identity'):
        ag.function(f, input_signature=specs).get_concrete_function()


STACKS = ag.TensorSpec([None, None, None])
A, B = np.arange(24.0).reshape(2, 3, 4), np.arange(40.0).reshape(2, 4, 5)
S = np.stack([np.eye(3), 2 * np.eye(3)])


@pytest.mark.parametrize(('f', 'x', 'y'), [
    (lambda x, y: x @ y, A, B),
    (lambda x, y: np.matmul(x, y), A, B),
    (lambda x, y: np.linalg.solve(x, y), S, S[:, :, :2] + 1),
])  # fmt: skip
def test_stacks_of_matrices(f, x, y):
    assert same(f(x, y), ag.function(f, input_signature=[STACKS, STACKS])(x, y))


@pytest.mark.parametrize('n', [0, 1, 3])
def test_parts_that_are_shorter_than_they_were_asked_for(n):
    def parts(x):
        first, rest = np.split(x, [2])
        return first, len(first), first.shape, rest

    x = np.arange(float(n))
    assert same(parts(x), ag.function(parts, input_signature=[ROW])(x))


def test_a_stack_of_lengths_that_differ():
    def both(x):
        return np.stack([x[x > 0], x[x < 0]])

    f = ag.function(both)
    assert same(both(np.array([1.0, -2.0])), f(np.array([1.0, -2.0])))
    with pytest.raises(ValueError, match='all input arrays must have the same shape'):
        f(np.array([1.0, 2.0]))
