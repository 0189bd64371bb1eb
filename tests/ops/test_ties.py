"""Calls of an array whose lengths are known and of one whose lengths are not: the shape they give.

What the graph says of a result's shape is compared, not the result alone: a length that tracing
takes to be a constant is written into the program.
"""
from __future__ import annotations

import numpy as np
import pytest
from differential import outcome, same

import autograph_lite as ag

SHAPES = {
    1: [(3,), (5,), (0,)],
    2: [(4, 3), (2, 5), (2, 3), (1, 3), (0, 3), (5, 3), (3, 3)],
}
TWO = {
    'concatenate': lambda k, x: np.concatenate([k, x]),
    'concatenate columns': lambda k, x: np.concatenate([k, x, k], axis=1),
    'concatenate parts': lambda k, x: np.concatenate([x[:1], k[:2]]),
    'stack': lambda k, x: np.stack([k, x], axis=-1),
    'vstack': lambda k, x: np.vstack([k, x]),
    'hstack': lambda k, x: np.hstack([k, x]),
    'dstack': lambda k, x: np.dstack([k, x]),
    'column_stack': lambda k, x: np.column_stack([k, x]),
    'append': lambda k, x: np.append(k, x, axis=0),
    'insert': lambda k, x: np.insert(k, [0], x, axis=0),
    'r_': lambda k, x: np.r_[k, x],
    'c_': lambda k, x: np.c_[k, x],
    'block': lambda k, x: np.block([[k], [x]]),
    'diff': lambda k, x: np.diff(k, append=x, axis=0),
    'inner': lambda k, x: np.inner(k, x),
    'outer': lambda k, x: np.outer(k, x),
    'tensordot': lambda k, x: np.tensordot(k, x, axes=1),
    'matmul': lambda k, x: k @ x,
    'kron': lambda k, x: np.kron(k, x),
    'cov': lambda k, x: np.cov(np.vstack([k, k]), x),
    'einsum': lambda k, x: np.einsum('ij,kj->ik', k, x),
    'einsum of two': lambda k, x: np.einsum('ij,kl->l', k, x),
    'where': lambda k, x: np.where(k > 0, x, k),
    'select': lambda k, x: np.select([k > 0], [x], 2.0),
    'choose': lambda k, x: np.choose(k.astype(int), [x, x, x, x]),
    'searchsorted': lambda k, x: np.searchsorted(k.ravel(), x),
    'isin': lambda k, x: np.isin(k, x),
    'convolve': lambda k, x: np.convolve(k, x, 'valid'),
    'cross': lambda k, x: np.cross(k, x),
    'solve': lambda k, x: np.linalg.solve(k + np.eye(3), x),
    'lstsq': lambda k, x: np.linalg.lstsq(k, x)[0],
    'meshgrid': lambda k, x: np.meshgrid(k, x),
    'broadcast_arrays': lambda k, x: list(np.broadcast_arrays(k, x)),
    'polyval': lambda k, x: np.polyval(k, x),
    'take': lambda k, x: np.take(k, x.astype(int) % 2),
    'take_along_axis': lambda k, x: np.take_along_axis(k, x.astype(int) % 2, axis=0),
    'lexsort': lambda k, x: np.lexsort([k, x]),
    'histogram2d': lambda k, x: np.histogram2d(k, x, bins=3)[0],
}
THREE = {
    'concatenate': lambda k, x, y: np.concatenate([k, x, y]),
    'hstack': lambda k, x, y: np.hstack([x, y, k]),
    'block': lambda k, x, y: np.block([[x, y], [k, k]]),
    'einsum': lambda k, x, y: np.einsum('ij,kl,kl->k', k, x, y),
    'einsum of a chain': lambda k, x, y: np.einsum('ij,jk,lk->il', k, x, y),
    'where': lambda k, x, y: np.where(k > 0, x, y),
    'stack': lambda k, x, y: np.stack([x, y, k]),
}


def _shown(r):
    """What tracing knows of the shape, beside what the result is."""
    if isinstance(r, list):
        return [(e, e.shape, e.size) for e in r]
    return r, r.shape, r.size, len(r) if r.ndim else None


def _array(shape):
    return (np.arange(np.prod(shape, dtype=int)) * 7.0 % 4).reshape(shape)


def _compare(f, k, others):
    """Plain Python and the graph for every shape of the other arguments that NumPy takes."""
    wanted = [(arrays, outcome(f, (k, *arrays))) for arrays in others]
    possible = [(arrays, want) for arrays, want in wanted if want[0] == 'returns']
    if not possible:
        return
    specs = [ag.TensorSpec(list(k.shape))]
    specs += [ag.TensorSpec([None] * x.ndim) for x in possible[0][0]]
    graph = ag.function(f, input_signature=specs)
    for arrays, want in possible:
        assert same(want, outcome(graph, (k, *arrays))), (k.shape, [x.shape for x in arrays])


@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.parametrize('name', TWO)
@pytest.mark.parametrize('known', [(2, 3), (3, 3), (0, 3), (3, 0), (1, 3), (3,), (70, 60)])
def test_two(name, known):
    def f(k, x):
        return _shown(TWO[name](k, x))

    for shapes in SHAPES.values():
        _compare(f, _array(known), [(_array(shape),) for shape in shapes])


@pytest.mark.parametrize('name', THREE)
@pytest.mark.parametrize('known', [(2, 3), (3, 3), (1, 3)])
def test_three(name, known):
    def f(k, x, y):
        return _shown(THREE[name](k, x, y))

    pairs = [(_array(a), _array(b) + 1) for a in SHAPES[2] for b in SHAPES[2]]
    _compare(f, _array(known), pairs)


def test_a_table_that_grows_until_it_is_long_enough():
    def f(x):
        rows = np.empty((0, 3))
        while len(rows) < 5:
            rows = np.vstack([rows, x[:2]])
        return rows

    x = _array((4, 3))
    assert same(f(x), ag.function(f, input_signature=[ag.TensorSpec([None, None])])(x))
