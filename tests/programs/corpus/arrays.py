"""Arrays: in place, views, masks, aliases, shapes, dtypes, structured and string arrays."""
from __future__ import annotations

import numpy as np
from programs.rows import A, F, I, program

V = A(1.0, -2.0, 3.0, -4.0)
M = np.arange(12.0).reshape(3, 4)


@program(V, -V)
def fill_in_a_loop(v):
    out = np.zeros(len(v))
    for i in range(len(v)):
        out[i] = v[i] * 2 if v[i] > 0 else v[i]
    return out


@program((V, F(2.0)), (-V, F(0.0)))
def copy_then_change(v, x):
    w = v.copy()
    w[0] = x
    w[w < 0] = 0
    return v, w


@program((V, F(2.0)), (-V, F(0.0)))
def a_new_name_for_an_array(v, x):
    w = v * 1
    u = w
    u[0] = x
    return w[0], u[0]


@program((V, F(2.0)), (-V, F(0.0)))
def write_through_a_view(v, x):
    w = v * 1
    part = w[1:3]
    part += x
    part[0] = 7
    return w


@program((M, F(2.0)), refused='modified through another name')
def rows_are_views(m, x):
    m = m.copy()
    for row in m:
        row += x
        row[0] = 0
    return m


@program((M, F(2.0)), refused='modified through another name')
def columns_and_transposes(m, x):
    m = m.copy()
    t = m.T
    t[0] = x
    m[:, 1] *= 2
    return m, t.shape


@program((M, I(1)), (-M, I(0)))
def index_by_a_tensor(m, i):
    row = m[i]
    return row.sum(), m[i, i + 1], m[:i].shape, m[-i:].sum()


@program((V, A(True, False, True, False)), (V, A(False, False, False, False)))
def boolean_masks(v, mask):
    w = v.copy()
    w[mask] += 10
    return w, v[mask], v[~mask].sum()


@program((V, A(0, 0, 3)), (V, A(1, 2, 1)))
def fancy_indices(v, index):
    w = v.copy()
    w[index] = 0
    np.add.at(w, index, 1)
    return w, v[index]


@program(V, -V)
def where_and_select(v):
    return (
        np.where(v > 0, v, 0), np.select([v > 2, v > 0], [v * 2, v], -1), np.clip(v, -1, 1),
        np.piecewise(v, [v > 0], [1, -1]))


@program(V, np.zeros(4))
def nonzero_counts(v):
    return np.count_nonzero(v), np.argwhere(v > 0).shape[1], np.flatnonzero(v > 0)


@program(M, -M)
def reductions(m):
    return (
        m.sum(), m.mean(axis=0), m.max(axis=1, keepdims=True), m.argmin(), m.std(), m.prod(axis=1),
        np.any(m > 10), np.all(m >= 0, axis=0), np.ptp(m), m.cumsum(axis=1))


@program(M, -M)
def reshapes(m):
    return (
        m.reshape(4, 3), m.ravel(), m.T, m[None].shape, np.expand_dims(m, 1).shape,
        np.squeeze(m[:1]), np.swapaxes(m, 0, 1), m.reshape(-1, 2)[0])


@program((V, M), (-V, -M))
def joins_of_arrays(v, m):
    return (
        np.concatenate([v, m[0]]), np.stack([v, v]), np.vstack([v, m]), np.hstack([v, v]),
        np.append(v, 1.0), np.split(v, 2), np.tile(v, 2), np.repeat(v, 2))


@program((M, V), (-M, V))
def products(m, v):
    return (
        m @ v, np.dot(v, v), np.outer(v, v), np.einsum('ij,j->i', m, v), np.cross(v[:3], v[1:]),
        np.tensordot(m, m, axes=2), np.inner(m, v), np.kron(v[:2], v[:2]))


@program(V, A(5.0, 5.0, 1.0, 0.0))
def sorting(v):
    return (
        np.sort(v), np.argsort(v), np.unique(v), np.searchsorted(np.sort(v), 0.5), np.median(v),
        np.percentile(v, 30), np.partition(v, 1)[1])


