"""Iterative methods as NumPy is used for them: the old array and the new one, until they agree."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

RANDOM = np.random.default_rng(0)
M = RANDOM.normal(size=(4, 4)) + 6 * np.eye(4)
S = M @ M.T
B = RANDOM.normal(size=4)
TINY = np.float64(1e-8)
POINTS = RANDOM.normal(size=(12, 2))


def jacobi(a, b, tol):
    x = np.zeros_like(b)
    while True:
        xn = x.copy()
        for i in range(len(b)):
            s = 0.0
            for j in range(len(b)):
                if j != i:
                    s += a[i, j] * x[j]
            xn[i] = (b[i] - s) / a[i, i]
        if np.max(np.abs(xn - x)) < tol:
            break
        x = xn
    return xn


def jacobi_with_a_limit(a, b, tol):
    x = np.zeros_like(b)
    for it in range(1000):
        xn = x.copy()
        for i in range(len(b)):
            xn[i] = (b[i] - a[i] @ x + a[i, i] * x[i]) / a[i, i]
        if np.max(np.abs(xn - x)) < tol:
            break
        x = xn
    return (xn, it)


def jacobi_with_two_buffers(a, b, tol, n):
    x = np.zeros(len(b))
    x_new = x.copy()
    d = np.diag(a)
    r = a - np.diag(d)
    for it in range(n):
        x_new[:] = (b - r @ x) / d
        if np.allclose(x, x_new, atol=tol):
            break
        x, x_new = (x_new, x)
    return x_new


def gauss_seidel(a, b, tol, n):
    x = np.zeros_like(b)
    for it in range(n):
        old = x.copy()
        for i in range(len(b)):
            s1 = a[i, :i] @ x[:i]
            s2 = a[i, i + 1:] @ old[i + 1:]
            x[i] = (b[i] - s1 - s2) / a[i, i]
        if np.linalg.norm(x - old, np.inf) < tol:
            break
    return (x, it)


def sor(a, b, tol, w):
    x = np.zeros_like(b)
    res = np.linalg.norm(a @ x - b)
    steps = 0
    while res > tol:
        for i in range(a.shape[0]):
            sigma = 0.0
            for j in range(a.shape[1]):
                if j != i:
                    sigma += a[i, j] * x[j]
            x[i] = (1 - w) * x[i] + w / a[i, i] * (b[i] - sigma)
        res = np.linalg.norm(a @ x - b)
        steps += 1
    return (x, steps)


def power_method(a, tol):
    v = np.ones(a.shape[0])
    lam = 0.0
    while True:
        w = a @ v
        lam_new = np.linalg.norm(w)
        w /= lam_new
        if abs(lam_new - lam) < tol:
            break
        v, lam = (w, lam_new)
    return (w, lam_new)


def power_method_with_a_limit(a, n):
    v = np.ones(a.shape[0])
    for _ in range(n):
        v_old = v
        v = a @ v
        v /= np.linalg.norm(v)
        if np.linalg.norm(v - v_old) < 1e-12:
            break
    return (v @ a @ v, v, v_old)


def cg(a, b, tol):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for i in range(len(b)):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        rs_new = r @ r
        if np.sqrt(rs_new) < tol:
            break
        p = r + rs_new / rs * p
        rs = rs_new
    return x


def steepest(a, b, tol):
    x = np.zeros_like(b)
    g = a @ x - b
    while np.linalg.norm(g) > tol:
        step = g @ g / (g @ a @ g)
        x -= step * g
        g = a @ x - b
    return x


def newton(x, tol):
    xn = x
    while True:
        x = xn
        f = np.array([x[0] ** 2 + x[1] ** 2 - 4, x[0] - x[1]])
        j = np.array([[2 * x[0], 2 * x[1]], [1.0, -1.0]])
        xn = x - np.linalg.solve(j, f)
        if np.abs(xn - x).max() < tol:
            break
    return xn


def secant(a, b, tol):
    fa, fb = (a ** 3 - 5, b ** 3 - 5)
    while abs(b - a) > tol:
        a, b = (b, b - fb * (b - a) / (fb - fa))
        fa, fb = (fb, b ** 3 - 5)
    return b


def bisect(a, b, tol):
    while b - a > tol:
        m = (a + b) / 2
        if m ** 2 - 2 > 0:
            b = m
        else:
            a = m
    return (a + b) / 2


def lu_pivot(a):
    a = a.copy()
    n = a.shape[0]
    p = np.arange(n)
    for k in range(n):
        m = k + np.argmax(np.abs(a[k:, k]))
        if m != k:
            a[[k, m]] = a[[m, k]]
            p[k], p[m] = (p[m], p[k])
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1:] -= a[i, k] * a[k, k + 1:]
    return (a, p)


def gram_schmidt(a):
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = q[:, i] @ a[:, j]
            v -= r[i, j] * q[:, i]
        r[j, j] = np.linalg.norm(v)
        q[:, j] = v / r[j, j]
    return (q, r)


def qr_alg(a, tol):
    ak = a.copy()
    while True:
        q, r = np.linalg.qr(ak)
        new = r @ q
        if np.abs(np.diag(new) - np.diag(ak)).max() < tol:
            break
        ak = new
    return np.diag(new)


def thomas(a, b, c, d):
    n = len(d)
    cp = c.copy()
    dp = d.copy()
    cp[0] /= b[0]
    dp[0] /= b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] /= m
        dp[i] = (dp[i] - a[i] * dp[i - 1]) / m
    x = dp
    for i in range(n - 2, -1, -1):
        x[i] -= cp[i] * x[i + 1]
    return x


def kmeans(x, k):
    c = x[:k].copy()
    while True:
        d = ((x[:, None] - c[None]) ** 2).sum(axis=2)
        lab = d.argmin(axis=1)
        new = c.copy()
        for j in range(k):
            m = lab == j
            if m.any():
                new[j] = x[m].mean(axis=0)
        if np.allclose(new, c):
            break
        c = new
    return (c, lab)


def em(x, tol):
    mu = np.array([x.min(), x.max()])
    sd = np.ones(2)
    pi = np.ones(2) / 2
    ll_old = -np.inf
    for it in range(100):
        p = pi * np.exp(-0.5 * ((x[:, None] - mu) / sd) ** 2) / sd
        tot = p.sum(axis=1, keepdims=True)
        r = p / tot
        n = r.sum(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / n
        sd = np.sqrt((r * (x[:, None] - mu) ** 2).sum(axis=0) / n) + 0.001
        pi = n / len(x)
        ll = np.log(tot).sum()
        if ll - ll_old < tol:
            break
        ll_old = ll
    return (mu, sd, pi, it)


def kalman(z):
    x = np.zeros(2)
    p = np.eye(2)
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    q = np.eye(2) * 0.01
    r = np.array([[0.1]])
    out = []
    for m in z:
        x = f @ x
        p = f @ p @ f.T + q
        y = m - h @ x
        s = h @ p @ h.T + r
        k = p @ h.T @ np.linalg.inv(s)
        x = x + k @ y
        p = (np.eye(2) - k @ h) @ p
        out.append(x)
    return (np.array(out), p)


def viterbi(obs, pi, a, b):
    n, t = (len(pi), len(obs))
    d = np.zeros((t, n))
    bp = np.zeros((t, n), dtype=int)
    d[0] = pi * b[:, obs[0]]
    for i in range(1, t):
        for j in range(n):
            s = d[i - 1] * a[:, j]
            bp[i, j] = np.argmax(s)
            d[i, j] = s[bp[i, j]] * b[j, obs[i]]
    path = [np.argmax(d[-1])]
    for i in range(t - 1, 0, -1):
        path.append(bp[i, path[-1]])
    return path[::-1]


def anneal(x, t):
    g = np.random.default_rng(3)
    cur = x
    best = x
    ce = (cur ** 2).sum()
    be = ce
    temp = 1.0
    while temp > t:
        cand = cur.copy()
        i = g.integers(len(x))
        cand[i] += g.normal() * 0.5
        e = (cand ** 2).sum()
        if e < ce or g.random() < np.exp((ce - e) / temp):
            cur, ce = (cand, e)
            if e < be:
                best, be = (cand, e)
        temp *= 0.95
    return (best, be)


def markov(p, t, tol):
    while True:
        q = p @ t
        if np.abs(q - p).sum() < tol:
            break
        p = q
    return q


CASES = [
    (jacobi, (M, B, TINY)),
    (jacobi_with_a_limit, (M, B, TINY)),
    (jacobi_with_two_buffers, (M, B, TINY, 50), (M, B, TINY, np.int64(50))),
    (gauss_seidel, (M, B, TINY, 50), (M, B, TINY, np.int64(50))),
    (sor, (M, B, TINY, np.float64(1.1))),
    (power_method, (S, TINY)),
    (power_method_with_a_limit, (S, 100), (S, np.int64(100))),
    (cg, (S, B, TINY)),
    (steepest, (S, B, TINY)),
    (newton, (np.ones(2), TINY)),
    (secant, (np.float64(1), np.float64(3), TINY)),
    (bisect, (np.float64(0), np.float64(3), TINY)),
    (lu_pivot, (M,)),
    (gram_schmidt, (M,)),
    (qr_alg, (S, TINY)),
    (thomas, (np.ones(4), np.full(4, 4.0), np.ones(4), B)),
    (kmeans, (POINTS, 3)),
    (em, (POINTS[:, 0], TINY)),
    (kalman, (B,)),
    (viterbi, (np.array([0, 1, 1, 0, 2]), np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]]),
     np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]))),
    (anneal, (B, np.float64(1e-3))),
    (markov, (np.array([0.1, 0.9]), np.array([[0.9, 0.1], [0.2, 0.8]]), TINY)),
]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case[0].__name__)
def test_iterative_methods(case):
    f, *calls = case
    check(f, *calls, traces=len(calls), joins=True)
