"""Views that staged blocks write to: the array in which they lie has what was written, too."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, -2, 3])
M = np.array([[1.0, 2, -3], [-1, 5, 4], [2, 0.5, -6]])
WEIGHTS = np.arange(9.0).reshape(3, 3)


def part_in_a_branch(x):
    v = x[1:]
    if v[0] < 0:
        v[0] = 0
    return x


def part_in_one_branch_and_new_in_the_other(x):
    v = x[1:]
    if x[0] > 0:
        v[0] = 1
    else:
        v = v * 2
    return x, v


def array_in_a_branch(x):
    v = x[1:]
    if x[0] > 0:
        x[1] = 9
        v[1] = 4
    w = v + 1
    v[0] = 3
    return x, v, w


def part_in_a_loop(x):
    v = x[1:]
    while v[0] < 4:
        v += 1
    return x


def array_in_a_loop(x):
    v = x[:2]
    for i in range(int(x[0]) % 3):
        x[i] = v[1] + 1
    return x, v


def scale(v):
    v[0] = 7
    v *= 2


def by_a_helper(x):
    v = x[1:]
    if v[0] < 0:
        scale(v)
    if x[0] > 0:
        scale(x[:2])
    return x


def limit(v, most):
    if v[0] > most:
        v[0] = most


def by_a_helper_in_blocks(x):
    v = x[1:]
    if np.any(x > 0):
        limit(v, x[1] - 1)
        for _ in range(int(x[0]) % 3):
            limit(v[1:], -5)
            x[0] -= 1
    return x, v


@pytest.mark.parametrize('f', [
    part_in_a_branch, part_in_one_branch_and_new_in_the_other, array_in_a_branch, part_in_a_loop,
    array_in_a_loop, by_a_helper, by_a_helper_in_blocks,
])  # fmt: skip
def test_parts(f):
    check(f, (X,), (-X,))


def two_parts(m, k):
    top, bottom = m[:k], m[k:]
    for _ in range(k):
        top += 1
        bottom *= 2
        top[0] = bottom[-1]
    return m, top, bottom


def rows_and_columns(m, k):
    row, column = m[k], m[:, 1]
    if m[0, 0] > 0:
        row += 1
    if m[1, 1] > 0:
        column += row[0]
    return m, row, column


def views_of_views(m, k):
    rows = m[1:]
    row = rows[0]
    if m[0, 0] > 0:
        row[k] = 9
    for i in range(k):
        rows[i, 1] = row[0]
    return m, row


def in_containers(m, k):
    parts = {'first': m[0], 'others': [m[1:], m[k]]}
    if m[0, 0] > 0:
        parts['first'][1] = 2
    for part in parts['others']:
        if part.sum() > 0:
            part += k
    return m


def in_a_try_block(m, k):
    row = m[0]
    try:
        if m[0, 0] > 0:
            row[k + 1] = 3
    except IndexError:
        row[0] = 2
    return m


@pytest.mark.parametrize(
    'f', [two_parts, rows_and_columns, views_of_views, in_containers, in_a_try_block])
def test_several_views(f):
    check(f, (M, np.int64(1)), (-M, np.int64(2)))


def in_a_branch(m):
    for row in m:
        if row[0] > 0:
            row /= row[0]
    return m


def of_a_copy(m):
    m = m * 2
    for row in list(m):
        if row[0] > 0:
            row[:] = row[::-1]
        else:
            row.sort()
    return m


def with_numbers(m):
    for i, row in enumerate(m):
        if row[0] > 0:
            row[i] = i
    return m


def side_by_side(m):
    n = m * 2
    for row, other in zip(m, n):
        if row[0] > 0:
            other += row
            row[1] = other[0]
    return m, n


def every_other(m):
    for row in m[::2]:
        if row[0] > 0:
            row.fill(1)
        else:
            np.add(row, 1, out=row)
    return m


def nested(m):
    for row in m:
        for j in range(len(row)):
            if row[j] < 0:
                row[j] = -row[j]
    return m


def nested_items(m):
    for row in m.T:
        for j, v in enumerate(row):
            if v < 0:
                row[j] = v * v
    return m


def left_early(m):
    for row in m:
        if row[1] > 4:
            break
        row[0] = 9
    return m


def normalize(m):
    for row in m:
        if row[0] > 1:
            row /= row.max()


def in_a_called_function(m):
    part = m[:, 1:]
    if m[0, 0] > 0:
        normalize(m)
    normalize(part)
    return m


def swapped(m):
    for row, following in zip(m[::2], m[1:]):
        if row[0] > following[0]:
            row[:], following[:] = following.copy(), row.copy()
    return m


@pytest.mark.parametrize('f', [
    in_a_branch, of_a_copy, with_numbers, side_by_side, every_other, nested, nested_items,
    left_early, in_a_called_function, swapped,
])  # fmt: skip
def test_rows(f):
    check(f, (M,), (-M,))


def test_rows_of_a_captured_array():
    def add_rows(m):
        for row, weights in zip(m, WEIGHTS):
            if row[0] > 0:
                weights += row
        first = WEIGHTS[0]
        if m[0, 0] > 0:
            first[0] = 100
        return m

    before, expected = WEIGHTS.copy(), WEIGHTS.copy()
    expected[[0, 2]] += M[[0, 2]]
    expected[0, 0] = 100
    try:
        ag.function(add_rows)(M.copy())
        assert np.array_equal(WEIGHTS, expected)
    finally:
        WEIGHTS[...] = before


def raveled(m, k):
    flat = m.ravel()
    for i in range(k):
        if flat[i] > 0:
            flat[i] = -i
    return m, flat


def flat_items(m, k):
    flat = m.flat
    for i in range(k):
        if m[0, 0] > 0:
            flat[i] = i
    return m


def diagonal(m, k):
    d = np.einsum('ii->i', m)
    if m[0, 0] > 0:
        d[:k] = 0
    return m


@pytest.mark.parametrize('f', [raveled, flat_items, diagonal])
@pytest.mark.parametrize('m', [M, M.T.copy(order='F')])
def test_what_may_be_a_copy(f, m):
    check(f, *[(m, np.int64(k)) for k in (0, 2)])


def test_what_views_of_an_array_are_written_after_a_loop():
    def f(x, n):
        v = x[1:]
        for i in range(n):
            x[i] = i
        v[0] = 5
        x[1] = 7
        return x, v

    check(f, (X, np.int64(2)), (X, np.int64(0)))


def test_rows_are_written_in_place():
    code = ag.function(in_a_branch).get_concrete_function(M).lowered_code
    assert code.count('copy') == 1  # of the argument, at the beginning
