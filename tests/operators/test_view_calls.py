"""Views that functions give, `x.T` and the like: what is written to them is in the array."""
from __future__ import annotations

import numpy as np
import pytest
from sweep import differences, refusal

import autograph_lite as ag

X = np.array([[3.0, -1, 2], [0.5, 5, 4]])


def transposed(x):
    y = x.copy()
    y.T[0] = 7
    z = y.T
    z += 1
    y[0] = 2
    w = z + 1
    z[0] = 5
    return y, z, w, y.sum()


def item_of_a_view(x):
    y = x.copy()
    row = y.T[0]
    row[1] = 7
    return y, row


def reshaped(x):
    y = x.copy()
    row = y.reshape(-1)
    row[::4] += 1
    y.reshape(3, 2).fill(2)
    y.reshape(-1).sort()
    y.ravel()[1:3] *= 3
    return y


def copied(x):
    z = x.copy()
    y = z.T
    row = y.ravel()
    row[2] = 9
    return z, y, row


def of_any_layout(x):
    y = x.T.copy()
    y.reshape(-1)[0] = 100
    y.ravel('F')[1] = 200
    return y


def parts(x):
    z = x + 1j
    z.real[0] = 5
    z.imag = 3
    z.real = z.imag + 1
    y = x.copy()
    y.real = 2
    return z, y


def axes(x):
    y = x.copy()
    np.swapaxes(y, 0, 1)[0] = 1
    np.moveaxis(y, 0, 1)[1] = 2
    np.expand_dims(y, 0)[0, 0, 0] = 7
    np.squeeze(y[None], axis=0)[1] = 8
    np.flip(y)[0] = 3
    np.rot90(y)[1] = 6
    return y


def split(x):
    y = x.copy()
    a, b = np.hsplit(y[:, :2], 2)
    a[:] = 1
    b += a
    return y, a, b


def diagonal(x):
    y = x.copy()
    np.einsum('ii->i', y[:, :2])[:] = 4
    return y


def read_only(x):
    y = x.copy()
    np.diagonal(y)[0] = 1
    return y


def no_imaginary_part(x):
    y = x.copy()
    y.imag = 3
    return y


def functions_that_write(x):
    y = x.copy()
    y.T.sort(axis=0)
    np.add(y.T, 1, out=y.T)
    np.put(y.T, [0], 9)
    return y


def flat(x):
    y = x.copy()
    y.flat = [1, 2]
    y.flat[1:3] = [7, 8]
    y.flat[[0, 5]] = 3
    y.flat[-1] += 2
    y.flat[::4] = 0
    return y, y.flat[1:3], y.flat[0], len(y.flat), np.sum(y.flat), y.flat.copy(), y.flat == 3


def through_flat(x):
    total = 0.0
    for i, v in enumerate(x.flat):
        total += i * v
    return total, max(x.flat), sum(x.flat)


def flat_has_no_operators(x):
    return x.flat + 1


@pytest.mark.parametrize('f', [
    transposed, item_of_a_view, reshaped, copied, of_any_layout, parts, axes, split, diagonal,
    read_only, no_imaginary_part, functions_that_write, flat, through_flat,
])  # fmt: skip
def test_views(f):
    assert differences(f, X) == []


def test_what_the_row_of_items_cannot_do():
    assert [d for d in differences(flat_has_no_operators, X) if 'TypeError' not in d] == []


def in_a_loop(x, n):
    y = x.copy()
    for i in range(n):
        y.T[i] = i
        y.flat[i] += 2
        y.ravel()[i + 1] = 5
    return y


def in_a_branch(x, n):
    y = x.copy()
    if n > 1:
        turned = y.T
        turned[0] = 5
        y.flat[n] = 9
    return y


def parts_in_a_loop(x, n):
    y = x + 1j
    for i in range(n):
        y.real = i
        y.imag[0] = i
    return y


@pytest.mark.parametrize('f', [in_a_loop, in_a_branch, parts_in_a_loop])
@pytest.mark.parametrize('n', [0, 1, 2])
def test_views_in_staged_blocks(f, n):
    assert differences(f, X, np.int64(n)) == []


def of_an_argument(x):
    x.T[0] = 1
    return x


def row_of_items(x):
    return x.flat


def shape_in_place(x):
    y = x.copy()
    y.shape = (3, 2)
    return y


def test_of_an_argument():
    assert differences(of_an_argument, X) == []


def test_refusals():
    assert '`x.ravel()`' in refusal(row_of_items, X)
    with pytest.raises(ag.errors.StagingError, match=r'`x = x.reshape\(shape\)`'):
        ag.function(shape_in_place)(X)
