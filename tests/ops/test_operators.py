"""Python's operators between tensors of every kind and dtype, against NumPy and Python."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.evaluate import check

import autograph_lite as ag
from autograph_lite.errors import OwnershipError, StagingError

DTYPES = ['?', 'i1', 'u1', 'i4', 'i8', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16']
MATRIX = np.array([[1, 2, 3], [0, 1, 1]])
ARRAYS = [part.astype(dtype) for dtype in DTYPES for part in (MATRIX, MATRIX[0])]
SCALARS = [np.dtype(dtype).type(2) for dtype in DTYPES]
NUMBERS = [True, 2, 3, 0.5, 1j]
OPERANDS = [*ARRAYS, *SCALARS, *NUMBERS]

BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
    operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift,
    operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge, divmod,
]  # fmt: skip
UNARY = [operator.neg, operator.pos, operator.invert, abs, round]


@pytest.mark.parametrize('function', BINARY)
def test_binary_operators(function: Callable[..., Any]) -> None:
    for x in OPERANDS:
        for y in OPERANDS:
            check(lambda x, y: function(x, y), x, y, symbolic=False)


@pytest.mark.parametrize('function', BINARY)
def test_binary_operators_with_a_literal(function: Callable[..., Any]) -> None:
    for x in OPERANDS:
        check(lambda x: function(x, 2), x)
        check(lambda x: function(3, x), x)
        check(lambda x: function(x, 0.5), x)


@pytest.mark.parametrize('function', UNARY)
def test_unary_operators(function: Callable[..., Any]) -> None:
    for x in OPERANDS:
        check(lambda x: function(x), x)


@pytest.mark.parametrize('exponent', [0, 1, 2, 3, -1, 0.5, 2.0, 1j, True])
def test_powers(exponent: Any) -> None:
    for x in OPERANDS:
        check(lambda x: x**exponent, x, symbolic=False)
        if type(x) not in (bool, int) and (exponent, type(x)) != (-1, float):
            check(lambda x: exponent**x, x, symbolic=False)


def test_integers_to_a_negative_power_are_refused_by_value() -> None:
    for x in (np.array([], int), np.array([1, 2]), np.array([0, 2], np.uint8)):
        check(lambda x: x**-1, x, symbolic=False)


def test_powers_of_integers_are_integers_unless_the_exponent_is_negative() -> None:
    def power(n: Any, k: Any) -> Any:
        return int(n) ** int(k)

    for n, k in ((2, 3), (-3, 5), (0, 0), (True, 2), (7, 40)):
        result = ag.function(power)(np.int64(n), np.int64(k))
        assert (type(result), result) == (int, n**k)
    with pytest.raises(StagingError, match=r'write `float\(n\) \*\* k`'):
        ag.function(power)(np.int64(2), np.int64(-3))


@pytest.mark.parametrize('dtype', DTYPES)
@pytest.mark.parametrize('function', [
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
    operator.imod, operator.ipow, operator.iand, operator.ior, operator.ixor, operator.ilshift,
])  # fmt: skip
def test_in_place(function: Callable[..., Any], dtype: str) -> None:
    def update(x: Any, y: Any) -> Any:
        z = x.copy()
        other = z
        z = function(z, y)
        return z, other

    for x in (MATRIX.astype(dtype), np.dtype(dtype).type(3)):
        for y in (MATRIX[0], MATRIX[0].astype('f4'), np.int8(2), np.float64(1.5), 2, 0.5, True):
            # NumPy before 2.3 takes the dtype of a power from the value of a scalar exponent.
            if function is not operator.ipow or not isinstance(y, np.generic):
                check(update, x, y, symbolic=False)


def test_in_place_keeps_the_shape() -> None:
    def widen(x: Any, y: Any) -> Any:
        x = x.copy()
        x += y
        return x

    check(widen, MATRIX[0], MATRIX, symbolic=False)


def test_in_place_of_the_product_of_matrices() -> None:
    def multiply(x: Any, y: Any) -> Any:
        x = x.copy()
        x @= y
        return x

    check(multiply, np.ones((2, 3)), np.ones((3, 3)))


def test_matmul() -> None:
    for x, y in (((2, 3), (3, 4)), ((3,), (3,)), ((2, 3), (3,)), ((5, 2, 3), (3, 1)), ((2,), (3,))):
        check(lambda x, y: x @ y, np.ones(x), np.ones(y, 'f4'), symbolic=False)


def test_shapes_that_do_not_broadcast() -> None:
    check(lambda x, y: x + y, np.ones(2), np.ones(3), symbolic=False)
    check(lambda x, y: x < y, np.ones((2, 3)), np.ones((3, 2)), symbolic=False)


def test_lists_and_texts_beside_arrays() -> None:
    check(lambda x: x - [1, 2, 3], MATRIX)
    check(lambda x: [1.0, 2, 3] - x, MATRIX)
    check(lambda x: x * [[x[0, 0]] * 3], MATRIX)
    check(lambda x: x + 'a', MATRIX)
    check(lambda x: x + None, MATRIX)
    check(lambda n: n + 'a', 3)


def test_comparison_with_none_is_refused() -> None:
    with pytest.raises(StagingError, match='is None'):
        check(lambda x: x == None, MATRIX)  # noqa: E711  the very thing


def test_an_argument_is_not_modified_behind_the_back_of_its_owner() -> None:
    captured = np.zeros(3)

    def modify(x: Any) -> Any:
        np.add(x, 1, out=captured)
        return x

    with pytest.raises(OwnershipError, match='captured array'):
        check(modify, np.ones(3))


def test_a_stale_view_is_not_read() -> None:
    def read(x: Any) -> Any:
        y = x.copy()
        turned = y.T
        y += 1
        return turned

    with pytest.raises(OwnershipError, match=r'y \+= 1'):
        check(read, MATRIX)


def test_what_cannot_be_compared_is_different() -> None:
    dates, numbers = np.array(['2020-01-01', 'NaT'], 'M8[D]'), np.arange(2)
    for x, y in ((dates, numbers), (dates[0], numbers), (numbers, dates)):
        check(lambda x, y: (x == y, x != y), x, y)
    check(lambda x: (x == 'a', x != 1.5), dates)
    check(lambda x: x < 'a', numbers)
