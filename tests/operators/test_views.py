"""Views by index: what is written through them is in the array, and they show what it holds now."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check
from sweep import differences, refusal

import autograph_lite as ag

X = np.arange(12.0).reshape(3, 4)


def write_to_an_item(x):
    y = x.copy()
    row = y[0]
    row[1] = 5
    return y


def add_in_place(x):
    y = x.copy()
    row = y[0]
    row += 1
    return y, row


def show_what_is_there_now(x):
    y = x.copy()
    row = y[0]
    y[0, 1] = 7
    return row + 1, y


def views_of_views(x):
    y = x.copy()
    rows = y[1:]
    row = rows[0]
    y[1, 0] = 100
    row[1] = 200
    return y, rows, row


def chained_indices(x):
    y = x.copy()
    y[1][2] += 3
    y[0][1:][0] = 9
    y[:, 1][::-1][0] *= 2
    return y


def overlapping(x):
    y = x.copy()
    a, b = y[:2], y[1:]
    a += b
    b *= a
    return y, a, b


def crossing(x):
    y = x.copy()
    row, column = y[0], y[:, 1]
    row[:] = 0
    column += 1
    return y, row, column


def array_has_another_name(x):
    y = x.copy()
    row = y[0]
    y = y * 2
    row += 1
    return y, row


def view_has_another_name(x):
    y = x.copy()
    row = y[0]
    same_row = row
    same_row += 1
    return row, y


def assigned_elsewhere(x):
    y = x.copy()
    row = y[0]
    y[1] = row
    row += 1
    y[2] = row
    return y


def assigned_to_itself(x):
    y = x.copy()
    y[0] = y[0]
    y[1:] = y[:-1]
    return y


def swapped(x):
    y = x.copy()
    row = y[0]
    y[0] = y[1]
    y[1] = row
    y[1], y[2] = y[2], y[1]
    return y


def functions_that_write(x):
    y = x.copy()
    y[0].sort()
    y[::-1][0][...] = 4
    np.add(y[0], 1, out=y[1])
    y[2].fill(3)
    np.copyto(y[0, :2], [7, 8])
    np.add.at(y[1], [0, 0], 1.5)
    return y


def counted(x):
    y = x.copy()
    row = y[0]
    for i in range(3):
        row[i] = i
    return y


def fields(x):
    y = np.zeros(3, [('a', 'i4'), ('b', 'f8')])
    y['a'] = [1, 2, 3]
    y['b'][0] = x[0, 1]
    column = y['b']
    column += 1
    return y['a'], y['b'], column


@pytest.mark.parametrize('f', [
    write_to_an_item, add_in_place, show_what_is_there_now, views_of_views, chained_indices,
    overlapping, crossing, array_has_another_name, view_has_another_name, assigned_elsewhere,
    assigned_to_itself, swapped, functions_that_write, counted, fields,
])  # fmt: skip
def test_views(f):
    assert differences(f, X) == []


def in_a_loop(x, n):
    y = x.copy()
    for i in range(n):
        y[i][0] += 3
        y[i, 1:][1] = i
        row = y[i]
        row *= 2
        y[i] = row
    return y


def in_a_branch(x, n):
    y = x.copy()
    if n > 1:
        row = y[0]
        row[1] = 5
        y[1] = row
    return y


def as_state(x, n):
    y = x.copy()
    row = y[0]
    while row[0] < n:
        row += 1
    return row


def in_a_condition(x, n):
    y = x.copy()
    while y[0][0] < n:
        y[0] += 1
    return y


def index_from_a_loop(x, n):
    y = x.copy()
    row = y[n]
    n = n + 1
    row += n
    y[n] = 0
    return y, row


@pytest.mark.parametrize('f', [in_a_loop, in_a_branch, as_state, in_a_condition, index_from_a_loop])
@pytest.mark.parametrize('n', [0, 1])
def test_views_in_staged_blocks(f, n):
    assert differences(f, X, np.int64(n)) == []


def test_a_bound_that_is_modified():
    def f(x, i):
        y = x.copy()
        bound = i.copy()
        rows = y[bound:]
        bound += 1
        rows += 1
        return y

    assert 'modified' in refusal(f, X, np.array(1))


def test_what_no_index_leads_back_to():
    def f(x):
        y = x.copy()
        turned = y.T
        turned[0] = 1
        return y

    assert '`turned[0] = 1`' in refusal(f, X)


def test_a_view_of_what_a_block_does_not_own():
    def f(x, n):
        y = x.copy()
        for i in range(n):
            row = y[i]
            row[0] = 1
        return y

    check(f, (X, np.int64(2)), (X, np.int64(0)))


def test_the_program_writes_in_place():
    code = ag.function(write_to_an_item).get_concrete_function(X).lowered_code
    assert code.count('copy') == 1