@program(A(1, 2, 2, 3), A(0, 0, 0, 0))
def integers(v):
    return (
        v // 2, v % 2, v << 1, v & 1, v ^ 3, ~v, v / 2, v**2, np.bincount(v), v.astype(np.int8),
        v.sum(), v.mean(), -v // 2)


@program(A(1, 2, 250).astype(np.uint8), A(0, 0, 0).astype(np.uint8))
def small_integers_wrap(v):
    w = v + np.uint8(10)
    for i in range(3):
        w[i] += 1
    return w, w.sum(), v * 2


@program(V.astype(np.float32), -V.astype(np.float32))
def single_precision(v):
    total = np.float32(0)
    for x in v:
        total += x * 0.1
    return total, v.mean(), v * 2.0, np.sqrt(np.abs(v)), v + 1


@program(V + 1j, V * 1j)
def complex_numbers(z):
    total = 0j
    for x in z:
        if x.real > 0:
            total += x.conjugate() * 2
        else:
            total -= abs(x)
    return total, np.angle(z), z.imag


@program((V, F(0.0)), (V, F(2.0)))
def an_array_rebound_in_a_branch(v, x):
    w = v
    if x > 1:
        w = v * 2
    elif x > 0:
        w = w + 1
    return w


@program((V, I(3)), (V, I(0)))
def an_array_that_grows(v, n):
    out = np.zeros(0)
    for i in range(n):
        out = np.append(out, v[i])
    return out


@program((V, I(3)), (V, I(0)))
def an_array_that_shrinks(v, n):
    for _ in range(n):
        v = v[1:]
    return v, v.size


@program(V, -V)
def a_sliding_window(v):
    return np.array([v[i : i + 2].sum() for i in range(len(v) - 1)])


@program((V, F(2.0)), (-V, F(1.0)))
def two_arrays_swapped_in_a_loop(v, x):
    a, b = v.copy(), np.zeros_like(v)
    for _ in range(3):
        b[1:] = a[:-1] * x
        b[0] = a[-1]
        a, b = b, a
    return a, b


@program((V, F(2.0)), (-V, F(1.0)))
def double_buffering_in_a_staged_loop(v, x):
    a, b = v.copy(), np.zeros_like(v)
    while x < 10:
        b[:] = a * 0.5 + x
        a, b = b, a
        x = x + 3
    return a, b


@program((M, F(0.5)), (-M, F(100.0)))
def normalise_rows(m, limit):
    m = m.copy()
    for i in range(m.shape[0]):
        norm = np.sqrt((m[i] ** 2).sum())
        if norm > limit:
            m[i] /= norm
    return m


@program(M, M.T.copy(), traces=2)
def shapes_as_numbers(m):
    n, k = m.shape
    total = 0
    for i in range(n):
        total += i * k
    return total, m.ndim, m.size / 2, len(m) * 2


@program((V, 2), (V, 3), traces=2)
def python_size(v, n):
    return np.zeros(n) + v[:n], np.arange(n), np.linspace(0, 1, n), np.eye(n), np.full(n, 7)


@program((V, I(2)), (V, I(4)))
def tensor_size(v, n):
    return np.zeros(n).sum() + v[:n].sum(), np.arange(n), np.ones((n, 2)).shape


@program((V, F(3.0)), (-V, F(-3.0)))
def augmented_on_two_names(v, x):
    total = v.copy()
    if x > 0:
        total += x
    else:
        total -= x
    total *= 2
    return total, v


@program(np.array([(1, 2.0), (3, -4.0)], dtype=[('n', 'i8'), ('x', 'f8')]))
def structured_arrays(records):
    total = records['x'].sum()
    out = records.copy()
    out['n'] += 1
    if total < 0:
        out['x'][0] = 9.0
    return total, out


@program(A('a', 'bc', 'd'), A('', 'xy', 'y'))
def arrays_of_strings(names):
    return np.char.upper(names), names == 'a', np.char.str_len(names)


@program(A('2024-01-01', '2024-03-01').astype('M8[D]'))
def dates(days):
    return (days[1] - days[0]).astype(int), days + np.timedelta64(1, 'D')


@program((V, F(2.0)), (V, F(-2.0)))
def in_place_in_both_branches(v, x):
    w = v.copy()
    if x > 0:
        w[0] = x
        w[1:] = 0
    else:
        w[-1] = x
    w += 1
    return w


@program((V, F(2.0)), refused="`ndarray.flat` is not assigned to")
def flat_and_iteration(v, x):
    m = np.zeros((2, 2))
    m.flat[0] = x
    m.ravel()[3] = v[0]
    total = F(0.0)
    for y in m.flat:
        total += y
    return m, total


@program((V, F(2.0)))
def nan_and_inf(v, x):
    w = np.array([x, np.nan, np.inf, -np.inf])
    return np.nansum(w[:2]), np.isnan(w), np.nan_to_num(w), np.isfinite(w).sum(), np.nanmax(w[:2])


@program((M, I(1), F(5.0)), (M, I(2), F(-1.0)))
def swap_rows(m, i, x):
    m = m.copy()
    if x > 0:
        m[[0, i]] = m[[i, 0]]
    tmp = m[0].copy()
    m[0] = m[i]
    m[i] = tmp
    return m


@program((V, F(1.0)), (V, F(-1.0)))
def a_view_kept_and_the_base_changed(v, x):
    w = v.copy()
    head = w[:2]
    w[0] = x
    return head.sum()


@program((V, F(1.0)), (V, F(-1.0)))
def a_view_in_a_branch(v, x):
    w = v.copy()
    if x > 0:
        w[1:3][0] = x
    return w


@program((np.zeros((3, 3)), I(4)), (np.ones((3, 3)), I(0)))
def spiral(m, n):
    m = m.copy()
    r, c, dr, dc = 0, 0, 0, 1
    for k in range(n):
        m[r, c] = k + 1
        if not (0 <= r + dr < 3 and 0 <= c + dc < 3) or m[r + dr, c + dc] != 0:
            dr, dc = dc, -dr
        r, c = r + dr, c + dc
    return m


@program((M,), (-M,))
def prefix_sums(m):
    s = np.zeros((m.shape[0] + 1, m.shape[1] + 1))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s[i + 1, j + 1] = m[i, j] + s[i, j + 1] + s[i + 1, j] - s[i, j]
    return s[-1, -1]


@program((V, F(0.5)), (V * 3, F(0.1)))
def threshold_until(v, rate):
    v = v.copy()
    while np.abs(v).max() > 1:
        v[np.abs(v) > 1] *= rate
    return v
