"""A loop over what its body changes, beside what else the loop and those around it are given."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

M = np.arange(8.0).reshape(2, 4)
N = np.int64(3)


class Box:
    def __init__(self, a):
        self.a = a


def a_row_in_a_branch(m, n):
    row = m[0]
    if n > 0:
        for x in row:
            m[0, 1] -= x
    return m


def rows_in_a_branch(m, n):
    row = m[0]
    if n > 0:
        for x, _ in zip(row, m):
            m[0, 1] -= x
    return m


def beside_an_attribute(m, n):
    x = m[0] * 2
    box = Box(x * 2)
    items = [x, x - 1]
    for i in range(n):
        for _ in items[1]:
            items[1][i] = 7
            box.a += 1
            x[1] = 0
    return x, box.a, items


def of_an_object(m, n):
    y = m[0] * 2
    z = y
    box = Box(y)
    items = [m, y]
    count = 0
    while count < n:
        count += 1
        items[1] = y
        for _ in z:
            box.a += n
        y[0] = 2.5
    return y


def of_an_object_that_is_swapped(m, n):
    row = m[0]
    one, other = Box(row), Box(np.zeros(4))
    if n > 0:
        one, other = other, one
        for _ in zip(row, m):
            m[0, 1] -= 2.5
            one.a[0] -= sum(row)
    return m


@pytest.mark.parametrize('f', [
    a_row_in_a_branch, rows_in_a_branch, beside_an_attribute, of_an_object,
    of_an_object_that_is_swapped,
])
def test_what_turns_change(f):
    check(f, (M, N), (M, np.int64(0)))


def positive(m):
    rows = []
    for row in m:
        if row[0] > 0:
            rows.append(row.copy())
    return rows


def test_arrays_of_a_list_are_changed_by_its_indices():
    def over(m):
        rows = positive(m)
        for row in list(rows):
            row += 1
        return rows

    def by_index(m):
        rows = positive(m)
        for i in range(len(rows)):
            row = rows[i].copy()
            row += 1
            rows[i] = row
        return rows

    def another(m):
        rows = positive(m)
        rows = [row + 1 for row in rows]
        return rows

    with pytest.raises(ag.errors.OwnershipError, match=r'x = xs\[i\]\.copy'):
        ag.function(over)(M)
    check(by_index, (M,), (-M,))
    check(another, (M,), (-M,))
