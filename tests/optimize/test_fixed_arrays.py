"""Small arrays that are made of numbers alone are made once, where nobody can tell."""
from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest
from differential import check

X = np.linspace(-1, 1, 32).reshape(4, 8)


def test_the_program() -> None:
    def f(x: Any) -> Any:
        return (x * np.hanning(8) + np.arange(8)) @ np.eye(8)

    assert check(f, (X,)).get_concrete_function(X).lowered_code == textwrap.dedent("""
        hanning = np.hanning(8)
        arange = np.arange(8)
        eye = np.eye(8)

        def f(x):
            return (x * hanning + arange) @ eye
        """).lstrip()


def returned(x: Any) -> Any:
    ones = np.ones(8)
    return x * ones, ones


def returned_as_a_view(x: Any) -> Any:
    ones = np.ones((8, 8))
    return x @ ones, ones.T[1:]


def modified(x: Any) -> Any:
    total = np.zeros(8)
    for row in x:
        total += row
    return total


def modified_by_a_view(x: Any) -> Any:
    total = np.zeros((4, 8))
    part = total[1:]
    part += x[1:]
    return total * 2


def in_a_list(x: Any) -> Any:
    rows = []
    for _ in x:
        rows.append(np.arange(3.0))
    return rows


def large(x: Any) -> Any:
    return x[0] + np.ones(1 << 14).sum()


RETURNED = [returned, returned_as_a_view, modified, modified_by_a_view, in_a_list, large]


@pytest.mark.parametrize('f', RETURNED)
def test_what_somebody_gets_or_modifies_is_new_in_each_call(f: Any) -> None:
    g = check(f, (X,), (X + 1,))
    assert g.get_concrete_function(X).lowered_code.startswith('def ')
    first = g(X)
    for result in first if isinstance(first, tuple | list) else (first,):
        result[...] = 7
    for result, expected in zip(g(X), f(X), strict=True):
        np.testing.assert_array_equal(result, expected)


def test_one_that_is_a_result_on_one_way_only() -> None:
    def f(x: Any) -> Any:
        weights = np.ones(8)
        if x[0, 0] > 0:
            weights = x[0]
        return weights

    g = check(f, (X,), (X + 9,))
    g(X)[...] = 7
    np.testing.assert_array_equal(g(X), np.ones(8))
