"""Python numbers made of arrays and scalars, and Python's mathematics on them."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ops.evaluate import check

from autograph_lite.graph.dispatch import UNREACHED
from autograph_lite.graph.tensor import Tensor
from autograph_lite.operators.namespaces import math as ag_math


def staged(function: Callable[..., Any]) -> Callable[..., Any]:
    """What the converter calls instead of a function, where a tensor is given to it."""

    def run(*args: Any) -> Any:
        traced = any(isinstance(x, Tensor) for x in args)
        return (UNREACHED[function] if traced else function)(*args)

    return run


VALUES = [np.float32(2.5), np.float64(2), np.int8(3), np.bool_(True), np.array(2.5), 2.5, 3, True]


@pytest.mark.parametrize('x', VALUES, ids=repr)
def test_conversions(x: Any) -> None:
    for type_ in (int, float, bool, complex):
        check(lambda x: staged(type_)(x), x)  # noqa: B023
    if isinstance(x, np.generic | np.ndarray):
        check(lambda x: (x.item(), x.tolist()), x)
    check(lambda x: round(x), x)
    check(lambda x: round(x, 1), x)


def test_conversions_of_more_than_one_number() -> None:
    for type_ in (int, float, bool):
        check(lambda x: staged(type_)(x), np.ones(3), symbolic=False)  # noqa: B023


ONE = [
    function
    for name in dir(math)
    if callable(function := getattr(math, name)) and not name.startswith('_')
]


@pytest.mark.parametrize('function', ONE, ids=lambda function: function.__name__)
def test_math(function: Callable[..., Any]) -> None:
    for x in (2.5, 3, 0.5, np.float32(0.5), np.int64(4)):
        for args in ((x,), (x, 2), (x, x), ([x, 1.0, x],), ([x, x], [0.5, 1])):
            def run(x: Any, args: Any = args) -> Any:
                one = function if not isinstance(x, Tensor) else UNREACHED[function]
                return one(*(_with(part, x) for part in args))

            check(run, x)


def _with(part: Any, x: Any) -> Any:
    """The argument with x for every value of its own type."""
    if isinstance(part, list):
        return [_with(item, x) for item in part]
    return x if not isinstance(part, float | int) or part > 2 else part


def test_math_of_known_numbers_is_known() -> None:
    check(lambda x: (ag_math.sqrt(2.0) * x, ag_math.pi, ag_math.gcd(4, 6)), 2.5)


def test_methods_of_numbers() -> None:
    check(lambda n: (n.bit_length(), n.real, n.imag, n.conjugate()), 5)
    check(lambda x: (x.is_integer(), x.real, x.conjugate()), 2.5)
    check(lambda x: x.astype(int), 2.5)
    check(lambda x: (x.astype(int), x.sum(), x.is_integer(), x.shape, x.T), np.float64(2.5))
