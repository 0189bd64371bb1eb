"""Sums over a short last axis are spelled out, and give the same to the last bit."""
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
from autograph_lite.optimize.short_sums import short_sums

RNG = np.random.default_rng(0)


def total(x):
    return np.sum(x, axis=-1)


def layouts(shape):
    """Arrays of one shape that lie in memory in every way, with every kind of number."""
    for order in itertools.permutations(range(len(shape))):
        wide = RNG.normal(size=[2 * shape[i] for i in order]) * 10.0 ** RNG.integers(-3, 3)
        wide[RNG.random(wide.shape) < 0.3] = -0.0
        wide[RNG.random(wide.shape) < 0.02] = RNG.choice([np.nan, -np.nan, np.inf, -np.inf])
        whole = wide.transpose(np.argsort(order))
        for step in (1, 2, -1):
            part = whole[(slice(None, None, step),) * len(shape)]
            yield part[tuple(slice(n) for n in shape)]


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
@pytest.mark.parametrize('shape', [(100, 2), (100, 3), (16, 7, 4), (200, 7), (200, 5), (2, 90, 3)])
def test_every_layout(shape, dtype):
    graph = ag.function(total)
    assert 'add.reduce' not in graph.get_concrete_function(np.ones(shape, dtype)).lowered_code
    with np.errstate(invalid='ignore'):
        for x in layouts(shape):
            x = x.astype(dtype, order='K', copy=False)
            got, expected = graph(x), total(x)
            assert same(got, expected)
            assert got.strides == expected.strides


def test_the_graph():
    graph = traced(lambda x: x.sum(axis=1), array_type(np.float64, (90, 2)))
    after = short_sums(graph)
    verify(after)
    assert text(after) == textwrap.dedent("""
        graph <lambda>(x: float64[90, 2]) -> float64[90]:
          x_1: float64[90] = x[..., 0]
          sum: float64[90] = add(x_1, 0.0)
          x_2: float64[90] = x[..., 1]
          sum_1: float64[90] = add(sum, x_2)
          return sum_1
        """).strip()


@pytest.mark.parametrize('call', [
    lambda x: np.sum(x, axis=0),
    lambda x: np.sum(x, axis=1, keepdims=True),
    lambda x: np.sum(x, axis=1, dtype=np.float32),
    lambda x: np.sum(x[:9], axis=1),
    lambda x: np.sum(x),
    lambda x: np.sum(x, axis=(0, 1)),
    lambda x: np.sum(np.concatenate((x, x, x), axis=1), axis=1),
    lambda x: np.sum(x > 0, axis=1),
])  # fmt: skip
def test_other_sums_stay(call):
    x = RNG.normal(size=(100, 3))
    assert short_sums(traced(lambda x: call(x), x)) is None
    check(lambda x: call(x), (x,))


def test_what_is_summed_may_change_later():
    def f(x, n):
        y = x * 2
        total = np.sum(y, axis=1)
        for i in range(n):
            y[i] = total[i]
            total = np.sum(y, axis=1) + total
        return y, total

    check(f, (RNG.normal(size=(100, 3)), np.int64(3)))


def test_overflow_is_warned_of():
    x = np.full((100, 3), 1e308)
    with pytest.warns(RuntimeWarning, match='overflow'):
        assert same(ag.function(total)(x), np.full(100, np.inf))
