"""Lists of tensors where NumPy takes an array: in displays, names, arguments and methods."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([3.0, 1.0, 2.0])
M = np.array([[3.0, 1.0], [2.0, 4.0]])


def reduced(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.sum([a, b]), np.mean([x, x]), np.max([a, b]), np.std([[a], [b]]), np.prod((a, 2))


def products(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.dot([a, b], x[:2]), np.linalg.norm([a, b]), np.outer([a, 1], [b, 2.0])


def arrays(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.array([[a, b], [b, a]]), np.asarray((a, b), np.float32), np.atleast_2d([a, b])


def ufuncs(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.add([a, b], 1), np.sqrt([a, b]), np.maximum.reduce([x, x + 1, -x]), x[:2] * [a, b]


def ufunc_methods(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.add.accumulate([a, b]), np.multiply.outer([a, b], x), np.add.reduceat([a, b], [0, 1])


def sorted_and_found(x: Any) -> Any:
    a, b = x[0], x[1]
    return np.sort([a, b]), np.argmax([a, b]), np.where([a > b, a < b], 1, x[:2]), np.unique([a, a])


def joined(x: Any) -> Any:
    return np.concatenate([x, [x[0], x[1]]]), np.stack([x, x]), np.vstack([x, [x[0], 1.0, 2.0]])


def named(x: Any) -> Any:
    parts = [x[i] * i for i in range(3)]
    parts.append(x[0])
    return np.sum(parts), np.cumsum([part + 1 for part in parts])


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for value in x:
        total = np.max([total, value]) + np.sum([value, 1.0])
    return total


def condition(x: Any) -> Any:
    if np.any([x[0] > 1, x[1] > 5]):
        return np.min([x[0], x[1]])
    return x[2]


@pytest.mark.parametrize(
    'f',
    [
        reduced, products, arrays, ufuncs, ufunc_methods, sorted_and_found, joined, named,
        in_a_loop, condition,
    ],
)  # fmt: skip
def test_lists_of_tensors(f: Any) -> None:
    check(f, (X,), (-X,))


def test_a_matrix_of_tensors() -> None:
    def f(m: Any) -> Any:
        a, b = m[0], m[1]
        return np.linalg.det([a, b]), np.linalg.solve([a, b], [1.0, a[0]]), np.linalg.inv([a, b])

    check(f, (M,))


def test_a_list_that_is_an_argument() -> None:
    def f(parts: Any) -> Any:
        return np.sum(parts, axis=0), np.mean(parts), np.max(parts)

    check(f, ([X, X + 1],))


def test_unknown_lengths() -> None:
    @ag.function(input_signature=[ag.TensorSpec([None])])
    def f(x: Any) -> Any:
        return np.sum([x, x], axis=0), np.array([x[0], x[1]]), np.linalg.norm([x, x])

    for n in (2, 5):
        x = np.arange(n) + 1.0
        for got, expected in zip(f(x), f.python_function(x), strict=True):
            np.testing.assert_array_equal(got, expected)
            assert type(got) is type(expected)


def test_the_code_is_what_the_user_wrote() -> None:
    assert 'ag' not in ag.to_code(reduced)
