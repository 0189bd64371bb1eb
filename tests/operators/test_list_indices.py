"""Lists that staged blocks make, as indices of arrays."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([[1.0, 2.0], [-3.0, 1.0], [4.0, 0.0]])
NONE = X - 10


def test_rows_are_chosen_by_a_comprehension():
    def positive(x):
        return x[[i for i in range(len(x)) if x[i, 0] > 0]]

    check(positive, (X,), (-X,), (NONE,))


def test_rows_and_columns_are_chosen_by_a_list():
    def chosen(x):
        rows = []
        for i in range(len(x)):
            if x[i, 0] > 0:
                rows.append(i)
        return x[rows, 0], x[rows][:, 0], x[:, 0][rows]

    check(chosen, (X,), (-X,), (NONE,))


def test_what_a_list_chooses_is_set():
    def marked(x):
        rows = [i for i in range(len(x)) if x[i, 0] > 0]
        y = x.copy()
        y[rows] += 1
        y[rows] *= 2
        y[rows, 1] = 7
        return y

    check(marked, (X,), (-X,), (NONE,))


def test_truths_choose_rows():
    def positive(x):
        return x[[row[0] > 0 for row in x]]

    check(positive, (X,), (-X,), (NONE,))


def test_methods_take_a_list():
    def taken(x):
        rows = [i for i in range(len(x)) if x[i, 0] > 0]
        return x.take(rows, 0), x[np.ix_(rows, [0, 1])]

    check(taken, (X,), (-X,))


def test_lists_of_unknown_arrays():
    def chosen(x):
        return x[[i for i in range(x.shape[0])]], x[(x[:, 0] > 0).tolist()]

    f = ag.function(chosen, input_signature=[ag.TensorSpec([None, 2], np.float64)])
    for x in X, -X, NONE, np.zeros((0, 2)):
        for got, wanted in zip(f(x), chosen(x), strict=True):
            np.testing.assert_array_equal(got, wanted)


def slices_of_a_list(xs):
    items = [xs[0], xs[1], xs[2]]
    n = 0
    for x in xs:
        if x > 0:
            n += 1
    return items[n:], items[:n], items[1:], items[-n:]


def test_a_list_is_sliced_by_tensors():
    check(slices_of_a_list, (np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -2.0, -3.0]),))


def rows_of_lists(xs):
    seen = [[False] * 2, [False] * 2]
    for i, x in enumerate(xs):
        seen[i][1] = x > 0
    return seen


def test_a_row_of_lists_is_set():
    check(rows_of_lists, (np.array([1.0, -2.0]),), (np.array([-1.0, 2.0]),), joins=True)


def an_item_set(i, x):
    items = other = [1, 2, 3]
    items[i] = 7
    other.append(x)
    return items, other


def items_swapped(i, x):
    items = [1.0, 2.0, 3.5]
    items[0], items[i] = items[i], items[0]
    items[i] += 1
    return items, sum(items)


def an_item_deleted(i, x):
    rows = {'a': [(1, x), (2, x), (3, x)]}
    del rows['a'][i]
    return rows


def nothing_set(i, x):
    items = [x, x, x]
    items[i] = None
    return items


class Row:
    def __init__(self):
        self.items = [1, 2, 3]

    def put(self, i, x):
        self.items[i] = x


def an_item_set_by_a_method(i, x):
    row = Row()
    row.put(i, 5)
    row.put(0, 4)
    return row.items


@pytest.mark.parametrize(
    'f', [an_item_set, items_swapped, an_item_deleted, nothing_set, an_item_set_by_a_method])
def test_items_that_only_the_running_graph_knows(f):
    check(f, *((np.int64(i), np.int64(3)) for i in (0, 1, -1, 5, -4)))


OUTSIDE = [1, 2, 3]


def test_a_list_that_lives_outside():
    def f(i):
        OUTSIDE[i] = 4

    ag.function(f)(np.int64(1))
    assert OUTSIDE == [1, 4, 3]
