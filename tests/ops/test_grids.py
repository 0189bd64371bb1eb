"""What makes arrays between brackets, and functions of NumPy that are plain Python."""
from __future__ import annotations

import numpy as np
import pytest
from sweep import differences

import autograph_lite as ag

X = np.array([[3.0, -1, 2], [0.5, 5, 4]])


def rows(x, n):
    return (
        np.r_[x[0], n, 1.5], np.r_[1:n], np.r_[x[0].astype('f4'), 1], np.r_[0:1:5j, x[0]],
        np.r_['-1', x, x], np.r_[x[0] > 1, True], np.r_[:3],
    )  # fmt: skip


def columns(x, n):
    return np.c_[x[0], x[1]], np.c_[x, x], np.c_[x, [n, n]]


def own_array(x, n):
    y = np.r_[1:4]
    y[0] = n
    return y


def open_and_full(x, n):
    grid = np.mgrid[0:n, 0:2]
    i, j = np.ogrid[: x.shape[0], : x.shape[1]]
    k, l = np.mgrid[: x.shape[0], : x.shape[1]]  # noqa: E741  the name of an index
    return grid[0] * 2 + grid[1], x[i, j] + i, (k - l) * x, np.mgrid[0:1:3j], np.mgrid[0:n:2]


def indices(x, n):
    return x[np.s_[n - 2, 1:]], x[np.index_exp[0]]


@pytest.mark.parametrize('f', [rows, columns, own_array, open_and_full, indices])
def test_between_brackets(f):
    assert differences(f, X, np.int64(3)) == []


def frequencies(x, n):
    return np.fft.fftfreq(len(x)), np.fft.rfftfreq(x.size, d=0.1), np.fft.fftfreq(int(n))


def shapes(x, n):
    return np.broadcast_shapes(x.shape, (1, 3)), np.broadcast_to(x, (int(n), *x.shape))


def polynomials(x, n):
    series = np.polynomial.polynomial
    return series.polyval(n, x[0]), series.polyadd(x[0], x[1]), series.polyder(x[0])


@pytest.mark.parametrize('f', [frequencies, shapes, polynomials])
def test_functions_without_a_protocol(f):
    assert differences(f, X, np.int64(3)) == []


def test_what_is_between_brackets_is_printed_so():
    def f(x, n):
        return np.r_[x, 1:n]

    assert 'ag.np.r_[x, 1:n]' in ag.to_code(f)
    code = ag.function(f).get_concrete_function(X[0], np.int64(3)).lowered_code
    assert 'np.r_[x, 1:n]' in code
