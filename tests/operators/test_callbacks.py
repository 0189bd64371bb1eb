"""Functions of NumPy that call a function of the user."""
from __future__ import annotations

import numpy as np
import pytest
from sweep import differences

X = np.array([[1.0, -2, 3], [0.5, 5, 4]])


def larger(v, axis):
    if v.sum() > 0:
        return v.max(axis)
    return v.min(axis)


@pytest.mark.parametrize('f', [
    lambda x: np.apply_over_axes(np.sum, x, [0, 1]),
    lambda x: np.apply_over_axes(np.sum, x, -1),
    lambda x: np.apply_over_axes(larger, x, (0, 1)),
])  # fmt: skip
def test_apply_over_axes(f):
    assert differences(f, X) == []
    assert differences(f, -X) == []


@pytest.mark.parametrize('f', [
    lambda x: np.piecewise(x, [x > 1], [1.0, 2.0]),
    lambda x: np.piecewise(x, x[0] > 1, [1.0, 2.0]),
    lambda x: np.piecewise(x, [x > 1, x < 0], [lambda v: v * 2, lambda v: -v]),
    lambda x: np.piecewise(x, [x > 1, x < 0], [lambda v: v * 2, lambda v: -v, 7]),
    lambda x: np.piecewise(x, [x > 1], [lambda v, k: v * k, lambda v, k: v], 3),
    lambda x: np.piecewise(x, [x > 99], [np.max, 0]),
    lambda x: np.piecewise(x, [x > 1, x < 0], [lambda v: v * 2]),
])  # fmt: skip
def test_piecewise(f):
    assert differences(f, X) == []


def test_texts_of_arrays():
    for f in (
        lambda x: (np.array2string(x), np.array_repr(x), np.array_str(x, precision=1)),
        lambda x: np.format_float_positional(x[0, 0], precision=3),
        lambda x: 1 if np.array2string(x) == '[]' else 2,
    ):
        assert differences(f, X) == []
    assert differences(lambda n: (np.base_repr(n, 3), np.binary_repr(n, 8)), np.int64(11)) == []
