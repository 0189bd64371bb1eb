"""`np.where` is written in place where that is faster, to the last bit."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag
from autograph_lite.ops.selection import select


def leaky(x, y):
    return np.where(x > 0, y, x * 2)


def program(f, *args):
    return ag.function(f).get_concrete_function(*args).lowered_code


@pytest.mark.parametrize(
    ('length', 'dtype', 'how'),
    [
        (1000, 'f8', 'np.putmask(multiply, x > 0, y)'),
        (8000, 'f4', 'np.putmask(multiply, x > 0, y)'),
        (8001, 'f4', 'select(multiply, x > 0, y)'),
        (8001, 'i4', 'select(multiply, x > 0, y)'),
        (5001, 'i2', 'select(multiply, x > 0, y)'),
        (1000, 'c16', 'np.putmask(multiply, x > 0, y)'),
        (16_000, 'c16', 'np.putmask(multiply, x > 0, y)'),
        # Here nothing is faster than `np.where`.
        (2001, 'f8', 'np.where(x > 0, y, x * 2)'),
        (16_001, 'c16', 'np.where(x > 0, y, x * 2)'),
        (2001, 'i8', 'np.where(x > 0, y, x * 2)'),
        (3000, 'i2', 'np.where(x > 0, y, x * 2)'),
        (3000, 'i1', 'np.where(x > 0, y, x * 2)'),
        ((1 << 19) + 1, 'f4', 'np.where(x > 0, y, x * 2)'),
    ],
)
def test_the_faster_way_is_taken(length, dtype, how):
    x = np.zeros(length, dtype)
    assert how in program(leaky, x, x)


NUMBERS = [0.5, -0.0, 3, float('nan'), float('inf')]


@pytest.mark.parametrize('number', NUMBERS[:3])
@pytest.mark.parametrize('length', [1000, 10_000])
def test_a_number_where_the_mask_is_true(number, length):
    def f(x):
        return np.where(x > 0, number, x * 2)

    x = np.linspace(-1, 1, length, dtype=np.float32)
    assert 'np.where' not in program(f, x)
    check(f, (x,))


@pytest.mark.parametrize('number', [1 << 40, float('inf'), 1j])
def test_a_number_that_may_be_another_in_the_type_of_the_array_is_left_to_numpy(number):
    def f(x):
        return np.where(x > 0, number, x * 2)

    x = np.ones(1000, np.float32)
    assert 'np.where' in program(f, x)
    check(f, (x,))


def test_a_mask_of_fewer_elements_is_left_to_numpy():
    def f(x):
        return np.where(x[0] > 0, x, x * 2)

    x = np.linspace(-1, 1, 1200, dtype=np.float32).reshape(30, 40)
    assert 'np.where' in program(f, x)
    check(f, (x,))


@pytest.mark.parametrize('length', [1000, 10_000])
def test_arrays_that_lie_in_any_order(length):
    def f(x, y, z):
        return np.where(x > 0, y, z * 2), np.where(y.T > 0, z.T, x.T * 2)

    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=(length // 10, 10)).astype(np.float32) for _ in range(3)]
    check(f, arrays, [np.asfortranarray(x) for x in arrays], [x[::-1] for x in arrays])


@pytest.mark.parametrize('dtype', ['f4', 'i4', 'u4', 'f2', 'i2', 'u2'])
def test_every_bit_is_kept(dtype):
    rng = np.random.default_rng(0)
    value, other = np.frombuffer(rng.bytes(80_000), dtype).reshape(2, -1)
    mask = rng.random(value.size) < 0.5
    out = other.copy()
    select(out, mask, value)
    assert out.tobytes() == np.where(mask, value, other).tobytes()


@pytest.mark.parametrize('number', NUMBERS)
def test_every_bit_of_a_number_is_kept(number):
    out = np.linspace(-1, 1, 10_000, dtype=np.float32)
    expected = np.where(out > 0, number, out)
    select(out, out > 0, number)
    assert out.tobytes() == expected.tobytes()
