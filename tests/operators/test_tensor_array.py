"""`ag.TensorArray`: the same in plain Python and in a graph; dropped results are found."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([3.0, 1.0, 2.0])


def test_written_in_a_loop() -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, n)
        for i in range(n):
            ta = ta.write(i, x * i)
        return ta.stack(), ta.concat(), ta.size(), ta.read(1), ta.gather([0, 1])

    check(f, (X, np.int64(3)), (X, np.int64(5)))


def test_numbers() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3)
        i = 0
        while i < x[0]:
            ta = ta.write(i, x[i] * 2)
            i += 1
        return ta.stack(), ta.read(0)

    check(f, (X,))


def test_only_some_are_written() -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 4, element_shape=[3])
        for i in range(n):
            if x[0] > i:
                ta = ta.write(i, x + i)
        return ta.stack(), ta.read(3)

    check(f, (X, np.int64(4)), (-X, np.int64(2)), (X, np.int64(0)))


def test_a_dynamic_size() -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 0, dynamic_size=True, element_shape=())
        for i in range(n):
            ta = ta.write(ta.size(), x[0] + i)
        return ta.stack(), ta.size()

    check(f, (X, np.int64(3)), (X, np.int64(0)))


def test_unstack_and_scatter() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3).unstack(x)
        total = 0.0
        for i in range(ta.size()):
            total = total + ta.read(i)
        ta = ta.scatter([0, 2], np.array([7.0, 8.0]))
        return total, ta.stack()

    check(f, (X,))


def test_elements_of_several_lengths() -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, n, element_shape=[None])
        for i in range(n):
            ta = ta.write(i, x[: i + 1])
        return ta.concat(), ta.read(1)

    check(f, (X, np.int64(3)))


def test_a_copy_is_written() -> None:
    def f(x: Any) -> Any:
        row = x.copy()
        ta = ag.TensorArray(np.float64, 2).write(0, row).write(1, row + 1)
        return ta.stack(), row

    check(f, (X,))


def test_a_result_that_is_dropped() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3)
        ta.write(0, x)
        return ta.stack()

    def in_a_loop(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, n)
        for i in range(n):
            ta.write(i, x)
        return ta.stack()

    for run in (f, ag.function(f)):
        with pytest.raises(ag.errors.OwnershipError, match='dropped'):
            run(X)
    for run in (in_a_loop, ag.function(in_a_loop)):
        with pytest.raises(ag.errors.OwnershipError, match='dropped'):
            run(X, np.int64(3))


def test_branches_that_write() -> None:
    def both(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3)
        if n > 1:
            ta = ta.write(0, x)
        else:
            ta = ta.write(1, x * 2)
        return ta.stack(), ta.dtype, ta.dynamic_size

    def in_a_loop(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3, element_shape=[3])
        for i in range(n):
            if i > 1:
                ta = ta.write(i, x)
            elif i > 0:
                ta = ta.write(i, x * 2).write(0, x * 3)
        return ta.stack()

    def dropped(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3, element_shape=[3])
        if n > 1:
            ta.write(0, x)
        return ta.stack()

    for f in (both, in_a_loop):
        check(f, (X, np.int64(1)), (X, np.int64(3)))
    with pytest.raises(ag.errors.OwnershipError, match='dropped'):
        ag.function(dropped)(X, np.int64(2))


def test_arrays_that_trade_places() -> None:
    def f(x: Any, n: Any) -> Any:
        a, b = ag.TensorArray(np.float64, n), ag.TensorArray(np.float64, n)
        for i in range(n):
            a, b = b.write(i, x), a.write(i, x * 2)
        return a.stack(), b.stack()

    check(f, (X, np.int64(3)), (X, np.int64(2)))


def test_an_element_is_not_modified() -> None:
    def f(x: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3).unstack(np.stack([x, x, x]))
        row = ta.read(0)
        row += 1
        return ta.stack()

    with pytest.raises(ag.errors.OwnershipError, match='an element of a TensorArray'):
        ag.function(f)(X)


def test_what_does_not_fit() -> None:
    def dtype(x: Any) -> Any:
        return ag.TensorArray(np.int64, 3).write(0, x).stack()

    def shape(x: Any) -> Any:
        return ag.TensorArray(np.float64, 3, element_shape=[2]).write(0, x).stack()

    for f in (dtype, shape):
        for run in (f, ag.function(f)):
            with pytest.raises(ag.errors.StagingError, match='gets an element'):
                run(X)


def test_what_is_read_before_it_is_written() -> None:
    def f(x: Any, n: Any) -> Any:
        ta = ag.TensorArray(np.float64, 3).unstack(x)
        return ta.read(n)

    check(f, (X, np.int64(1)), (X, np.int64(3)))


def test_made_outside() -> None:
    ta = ag.TensorArray(np.float64, 3).unstack(X)
    assert ta.read(1) == 1.0

    @ag.function
    def f(x: Any) -> Any:
        return ta.read(0) + x

    with pytest.raises(ag.errors.OwnershipError, match='outside'):
        f(X)
