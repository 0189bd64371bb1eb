"""Every ufunc of NumPy, in every form of call."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.evaluate import check

UFUNCS = [
    ufunc
    for name in dir(np)
    if isinstance(ufunc := getattr(np, name), np.ufunc) and ufunc.__name__ == name
]
X = np.array([[0.5, -2.0, 3.0], [1.0, 0.0, 4.0]])


@pytest.mark.parametrize('ufunc', UFUNCS, ids=lambda ufunc: ufunc.__name__)
def test_call(ufunc: np.ufunc) -> None:
    for dtype in ('?', 'i2', 'u4', 'f4', 'f8', 'c8'):
        x = X.astype(dtype)
        for args in ((x, x), (x, x[0]), (x[0, 0], x[0]), (x[0, 0], x[0, 1]), (x, 2), (x, 0.5)):
            check(lambda *args: ufunc(*args[: ufunc.nin]), *args, symbolic=False)


@pytest.mark.parametrize('ufunc', UFUNCS, ids=lambda ufunc: ufunc.__name__)
def test_unknown_axes(ufunc: np.ufunc) -> None:
    if not ufunc.signature:
        check(lambda *args: ufunc(*args[: ufunc.nin]), X, X)


def test_options() -> None:
    mask = X > 0
    check(lambda x: np.add(x, 1, dtype='f4', casting='same_kind'), X)
    check(lambda x: np.add(x, 1, dtype=np.complex64), X)
    check(lambda x: np.add(x, 1, dtype=int), X)
    check(lambda x, m: np.add(x, 1, out=np.positive(x), where=m), X, mask)
    check(lambda x: np.sqrt(np.sum(x), casting='no'), X)
    check(lambda x: np.vecdot(x.T, x.T, axis=0) if hasattr(np, 'vecdot') else x, X)


def written(write: Callable[..., Any]) -> Callable[..., Any]:
    """The function on a copy of x, which it may write to."""

    def run(x: Any) -> Any:
        y = x.copy()
        return write(x, y), y

    return run


def test_out() -> None:
    check(written(lambda x, y: np.add(x, 1, out=y)), X)
    check(written(lambda x, y: np.add(x, 1, y)), X)
    check(written(lambda x, y: np.add(y, y, out=(y,))), X)
    check(written(lambda x, y: np.add(x[0], 1, out=y)), X)
    check(written(lambda x, y: np.modf(x, out=(None, y))), X)
    check(written(lambda x, y: np.less(x, 1, out=y)), X)
    check(written(lambda x, y: np.add(x, 1j, out=y)), X)
    check(written(lambda x, y: np.add(x, np.ones((2, 2, 3)), out=y)), X, symbolic=False)


def test_methods() -> None:
    check(lambda x: np.add.reduce(x), X)
    check(lambda x: np.maximum.reduce(x, axis=1, keepdims=True, initial=3), X)
    check(lambda x: np.add.reduce(x, axis=None, where=x > 0), X)
    check(lambda x: np.multiply.accumulate(x, axis=1), X)
    check(lambda x: np.subtract.outer(x, x), X)
    check(lambda x: np.add.reduceat(x, [0, 2, 1], axis=1), X)
    check(written(lambda x, y: np.add.at(y, (0, [1, 1]), 2.0)), X)
    check(written(lambda x, y: np.add.reduce(x, out=y[0].copy())), X)


def test_numbers_become_numpy_scalars() -> None:
    for n in (True, 3, 0.5, 1j):
        check(lambda n: (np.add(n, 1), np.sin(n), np.equal(n, n)), n)


def test_several_outputs_and_a_mask() -> None:
    def masked(x: Any) -> Any:
        quotient, rest = np.zeros_like(x), np.ones_like(x)
        np.divmod(x, 2, out=(quotient, rest), where=x > 1)
        return quotient, rest

    check(masked, np.array([3.0, 1.0, 5.0]))
