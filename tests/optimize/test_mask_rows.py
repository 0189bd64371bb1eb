"""Rows are chosen by `compress` in loops, where the result lies as it would."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag

RNG = np.random.default_rng(0)
TURNS = np.int64(3)


def means(x, mask, n):
    total = np.zeros(x.shape[1:], x.dtype)
    chosen = 0
    for _ in range(n):
        rows = x[mask]
        mask = ~mask
        chosen += len(rows)
        total = total + np.sum(rows, axis=0).astype(x.dtype)
    return total, chosen


@pytest.mark.parametrize('dtype', [np.float64, np.float32, np.int8, np.complex128, np.bool_])
@pytest.mark.parametrize('shape', [(40, 3), (40, 3, 2), (1, 1), (0, 4)])
def test_every_layout(shape, dtype):
    graph, mask = ag.function(means), RNG.random(shape[0]) > 0.5
    wide = (RNG.normal(size=[2 * n for n in shape]) * 9).astype(dtype)
    whole = wide[tuple(slice(n) for n in shape)]
    for x in (whole, whole.copy(), np.asfortranarray(whole), wide[::2, ::2][: shape[0]]):
        x = x[(..., *(slice(n) for n in shape))]
        with np.errstate(all='ignore'):
            assert same(graph(x, mask, TURNS), means(x, mask, TURNS))


def test_the_program():
    args = RNG.normal(size=(40, 3)), RNG.random(40) > 0.5, TURNS
    program = check(means, args).get_concrete_function(*args).lowered_code
    assert 'rows = x.compress(mask, axis=0)' in program


def test_other_indices_stay():
    def f(x, mask, places, n):
        for _ in range(n):
            x = x[mask] * 2, x[:, 0][mask] * 2, x[places], x[mask, 0]
            x = np.concatenate((x[0], x[2]))[:5]
        return x

    mask, places = np.array([True, False, True, True, True]), np.array([0, 2, 1])
    check(f, (RNG.normal(size=(5, 2)), mask, places, TURNS))
