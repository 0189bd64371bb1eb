"""Functions and methods without an op of their own: types found by asking NumPy, updates, views."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ops.evaluate import Traced, check

from autograph_lite import function
from autograph_lite.errors import OwnershipError, StagingError
from autograph_lite.graph.tensor import Tensor
from autograph_lite.graph.types import Shape, array_type

X = np.array([[3.0, -1.0, 2.0], [0.5, 5.0, 4.0]])
M = np.array([[2.0, 1.0], [1.0, 3.0]])


def test_reductions() -> None:
    for axis in (None, 0, 1, -1, (0, 1)):
        check(lambda x: (x.sum(axis), np.mean(x, axis), x.std(axis=axis), np.max(x, axis)), X)  # noqa: B023
        check(lambda x: np.any(x > 1, axis=axis, keepdims=True), X)  # noqa: B023
    check(lambda x: (x.argmin(), x.argmax(0), x.cumsum(), x.cumprod(1), np.ptp(x)), X)
    check(lambda x: (np.median(x), np.percentile(x, 50, axis=0), np.quantile(x, [0.1, 0.5])), X)
    check(lambda x: np.sum(x, axis=5), X)


def test_shapes() -> None:
    check(lambda x: (x.reshape(3, 2), x.reshape((3, 2)), np.reshape(x, -1), x.T), X, symbolic=False)
    check(lambda x: (x.reshape(-1), x.reshape(x.shape[0], -1), x.reshape(x.size), x.ravel()), X)
    check(lambda x: (x.flatten(), x.transpose(1, 0), x.swapaxes(0, 1), np.moveaxis(x, 0, 1)), X)
    check(lambda x: (np.expand_dims(x, 0), np.atleast_3d(x), np.flip(x), np.rot90(x)), X)
    check(lambda x: x.reshape(5, 2), X, symbolic=False)
    check(lambda x: np.squeeze(x[None]), X, symbolic=False)
    check(lambda x: np.broadcast_arrays(x, x[0], 1.0), X)


def test_joining_and_splitting() -> None:
    check(lambda x: (np.concatenate([x, x]), np.stack([x, x], -1), np.vstack([x, x[0]])), X)
    check(lambda x: (np.hstack((x, x)), np.tile(x, (2, 1)), np.repeat(x, 2), np.pad(x, 1)), X)
    check(lambda x: np.split(x, 3, axis=1), X)
    check(lambda x: np.concatenate([x, x[:, :1]]), X, symbolic=False)


def test_products() -> None:
    check(lambda x: (np.einsum('ij,kj->ik', x, x), np.dot(x, x.T), np.outer(x, x)), X)
    check(lambda x: (np.tensordot(x, x.T, 1), np.inner(x, x), np.kron(x, x), np.trace(x)), X)


def test_linear_algebra() -> None:
    check(lambda m: (np.linalg.inv(m), np.linalg.det(m), np.linalg.solve(m, m[0])), M)
    check(lambda m: (np.linalg.eigh(m), np.linalg.svd(m), np.linalg.qr(m)), M)
    check(lambda m: np.linalg.cholesky(m) @ m, M)
    check(lambda x: np.linalg.inv(x), X)


def test_sorting_and_selecting() -> None:
    check(lambda x: (np.sort(x), x.argsort(0), np.searchsorted(x[0], 2.0), np.unique(x)), X)
    check(lambda x: np.unique(x, return_counts=True), X)
    check(lambda x: (np.nonzero(x), np.where(x > 2), np.where(x > 2, x, 0), np.clip(x, 0, 3)), X)
    check(lambda x: (np.take(x, [0, 1], axis=1), x.take(0), np.choose([0, 1, 0], x)), X)
    check(lambda x: np.select([x > 2, x > 1], [x, -x], 0.0), X)
    check(lambda x: np.histogram(x, bins=3), X)


def test_copies() -> None:
    check(lambda x: (x.copy(), np.copy(x), x.astype('f4'), x.astype(int), x.round(1)), X)


def test_updates() -> None:
    def update(x: Any) -> Any:
        y = x.copy()
        y.sort(axis=0)
        np.copyto(y, y + 1)
        z = np.zeros_like(x[0])
        total = np.sum(x, axis=0, out=z)
        np.cumsum(x, axis=1, out=y)
        np.fill_diagonal(y, 7)
        np.put(y, [1, 2], [5, 6])
        y.fill(2.5)
        y.partition(1)
        return y, z, total

    check(update, X)


def test_what_an_update_may_not_touch() -> None:
    captured = np.zeros((2, 3))
    with pytest.raises(OwnershipError, match='captured array'):
        check(lambda x: np.copyto(captured, x), X)


def test_views_share_memory() -> None:
    for view in (np.ravel, np.transpose, lambda x: x.reshape(-1), lambda x: np.split(x, 2)[1]):
        def write(x: Any, view: Any = view) -> Any:
            y = x.copy()
            part = view(y)
            part[0] = 9
            return y

        with pytest.raises(OwnershipError):
            check(write, X)


def test_functions_of_types_are_answered_while_tracing() -> None:
    def kinds(x: Any) -> Any:
        assert not np.iscomplexobj(x)
        assert np.result_type(x, np.float32) == np.float64
        return x + np.ndim(x) + np.size(x, 0), x.shape, np.shape(x), x.nbytes, x.itemsize

    check(kinds, X)


def test_refusals() -> None:
    for call in (
        lambda x: np.save('file', x),
        lambda x: x.strides,
        lambda x: np.roots(x[0]).dtype,
        lambda x: np.result_type(x).foo,
    ):
        with pytest.raises((StagingError, AttributeError)):
            Traced(call, array_type('f8', (2, 3)))


@pytest.mark.parametrize(('call', 'instead'), [
    (lambda x: x.strides, 'outside of the function'),
    (lambda x: x.flags, 'outside of the function'),
])  # fmt: skip
def test_what_to_write_instead(call: Any, instead: str) -> None:
    with pytest.raises(StagingError, match=instead):
        Traced(call, array_type('f8', (2, 3)))


def shapes(function: Any, *inputs: Shape) -> Any:
    """The shapes of the results for arguments of these shapes."""
    traced = Traced(function, *(array_type('f8', shape) for shape in inputs))
    results = [result.type.shape for result in traced.results]
    return results[0] if len(results) == 1 else results


def test_long_axes_are_not_tried_at_their_length() -> None:
    n = 10**7
    assert shapes(lambda x: np.sum(x, axis=1), (n, 50)) == (n,)
    assert shapes(lambda x: np.concatenate([x, x[:5]]), (n, 50)) == (n + 5, 50)
    assert shapes(lambda x: np.diff(x, axis=0), (n, 50)) == (n - 1, 50)
    assert shapes(lambda x: np.ravel(x), (n, 50)) == (n * 50,)
    assert shapes(lambda x: np.reshape(x, (50, -1)), (n, 50)) == (50, n)
    assert shapes(lambda x: np.sort(x, axis=0), (n, 50)) == (n, 50)
    assert shapes(lambda x: np.unique(x), (n,)) == (None,)
    assert shapes(lambda x: np.linalg.inv(x), (2000, 2000)) == (2000, 2000)
    assert shapes(lambda x: np.repeat(x, 3, axis=0), (n, 2)) == (3 * n, 2)


@pytest.mark.parametrize('shape', [(10000, 50), (50, 10000)])
def test_the_shorter_of_two_long_axes(shape: Shape) -> None:
    found = shapes(lambda x: np.linalg.svd(x, full_matrices=False), shape)
    assert found == [(shape[0], 50), (50,), (50, shape[1])]


def test_unknown_axes() -> None:
    assert shapes(lambda x: x.sum(axis=0), (None, 3)) == (3,)
    assert shapes(lambda x: x @ x.T, (None, 3)) == (None, None)
    assert shapes(lambda x, y: x + y, (None, 3), (4, 1)) == (4, 3)
    assert shapes(lambda x, y: np.where(x > 0, x, y), (None,), (5,)) == (5,)
    assert shapes(lambda x: np.linalg.svd(x)[1], (None, 3)) == (None,)
    assert shapes(lambda x, y: np.cross(x, y), (7, 3), (7, 3)) == (7, 3)


def test_texts_and_dates() -> None:
    texts = np.array(['ab', 'Cd e'])
    dates = np.array(['2020-01-01', '2021-03-05'], 'M8[D]')
    check(lambda s: (s == 'ab', np.strings.str_len(s), s + s, s[0], np.sort(s)), texts)
    check(lambda d: (d[1] - d[0], d + 1, d > d[0], np.diff(d), d.astype('M8[s]'), d.max()), dates)


def test_the_same_handle_is_one_input() -> None:
    def double(x: Any) -> Any:
        assert isinstance(x, Tensor)
        return np.concatenate([x, x])

    traced = Traced(double, array_type('f8', (3,)))
    assert len(traced.graph.nodes[-1].inputs) == 1


BY_NAME = [
    lambda x: np.sum(a=x),
    lambda x: np.sum(a=x, axis=-1),
    lambda x: np.squeeze(a=x),
    lambda x: np.broadcast_to(array=x, shape=(2, 2, 2)),
    lambda x: np.transpose(a=x),
    lambda x: np.clip(a=x, a_min=1.0, a_max=2.0),
]


@pytest.mark.parametrize('f', BY_NAME, ids=range(len(BY_NAME)))
def test_the_array_itself_may_be_given_by_name(f):
    x = np.array([[3.0, 1.0], [2.0, 5.0]])
    np.testing.assert_array_equal(function(f)(x), f(x))


def test_functions_of_numpy_are_arguments():
    check(lambda x: (np.mask_indices(2, np.triu), np.apply_over_axes(np.sum, x, [0, 1])), X)
    check(lambda x: x.view(np.ndarray), X)
