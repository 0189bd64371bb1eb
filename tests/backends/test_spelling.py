"""Calls are spelled as NumPy runs them fastest, and give the same to the last bit."""
from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
from backends.traced import traced
from differential import same

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.types import array_type, type_of

RNG = np.random.default_rng(0)
ARRAYS = [
    RNG.normal(size=(4, 5)),
    RNG.normal(size=(4, 5)).astype(np.float32),
    RNG.integers(-9, 9, size=(4, 5)),
    RNG.normal(size=(4, 5)) > 0,
    RNG.normal(size=(5, 4)).T,
    np.array([[1.0, np.nan, -0.0, np.inf, 2.0]]),
]
CALLS = {
    'np.add.reduce(x, axis=None)': lambda x: np.sum(x),
    'np.add.reduce(x, axis=0)': lambda x: np.sum(x, axis=0),
    'np.add.reduce(x, axis=(0, 1), keepdims=True)': lambda x: x.sum((0, 1), keepdims=True),
    'np.multiply.reduce(x, axis=1)': lambda x: np.prod(x, 1),
    'np.maximum.reduce(x, axis=1)': lambda x: np.max(x, axis=1),
    'np.minimum.reduce(x, axis=None)': lambda x: x.min(),
    'np.logical_or.reduce(x, axis=0)': lambda x: np.any(x, axis=0),
    'np.logical_and.reduce(x, axis=None)': lambda x: np.all(x),
    'x.argmin(axis=1)': lambda x: np.argmin(x, axis=1),
    'x.cumsum(axis=0)': lambda x: np.cumsum(x, axis=0),
    'x.T': lambda x: np.transpose(x),
    'x[:, None]': lambda x: np.expand_dims(x, 1),
    'x[None, :, :, None]': lambda x: np.expand_dims(x, (0, -1)),
    'x.take(0, axis=1)': lambda x: np.take(x, 0, axis=1),
    'x.clip(0, 1)': lambda x: np.clip(x, 0, 1),
    'x.trace()': lambda x: np.trace(x),
    'x.ravel()': lambda x: np.ravel(x),
    "x.copy('K')": lambda x: np.copy(x),
    'x.dot([1, 2, 3, 4, 5])': lambda x: np.dot(x, [1, 2, 3, 4, 5]),
    'np.concatenate((x[-1:], x[:-1]), axis=0)': lambda x: np.roll(x, 1, axis=0),
    'np.concatenate((x[:, 2:], x[:, :2]), axis=1)': lambda x: np.roll(x, -2, axis=1),
}


# What puts arrays together: with vectors, and with matrices.
JOINS = {
    'np.array([x, y])': (1, lambda x, y: np.stack([x, y])),
    'np.array((x, y, x))': (1, lambda x, y: np.vstack((x, y, x))),
    'np.concatenate((x, y), axis=0)': (1, lambda x, y: np.hstack((x, y))),
    'np.concatenate((x, y), axis=1)': (2, lambda x, y: np.hstack((x, y))),
    'np.concatenate([x, y], axis=0)': (2, lambda x, y: np.vstack([x, y])),
    'np.concatenate([x[:, None], y[:, None]], axis=1)': (1, lambda x, y: np.column_stack([x, y])),
    'np.concatenate([x[None], y[None]], axis=0)': (2, lambda x, y: np.stack([x, y])),
    'np.concatenate((x[:, None], y[:, None]), axis=1)': (2, lambda x, y: np.stack((x, y), axis=1)),
    'np.concatenate((y[:, :, None], x[:, :, None]), axis=2)': (2, lambda x, y: np.stack((y, x), 2)),
}


@pytest.mark.parametrize('code', JOINS)
def test_joins_give_what_lies_as_that_of_numpy_does(code):
    rank, call = JOINS[code]
    shape = (3, 4)[-rank:]
    rows = RNG.normal(size=tuple(2 * n for n in shape))
    ways = [rows[::2], rows[::-2]] if rank == 1 else [rows[::2, 1::2], rows[1::2, ::-2]]
    ways += [ways[0].copy(order) for order in 'CF'] + [np.broadcast_to(rows.flat[0], shape)]
    program = lower(traced(lambda x, y: call(x, y), type_of(ways[0]), type_of(ways[0])))
    assert f'return {code}\n' in program.code
    for x, y in itertools.product(ways, ways):
        (result,), expected = run(program, [x, y]), call(x, y)
        assert same(result, expected)
        assert (result.strides, result.flags.owndata) == (expected.strides, True)


@pytest.mark.parametrize('types', [(np.float32, np.float64), (np.int64, np.float64), (bool, int)])
def test_joins_of_other_types(types):
    x, y = (np.ones(3, dtype) for dtype in types)
    for call in (np.stack, np.vstack, np.hstack, np.column_stack):
        program = lower(traced(lambda x, y: call((x, y)), type_of(x), type_of(y)))  # noqa: B023
        assert same(run(program, [x, y])[0], call((x, y)))


@pytest.mark.parametrize('shape', [(7,), (3, 4), (1, 1)])
def test_truths_are_counted(shape):
    x = RNG.normal(size=shape) > 0
    codes = {
        'np.intp(np.count_nonzero(x))': lambda x: np.sum(x),
        f'np.float64(np.count_nonzero(x) / {x.size})': lambda x: x.mean(),
    }
    for code, call in codes.items():
        for mask in (x, ~x, x | True, x & False):
            program = lower(traced(lambda x: call(x), type_of(mask)))  # noqa: B023
            assert f'return {code}\n' in program.code
            assert same(run(program, [mask])[0], call(mask))


