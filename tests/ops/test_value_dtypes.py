"""Results that are real, or complex where the values ask for it: NumPy's own dtype, every time."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check
from sweep import differences, refusal

import autograph_lite as ag

TURNING = np.array([[0.0, -1], [1, 0]])
SYMMETRIC = np.array([[2.0, 1], [1, 3]])
X = np.array([[3.0, -1, 2], [0.5, 5, 4]])


def known_again(m):
    w = np.linalg.eigvals(m)
    most = np.argmax(abs(w))
    return abs(w), w.real, w.imag, w.astype(complex), w > 0, np.isreal(w), most, w.shape


def parts_and_sums(m):
    w, v = np.linalg.eig(m)
    return (
        w, v, w[0], w[::-1], w[w.real > 0], w.T, w.reshape(2, 1), v[:, np.argmax(abs(w))], -w,
        w * 2, 1 / w, w**2, v @ v, w.sum(), w.mean(), np.sort(w), np.exp(w),
        np.dot(w, w), np.outer(w, w),
        np.where(w.real > 0, w, 0), np.concatenate([w, w]), np.linalg.inv(np.diag(w)),
        np.iscomplexobj(w), np.zeros_like(w),
    )  # fmt: skip


def in_place(m):
    w = np.linalg.eigvals(m)
    out = np.zeros(2, complex)
    out[:] = w
    out += w
    w[0] = 1
    w += 1
    return out, w


def in_a_loop(m):
    w = np.linalg.eigvals(m)
    total = 0.0
    for each in w:
        total += abs(each)
        w = w * 2
    return total, w


def in_a_branch(m):
    w = np.linalg.eigvals(m)
    if m[0, 0] > 0:
        w = w / 2
    return w


@pytest.mark.parametrize('f', [known_again, parts_and_sums, in_place, in_a_loop, in_a_branch])
@pytest.mark.parametrize('m', [TURNING, SYMMETRIC, TURNING.astype('f4'), SYMMETRIC + 1j])
def test_eigenvalues(f, m):
    assert differences(f, m) == []


def test_one_trace_for_real_and_complex():
    check(parts_and_sums, (TURNING,), (SYMMETRIC,))


def widened(x):
    e = np.emath
    return (
        e.sqrt(x), e.log(x), e.log2(x), e.log10(x), e.logn(2, x), e.power(x, 2), e.power(x, -2),
        e.power(x, 0.5), e.arccos(x), e.arcsin(x), e.arctanh(x * 0.1 + 7),
    )  # fmt: skip


@pytest.mark.parametrize('x', [
    X, abs(X), X.astype('f4'), X.astype(int), abs(X).astype(int), X + 0j, np.float64(-2),
    np.float64(2), np.array(-2.0), np.int64(3),
])  # fmt: skip
def test_functions_with_a_wider_domain(x):
    assert differences(widened, x) == []


def polynomials(x):
    roots = np.roots(x)
    return roots, np.poly(x), np.real_if_close(x), np.poly(roots), len(roots), np.polyval(x, roots)


@pytest.mark.parametrize('x', [[1.0, -3, 2], [1.0, 0, 2], [1, 0, 2], [0.0, 0], [1, 2j], [1j, 0]])
def test_polynomials(x):
    assert differences(polynomials, np.array(x)) == []


@pytest.mark.parametrize('f', [
    lambda m: np.emath.sqrt(m).dtype,
    lambda m: np.floor(np.emath.sqrt(m)),
    lambda m: np.emath.sqrt(m)[0, 0].item(),
    lambda m: [np.emath.sqrt(m) for _ in ag.range(np.int64(2) + 0 * m[0, 0].astype(int))],
])  # fmt: skip
def test_what_needs_the_dtype(f):
    assert '`x.astype(complex)`' in refusal(f, SYMMETRIC)


def joined(x):
    roots = np.zeros(3)
    for _ in range(x.size):
        roots = np.emath.sqrt(x)
    first = np.emath.sqrt(x[0])
    if x[1] > 0:
        first = x[0]
    if x[1] > 5:
        return roots * 2, first, np.float64(3)
    return x + 0j, first + 1, first


@pytest.mark.parametrize('x', [[1.0, -3, 2], [-1.0, 1, 2], [1.0, 9, 2]])
def test_a_join_with_what_it_may_be(x):
    assert differences(joined, np.array(x)) == []


def test_a_join_with_what_it_never_is():
    def f(m, n):
        w = np.zeros(2, int)
        for _ in range(n):
            w = np.emath.sqrt(m[0])
        return w

    assert 'float64 or complex128' in refusal(f, SYMMETRIC, np.int64(2))
