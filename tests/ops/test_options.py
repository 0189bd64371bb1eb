"""What tells a function how to do its work, where only the running graph knows it."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64
Y = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize('f', [
    lambda x, y: np.sum(y, axis=0 if x > 0 else None), lambda x, y: y.sum(None if x > 0 else 0),
    lambda x, y: np.concatenate([y, y], axis=None if x > 0 else 0),
    lambda x, y: np.sum(np.ones(3), axis=0 if x > 9 else None),
    lambda x, y: np.clip(y, None if x > 0 else 1.0, 2.0),
    lambda x, y: np.linalg.norm(y, ord=None if x > 0 else 2),
])  # fmt: skip
def test_what_may_be_none_is_no_option(f):
    with pytest.raises(ag.errors.StagingError, match=r'(?s)from what may be None.*Call it'):
        ag.function(f)(F(1), Y)


@pytest.mark.parametrize('f', [
    lambda x, y: np.pad(y, 1, mode='edge' if x > 0 else 'wrap'),
    lambda x, y: np.quantile(y, 0.3, method='lower' if x > 0 else 'higher'),
    lambda x, y: np.linalg.norm(y, ord='fro' if x > 0 else 'nuc'),
    lambda x, y: y.astype('f4' if x > 0 else 'f8'),
    lambda x, y: np.zeros(3, 'f4' if x > 0 else 'f8'),
])  # fmt: skip
def test_a_text_that_only_the_graph_knows_is_no_option(f):
    with pytest.raises(ag.errors.StagingError, match='is given a text that only the running graph'):
        ag.function(f)(F(1), Y)


def test_a_dtype_that_only_the_graph_knows():
    def f(x):
        dtype = np.float32 if x > 0 else np.int32
        return np.zeros(3, dtype=dtype)

    with pytest.raises(ag.errors.StagingError, match=r'holds the values of both, np\.float64'):
        ag.function(f)(F(1))


def test_each_way_has_its_option():
    def f(x, y):
        axis = None
        if x > 1:
            axis = 0
        rows = y.sum(axis=axis) if axis is not None else np.full(3, np.sum(y, axis=None))
        highest = x if x > 0 else None
        if highest is not None:
            rows = np.clip(rows, None, highest)
        padded = np.pad(y, 1, 'edge') if x > 0 else np.pad(y, 1, 'wrap')
        return rows, padded, np.add(y, x if x > 0 else 1.0)

    check(f, *((F(x), Y) for x in (2, 1, -1)))