@pytest.mark.parametrize(
    'call',
    [
        lambda x: np.sum(x, axis=0),
        lambda x: np.sum(x, keepdims=True),
        lambda x: x.sum(dtype=np.int8),
        lambda x: np.mean(x[:0]) if x.size else x,
    ],
)
def test_truths_that_are_not_counted(call):
    x = RNG.normal(size=(3, 4)) > 0
    with np.errstate(all='ignore'), warnings.catch_warnings():
        warnings.simplefilter('ignore')
        program = lower(traced(lambda x: call(x), type_of(x)))
        assert 'count_nonzero' not in program.code
        assert same(run(program, [x])[0], call(x))


def test_the_places_in_a_vector():
    x = np.array([0.0, 2.0, -0.0, np.nan])
    program = lower(traced(np.flatnonzero, type_of(x)))
    assert 'return a.nonzero()[0]' in program.code
    assert same(run(program, [x])[0], np.flatnonzero(x))


@pytest.mark.parametrize('code', CALLS)
@pytest.mark.parametrize('x', ARRAYS, ids=lambda x: f'{x.dtype}{x.shape}')
def test_calls(code, x):
    call = CALLS[code]
    program = lower(traced(lambda x: call(x), type_of(x)))
    (result,) = run(program, [x])
    is_count = 'count_nonzero' in program.code
    assert f'return {code}\n' in program.code or x.shape[0] == 1 or is_count
    assert same(result, call(x))


@pytest.mark.parametrize('dtype', [np.float64, np.float32])
def test_a_mean_over_some_elements(dtype):
    x = RNG.normal(size=(7, 3)).astype(dtype)
    for axis, code in ((0, 'np.add.reduce(x, axis=0) / 7'), (None, '/ 21'), (-1, '/ 3')):
        program = lower(traced(lambda x: np.mean(x, axis=axis), type_of(x)))  # noqa: B023
        assert code in program.code
        assert same(run(program, [x])[0], np.mean(x, axis=axis))


@pytest.mark.parametrize('dtype', [np.int64, np.uint8, np.bool_])
def test_a_mean_of_integers_is_one_of_floats(dtype):
    x = RNG.integers(0, 200, size=(7, 3)).astype(dtype)
    for axis, code in ((0, 'np.add.reduce(x, axis=0, dtype=np.float64) / 7'), (None, '/ 21')):
        program = lower(traced(lambda x: np.mean(x, axis=axis), type_of(x)))  # noqa: B023
        assert code in program.code
        assert same(run(program, [x])[0], np.mean(x, axis=axis))


def test_a_mean_over_what_may_be_nothing():
    program = lower(traced(lambda x: np.mean(x, axis=0), array_type(np.float64, (None, 3))))
    assert 'return x.mean(axis=0)' in program.code
    with np.errstate(all='ignore'), pytest.warns(RuntimeWarning, match='Mean of empty slice'):
        run(program, [np.zeros((0, 3))])


def test_a_roll_keeps_the_order_of_bytes():
    x = np.arange(6, dtype='>f8')
    assert ag.function(lambda x: np.roll(x, -2))(x).dtype == x.dtype


def test_a_roll_by_one_of_any_length():
    program = lower(traced(lambda x: np.roll(x, 1), array_type(np.int64, (None,))))
    assert 'np.concatenate((x[-1:], x[:-1]), axis=0)' in program.code
    for n in range(4):
        assert same(run(program, [np.arange(n)])[0], np.roll(np.arange(n), 1))


def test_a_mean_where_a_condition_says_that_there_is_something():
    def f(x):
        return ag.cond(x.shape[0] > 0, lambda: np.mean(x, axis=0), lambda: x.sum(axis=0))

    program = lower(traced(f, array_type(np.float64, (None, 3))))
    assert '= np.add.reduce(x, axis=0) / x.shape[0]\n' in program.code
    for n in range(3):
        x = RNG.normal(size=(n, 3))
        assert same(run(program, [x])[0], np.mean(x, axis=0) if n else np.zeros(3))


@pytest.mark.parametrize('dtypes', [(float, np.float64), (np.float32, np.float64), (int, np.int8)])
def test_a_number_behind_a_vector(dtypes):
    x, a = np.arange(3).astype(dtypes[0]), dtypes[1](7)
    program = lower(traced(lambda x, a: np.append(x, a), type_of(x), type_of(a)))
    assert 'np.concatenate((x, [a]))' in program.code
    assert same(run(program, [x, a])[0], np.append(x, a))


def test_zeros_like_a_vector():
    for dtype in (np.float64, np.float32, np.bool_):
        x = np.ones(6, dtype)[::2]
        program = lower(traced(lambda x: np.zeros_like(x), type_of(x)))
        assert 'np.zeros(3' in program.code
        assert same(run(program, [x])[0], np.zeros_like(x))


@pytest.mark.parametrize('order', [*itertools.permutations(range(3))])
def test_transposes(order):
    def f(x):
        y = x.transpose(order)
        moved = np.moveaxis(y, 0, -1), np.rollaxis(y, 2), np.swapaxes(y, 0, 2), y.mT, y.T
        return [(each + 1, each.sum(axis=0)) for each in moved]

    x = np.arange(24.0).reshape(2, 3, 4)
    for given in (x, x.T, x[::-1, ::2]):
        assert same(ag.function(f)(given), f(given))
