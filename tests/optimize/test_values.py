"""Rewrites keep every bit of what they replace, for values that are known for trouble."""
from __future__ import annotations

import numpy as np
import pytest
from differential import outcome, same
from optimize.troublesome import values

import autograph_lite as ag

INTEGERS = ('i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8')
FLOATS = ('f2', 'f4', 'f8', 'g')
COMPLEX = ('F', 'D')
DTYPES = ('?', *INTEGERS, *FLOATS, *COMPLEX)

# Each is asked for the sum too, which tells how an array lies in memory.
EQUATIONS = {
    'x * 1': lambda x: x * 1,
    '1 * x': lambda x: 1 * x,
    'x / 1': lambda x: x / 1,
    'x ** 1': lambda x: x**1,
    'x ** 2': lambda x: x**2,
    'x - 0': lambda x: x - 0,
    'x + 0': lambda x: x + 0,
    '0 + x': lambda x: 0 + x,
    'x + -0.0': lambda x: x + -0.0,
    'x | 0': lambda x: x | 0,
    'x ^ 0': lambda x: x ^ 0,
    'x << 0': lambda x: x << 0,
    'x >> 0': lambda x: x >> 0,
    'x // 1': lambda x: x // 1,
    'negative(negative(x))': lambda x: np.negative(np.negative(x)),
    '~(~x)': lambda x: ~(~x),
    '+x': lambda x: +x,
    'maximum(x, x)': lambda x: np.maximum(x, x),
    'minimum(x, x)': lambda x: np.minimum(x, x),
    'abs(abs(x))': lambda x: abs(abs(x)),
    'floor(floor(x))': lambda x: np.floor(np.floor(x)),
    'rint(rint(x))': lambda x: np.rint(np.rint(x)),
    'sign(sign(x))': lambda x: np.sign(np.sign(x)),
    'x.astype(x.dtype)': lambda x: x.astype(x.dtype),
    'x.T.T': lambda x: x.T.T,
    'moveaxis(x.T, 0, 1)': lambda x: np.moveaxis(x.T, 0, -1),
    'max(max(x))': lambda x: np.max(np.max(x, axis=0), axis=0) + 0 * x,
    'x - sum(x, axis=0)[None]': lambda x: x - (x - x.sum(axis=0)[None]).sum(),
    'x / 4': lambda x: x / 4,
    'x / 3': lambda x: x / 3,
    'x // 4': lambda x: x // 4,
    'x % 4': lambda x: x % 4,
    'x * x - x': lambda x: x * x - x,
    'not not x': lambda x: np.logical_not(np.logical_not(x)),
}


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('equation', EQUATIONS)
@pytest.mark.filterwarnings('ignore')
def test_a_rewrite_keeps_every_bit(equation, dtype):
    compute = EQUATIONS[equation]

    def f(x, y, n, number):
        z = compute(np.positive(x) if x.dtype != np.bool_ else np.logical_and(x, x))
        w = z
        for _ in range(n):
            w = np.where(y, compute(w), w)
        return z, np.sum(z), w, compute(number), compute(x)

    graph = ag.function(f)
    full = values(dtype)
    for x in (full, full[::-1].T, full[:0]):
        args = x, np.ones(x.shape, bool), np.int64(2), full[0, 1]
        expected = outcome(f, args)
        if expected[0] == 'raises':
            continue
        assert same(expected, outcome(graph, args))
