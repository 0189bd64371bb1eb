"""What is done before or after a reduction is part of it, where that changes no bit."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
from backends.traced import traced
from differential import check, same
from optimize.troublesome import values

import autograph_lite as ag
from autograph_lite.graph.text import text
from autograph_lite.graph.types import array_type
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.dead_code import dead_code
from autograph_lite.optimize.reductions import reductions

RNG = np.random.default_rng(0)


def rewritten(function, dtype, *shape):
    """The lines of the graph after the rewrite."""
    graph = traced(function, array_type(np.dtype(dtype), shape))
    reductions(graph)
    dead_code(graph)
    verify(graph)
    return [line.strip() for line in text(graph).splitlines()[1:-1]]


@pytest.mark.parametrize(
    ('function', 'dtype', 'after'),
    [
        (lambda x: np.max(np.max(x, axis=1), axis=0), 'i8', 'max: int64 = max(x)'),
        (lambda x: x.sum(0).sum(-1), 'i4', 'sum: int64 = x.sum()'),
        (lambda x: np.any(np.any(x, axis=1)), 'f8', 'any: bool = any(x)'),
        (lambda x: np.amax(x.min(0).max(), keepdims=False), 'u1', None),
        (lambda x: np.max(np.max(x, axis=1), axis=0), 'f8', None),
        (lambda x: x.T.sum(axis=0), 'i8', 'sum: int64[2] = x.sum(axis=1)'),
        (lambda x: x.T.sum(axis=0), 'f8', None),
        (lambda x: x.T.all(axis=-1), 'f8', 'all: bool[3] = x.all(axis=0)'),
        (lambda x: np.mean(x.astype(float)), '?', 'mean: float64 = mean(x)'),
        (lambda x: np.mean(x.astype(np.float32)), '?', None),
        (lambda x: np.sum(x.astype(int), axis=1), '?', 'sum: int64[2] = sum(x, axis=1)'),
        (lambda x: np.sum(x.astype(int)), 'i2', 'sum: int64 = sum(x)'),
        (lambda x: np.sum(x.astype(np.int8)), 'i2', None),
        (lambda x: np.sum(x.astype(int)), 'u1', None),
        (lambda x: np.sum(x.astype(int)), 'f8', None),
        (
            lambda x: x.sum(axis=1)[:, None], 'f8',
            'sum: float64[2, 1] = x.sum(axis=1, keepdims=True)',
        ),
        (
            lambda x: np.std(x, 0, ddof=1).reshape(1, -1), 'f8',
            'std: float64[1, 3] = std(x, 0, ddof=1, keepdims=True)',
        ),
        (lambda x: x.sum(axis=1)[None], 'f8', None),
    ],
)  # fmt: skip
def test_the_graph(function, dtype, after):
    before = len(traced(function, array_type(np.dtype(dtype), (2, 3))).nodes)
    found = rewritten(function, dtype, 2, 3)
    if after is None:
        assert len(found) == before
    else:
        assert [line.replace('_1', '', 1) for line in found] == [after]


def test_a_result_that_others_read_is_computed():
    def f(x):
        rows = x.sum(axis=1)
        return rows, rows.sum(), rows[:, None]

    assert len(rewritten(f, 'i8', 2, 3)) == 3


def test_three_reductions_are_one():
    assert rewritten(lambda x: x.sum(0).sum(0).sum(0), 'i8', 2, 3, 4) == ['sum: int64 = x.sum()']


def test_nothing_moves_past_what_is_modified():
    def f(x):
        x = x.copy()
        rows = x.sum(axis=1)
        x += 1
        return x, rows[:, None], rows.shape

    check(f, (np.ones((2, 3)),))
    check(f, (np.ones((2, 3), int),))


def test_what_raises_raises_in_its_place():
    def f(x):
        y = x.T
        ag.debugging.assert_equal(x.shape[0], 5, message='five are needed')
        return y.max(axis=1)

    with pytest.raises(AssertionError, match='five'):
        ag.function(f, input_signature=[ag.TensorSpec([None, 3], int)])(np.ones((0, 3), int))


def layouts(x):
    """Arrays of the same elements that lie in memory in several ways."""
    for order in itertools.permutations(range(x.ndim)):
        y = np.ascontiguousarray(x.transpose(order)).transpose(np.argsort(order))
        yield from (y, np.repeat(y, 2, axis=-1)[..., ::2], y[::-1], y[..., ::-1])


@pytest.mark.parametrize('name', ['sum', 'prod', 'max', 'min', 'any', 'all', 'mean', 'std'])
@pytest.mark.parametrize('dtype', ['?', 'i1', 'i4', 'u8', 'f4', 'f8', 'D'])
@pytest.mark.filterwarnings('ignore')
def test_every_layout(name, dtype):
    def f(x):
        found = []
        for axis in range(x.ndim):
            one = getattr(np, name)(x, axis=axis)
            kept = np.expand_dims(getattr(np, name)(x, axis=axis), axis)
            found += [one, kept, kept.sum(axis=0), getattr(np, name)(x.T, axis=axis)]
            found += [getattr(np, name)(getattr(np, name)(x, axis=axis), axis=0)]
        found += [getattr(np, name)(x.astype(float)), getattr(np, name)(x.astype(int), axis=0)]
        return found

    graph = ag.function(f)
    troublesome = RNG.choice(values(dtype).ravel(), (3, 5, 2))
    plain = (RNG.normal(size=(3, 130, 2)) * 50).astype(dtype)
    for x in (*layouts(troublesome), *layouts(plain)):
        assert same(graph(x), f(x))


def test_over_axes_of_unknown_length():
    def f(x):
        return x.sum(axis=1)[:, None], np.sum(np.sum(x, axis=0)), np.any(x.T, axis=0)

    graph = ag.function(f, input_signature=[ag.TensorSpec([None, 3], int)])
    code = graph.get_concrete_function().lowered_code
    assert 'keepdims=True' in code
    assert '.T' not in code
    for n in (0, 1, 4):
        x = np.arange(3 * n).reshape(n, 3)
        assert same(graph(x), f(x))
