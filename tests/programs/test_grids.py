"""Steps in time on a grid: a copy of the old values, two buffers that are swapped, or three."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

LINE = np.array([1.0, 0, 0, 0, 2])
PLATE = np.pad(np.zeros((3, 3)), 1, constant_values=1.0)
CELLS = (np.random.default_rng(0).random((5, 6)) > 0.6).astype(int)
SMALL = np.float64(1e-3)


def rk4(y, h, n):

    def f(y):
        return np.array([y[1], -y[0]])
    out = np.zeros((n + 1, 2))
    out[0] = y
    for i in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out[i + 1] = y
    return out


def rk_adapt(y, h, tol):
    t = 0.0
    ts = [t]
    ys = [y.copy()]
    while t < 1.0:
        if t + h > 1.0:
            h = 1.0 - t
        k1 = np.array([y[1], -y[0]])
        ym = y + h * k1
        k2 = np.array([ym[1], -ym[0]])
        y2 = y + h / 2 * (k1 + k2)
        err = np.abs(y2 - ym).max()
        if err < 0.01:
            t += h
            y = y2
            ts.append(t)
            ys.append(y.copy())
            h *= 1.5
        else:
            h *= 0.5
    return (np.array(ts), np.array(ys))


def heat_with_two_buffers(u, n):
    u = u.copy()
    un = np.empty_like(u)
    un[0] = u[0]
    un[-1] = u[-1]
    for _ in range(n):
        un[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, un = (un, u)
    return u


def heat_with_a_copy(u, n):
    u = u.copy()
    for _ in range(n):
        un = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = un[i] + 0.2 * (un[i + 1] - 2 * un[i] + un[i - 1])
    return u


def heat_with_a_new_array(u, n):
    for _ in range(n):
        new = np.zeros_like(u)
        new[0] = u[0]
        new[-1] = u[-1]
        for i in range(1, len(u) - 1):
            new[i] = u[i] + 0.2 * (u[i + 1] - 2 * u[i] + u[i - 1])
        u = new
    return u


def laplace(u, tol):
    u = u.copy()
    err = 1.0
    k = 0
    while err > tol and k < 500:
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2])
        err = np.max(np.abs(u - old))
        k += 1
    return (u, k)


def laplace_with_two_buffers(u, tol):
    u = u.copy()
    new = u.copy()
    while True:
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                new[i, j] = 0.25 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1])
        diff = np.abs(new - u).max()
        u, new = (new, u)
        if diff < tol:
            break
    return u


def wave_with_three_buffers(u0, n):
    um = u0.copy()
    u = u0.copy()
    up = np.zeros_like(u0)
    for _ in range(n):
        up[1:-1] = 2 * u[1:-1] - um[1:-1] + 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
        um, u, up = (u, up, um)
    return u


def wave_by_a_temporary(u0, n):
    um = u0.copy()
    u = u0.copy()
    up = u0.copy()
    for _ in range(n):
        for i in range(1, len(u) - 1):
            up[i] = 2 * u[i] - um[i] + 0.25 * (u[i + 1] - 2 * u[i] + u[i - 1])
        tmp = um
        um = u
        u = up
        up = tmp
    return (u, um)


def heat_with_history(u, n):
    hist = [u.copy()]
    for _ in range(n):
        un = u.copy()
        un[1:-1] += 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        hist.append(un)
        u = un
    return np.array(hist)


def smoothed(u):
    new = u.copy()
    for i in range(1, len(u) - 1):
        new[i] = (u[i - 1] + u[i + 1]) / 2
    return new


def by_a_helper(u, tol):
    prev = u - 1
    its = 0
    while np.abs(u - prev).max() > tol:
        prev = u
        u = smoothed(u)
        its += 1
    return (u, prev, its)


class Grid:

    def __init__(self, u):
        self.u = u.copy()
        self.tmp = np.empty_like(u)
        self.t = 0

    def step(self):
        self.tmp[:] = self.u
        self.tmp[1:-1] += 0.2 * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        self.u, self.tmp = (self.tmp, self.u)
        self.t += 1


def by_an_object(u, n):
    g = Grid(u)
    for _ in range(n):
        g.step()
    return (g.u, g.t)


def life(g, n):
    h, w = g.shape
    for _ in range(n):
        new = g.copy()
        for i in range(h):
            for j in range(w):
                t = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di or dj:
                            t += g[(i + di) % h, (j + dj) % w]
                if g[i, j] == 1 and (t < 2 or t > 3):
                    new[i, j] = 0
                elif g[i, j] == 0 and t == 3:
                    new[i, j] = 1
        g = new
    return g


def rule(cells, r, n):
    out = np.zeros((n, len(cells)), dtype=int)
    cur = cells.copy()
    for t in range(n):
        out[t] = cur
        nxt = np.zeros_like(cur)
        for i in range(len(cur)):
            k = 4 * cur[i - 1] + 2 * cur[i] + cur[(i + 1) % len(cur)]
            nxt[i] = r >> k & 1
        cur = nxt
    return out


def label(g):
    lab = np.zeros_like(g)
    h, w = g.shape
    nxt = 1
    for i in range(h):
        for j in range(w):
            if g[i, j]:
                lab[i, j] = nxt
                nxt += 1
    changed = True
    while changed:
        changed = False
        new = lab.copy()
        for i in range(h):
            for j in range(w):
                if lab[i, j]:
                    m = lab[i, j]
                    if i > 0 and 0 < lab[i - 1, j] < m:
                        m = lab[i - 1, j]
                    if j > 0 and 0 < lab[i, j - 1] < m:
                        m = lab[i, j - 1]
                    if i < h - 1 and 0 < lab[i + 1, j] < m:
                        m = lab[i + 1, j]
                    if j < w - 1 and 0 < lab[i, j + 1] < m:
                        m = lab[i, j + 1]
                    if m != lab[i, j]:
                        new[i, j] = m
                        changed = True
        lab = new
    return lab


CASES = [
    (rk4, (LINE[:2], np.float64(0.1), 20), (LINE[:2], np.float64(0.1), np.int64(20))),
    (rk_adapt, (np.array([1.0, 0]), np.float64(0.1), SMALL)),
    (heat_with_two_buffers, (LINE, 30), (LINE, np.int64(30))),
    (heat_with_a_copy, (LINE, 30), (LINE, np.int64(30))),
    (heat_with_a_new_array, (LINE, 30), (LINE, np.int64(30))),
    (wave_with_three_buffers, (LINE, 30), (LINE, np.int64(30))),
    (wave_by_a_temporary, (LINE, 30), (LINE, np.int64(30))),
    (heat_with_history, (LINE, 30), (LINE, np.int64(30))),
    (by_an_object, (LINE, 30), (LINE, np.int64(30))),
    (laplace, (PLATE, SMALL)),
    (laplace_with_two_buffers, (PLATE, SMALL)),
    (by_a_helper, (LINE, SMALL)),
    (life, (CELLS, 4), (CELLS, np.int64(4))),
    (rule, (CELLS[0], np.int64(30), 4), (CELLS[0], np.int64(30), np.int64(4))),
    (label, (CELLS,)),
]


@pytest.mark.parametrize('case', CASES, ids=lambda case: case[0].__name__)
def test_grids(case):
    f, *calls = case
    check(f, *calls, traces=len(calls), joins=True)
