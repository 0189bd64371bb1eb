"""Numbers and arrays that one statement sets an item of an array to."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

ROWS = [(np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [-1.0, 2.0, 0.5]]),), (np.zeros((0, 3)),)]


def scaled(rows):
    out = np.empty_like(rows)
    for i, row in enumerate(rows):
        s = row.sum()
        out[i] = row / s if s else 0
    return out


def of_slices(rows):
    out = np.full((4, 3), -1.0)
    for i, row in enumerate(rows):
        out[i, :] = 0.5 if row[0] > 0 else row
        out[i : i + 2] = row * 2 if row[1] > 2 else np.float64(1)
    return out


def of_three_ways(rows):
    out = np.ones_like(rows)
    for i, row in enumerate(rows):
        out[i] = row if row[0] > 0 else (row * 3 if row[0] < 0 else row[1] - 7)
    return out


def of_integers(rows):
    out = np.zeros((3, 3), np.int32)
    for i, row in enumerate(rows.astype(int)):
        out[i] = row if row[0] > 0 else 9
    return out


def under_a_mask(rows):
    out = rows.copy()
    for row in rows:
        out[out > 1] = np.zeros(1) if row[0] > 0 else row[1]
    return out


@pytest.mark.parametrize('f', [scaled, of_slices, of_three_ways, of_integers, under_a_mask])
def test_items_of_arrays(f):
    check(f, *ROWS, traces=2)


OUTSIDE = np.zeros((3, 3))


def test_items_of_arrays_outside():
    def put(x, c):
        OUTSIDE[1] = x if c else 5.0
        return OUTSIDE.sum()

    for c in (True, False):
        OUTSIDE[:] = 0
        expected = put(ROWS[0][0][0], c), OUTSIDE.copy()
        OUTSIDE[:] = 0
        found = ag.function(put)(ROWS[0][0][0], np.bool_(c)), OUTSIDE.copy()
        np.testing.assert_equal(found, expected)


def in_a_list(x, c):
    items = [x, x]
    items[0] = x if c else 0.0
    return items


def in_a_dict(x, c):
    table = {'x': x}
    key = 'x'
    table[key] = x if c else 0.0
    return table


def of_another_type(x, c):
    out = np.zeros(3)
    out[:] = x.astype(int) if c else 0.5
    return out


def by_a_name(x, c):
    y = x if c else 0.0
    return y * x


@pytest.mark.parametrize('f', [in_a_list, in_a_dict, of_another_type, by_a_name])
def test_elsewhere_they_do_not_meet(f):
    x = ROWS[0][0][0]
    with pytest.raises(ag.errors.StagingError, match='axes against'):
        ag.function(f)(x, np.bool_(True))
    for c in (True, False):
        np.testing.assert_equal(ag.to_graph(f)(x, c), f(x, c))


def test_the_advice_where_they_do_not():
    def added(x, c):
        step = x if c else 1.0
        return np.ones(3) + step

    def as_advised(x, c):
        step = x if c else np.full((3,), 1.0, 'float64')
        return np.ones(3) + step

    x = ROWS[0][0][0]
    with pytest.raises(ag.errors.StagingError, match=r"`np.full\(\(3,\), ..., 'float64'\)`"):
        ag.function(added)(x, np.bool_(True))
    check(as_advised, (x, np.bool_(True)), (x, np.bool_(False)))
