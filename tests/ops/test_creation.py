"""Functions that make arrays, with sizes that are known, symbolic or unknown."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.evaluate import Traced, check
from sweep import differences

from autograph_lite.graph.types import type_of
from autograph_lite.operators.namespaces import np as ag_np

X = np.arange(6.0).reshape(2, 3)


def test_known_sizes() -> None:
    check(
        lambda x: (
            ag_np.zeros(3),
            ag_np.ones((2, 2), dtype=bool),
            ag_np.full(3, 7),
            ag_np.full((2,), 1.5, dtype='f4'),
            ag_np.full((2, 3), [1, 2, 3]),
            ag_np.empty(0),
            ag_np.zeros((), int),
            ag_np.zeros(shape=[2, 3]),
            ag_np.eye(3, k=1),
            ag_np.identity(2),
            ag_np.arange(5),
            ag_np.arange(1.0, 2.0, 0.25),
            ag_np.arange(200_000)[3],
            ag_np.linspace(0, 1, 5),
            ag_np.tri(3),
            ag_np.indices((2, 2)),
            ag_np.hanning(4),
            ag_np.tril_indices(3),
            ag_np.fromfunction(lambda i, j: i + j, (2, 2)),
        ),
        X,
    )


@pytest.mark.parametrize('n', [3, np.int32(3), np.array(3)])
def test_symbolic_sizes(n: Any) -> None:
    check(
        lambda n: (
            ag_np.zeros(n),
            ag_np.ones((n, 2), bool),
            ag_np.full(n, n),
            ag_np.eye(n),
            ag_np.arange(n),
            ag_np.arange(2, n),
            ag_np.arange(n, 0, -1, dtype='f4'),
            ag_np.linspace(0, 1, n),
        ),
        n,
    )


def test_arrays_like_others() -> None:
    check(
        lambda x: (
            ag_np.zeros(x.shape),
            ag_np.ones(x.shape[0]),
            ag_np.arange(x.shape[1]),
            np.zeros_like(x),
            np.full_like(x, 2, dtype=int),
            np.empty_like(x).shape,
        ),
        X,
    )


def test_arrays_of_data() -> None:
    check(
        lambda x: (
            ag_np.array([1, 2]),
            ag_np.array([[1.0, 2], [x[0, 0], x[0, 1]]]),
            ag_np.array([x[0], x[1]]),
            ag_np.array(x),
            ag_np.asarray(x),
            ag_np.array(x, dtype='f4', ndmin=3),
            ag_np.array(list(range(200))),
            ag_np.array([True, None is None]),
        ),
        X,
    )


def test_dtype_constructors() -> None:
    check(lambda x: (ag_np.float32(x), ag_np.float32(x[0, 0]), ag_np.int8(3)), X)
    check(lambda n: (ag_np.float32(n), ag_np.int64(n), ag_np.bool_(n), ag_np.complex64(n)), 2.5)
    assert type(ag_np.float32(1)) is np.float32


def test_every_run_has_its_own_array() -> None:
    def count(x: Any) -> Any:
        y = ag_np.zeros(3)
        z = ag_np.array([1.0, 2.0])
        y[1] += x[0, 1]
        z[0] += 1
        return y, z

    traced = check(count, X)
    assert traced is not None
    first, second = traced.run(X), traced.run(X)
    assert [a.tolist() for a in first] == [a.tolist() for a in second]
    assert first[0] is not second[0]


def test_asarray_is_the_array_itself() -> None:
    def write(x: Any) -> Any:
        y = x.copy()
        z = ag_np.asarray(y)
        z[0] = 1
        return y

    check(write, X)


def test_large_arrays_are_not_made_while_tracing() -> None:
    # No machine has the memory: making one of them would raise.
    Traced(
        lambda x: (ag_np.ones(10**15), ag_np.full((10**8, 10**7), 1.5), ag_np.arange(10**15)),
        type_of(X),  # type: ignore[arg-type]
    )


def test_outside_a_trace_it_is_numpy() -> None:
    assert isinstance(ag_np.zeros(3), np.ndarray)
    assert ag_np.linalg is np.linalg
    assert ag_np.pi == np.pi


CUBE = np.arange(24.0).reshape(2, 3, 4)


def test_shapes_of_arrays_of_unknown_lengths() -> None:
    def spread(x: Any) -> Any:
        shape = x.shape
        return np.broadcast_to(x, (2, *shape)), ag_np.full(shape, x), ag_np.full((2, *shape), x)

    check(spread, CUBE)


def test_an_array_is_given_as_it_is() -> None:
    def f(x):
        y, z = np.asarray(x), np.asarray(x, dtype=float)
        copies = np.asarray(x, 'f4'), np.array(x), np.asarray(x[0, 0])
        return y is x, z is x, np.asanyarray(x) is x, np.asarray([x]).shape, copies

    def written(x):
        x = np.asarray(x, dtype=float)
        y = np.asarray(x + 1)
        np.asarray(y)[0] = 5
        return x, y

    assert differences(f, np.eye(2)) == differences(written, np.eye(2)) == []
