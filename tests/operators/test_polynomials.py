"""`np.poly1d` of coefficients that only the running graph knows, and `np.broadcast`."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

V = np.array([3.0, 1.0, 2.0])
Z = np.array([0.0, 0.0, 1.0])


def test_values_and_coefficients():
    def asked(x):
        p = np.poly1d(x)
        return p(2.0), p(x), p.coeffs, p.order, p.deriv()(1.5), np.polyval(p, x)

    check(asked, (V,), (Z,), (Z * 0,))


def test_arithmetic():
    def made(x):
        p = np.poly1d(x)
        q, r = p / np.poly1d([1.0, 2.0])
        return [each.coeffs for each in (p + 1, 2 * p, p * x[0], p * p, 1 - p, p**2, -p, q, r)]

    check(made, (V,))


def test_a_fitted_one():
    def fitted(x, y):
        return np.poly1d(np.polyfit(x, y, 1))(x)

    check(fitted, (V, np.array([1.0, 2.0, 4.0])))


def test_one_is_returned_and_goes_through_a_loop():
    def grown(x):
        p = np.poly1d(x)
        for v in x:
            if v > 1:
                p = p * 2
        return p

    found = ag.function(grown)(V)
    assert type(found) is np.poly1d
    assert found == grown(V)


def test_what_numpy_takes_for_an_array():
    for f in (lambda x: x * np.poly1d(x), lambda x: np.sum(np.poly1d(x))):
        with pytest.raises(ag.errors.StagingError, match=r'A polynomial .* does not support'):
            ag.function(f)(V)


def test_broadcasting_item_by_item():
    def met(x, y):
        total = 0.0
        for a, b in np.broadcast(x, y):
            total += a * b
        both = np.broadcast(x, y)
        return total, both.shape, both.size, both.ndim, both.numiter

    check(met, (np.arange(6.0).reshape(2, 3), V))
