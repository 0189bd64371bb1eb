"""What an expression has evaluated, while what comes after it binds the names of that anew."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.float64(0.5),), (np.float64(2.0),)]


class Buffer:
    def __init__(self, x):
        self.items = [x]
        self.table = {'a': x, 'b': 1.0}
        self.values = np.array([x, x])

    def flush(self, x):
        if x > 1:
            self.items = [x]
            self.table = {'a': x + 7, 'b': 2.0}
            self.values = np.zeros(2)
        return x * 3

    def replaced(self, x):
        self.values = np.zeros(2)
        self.table = {'a': 0.0, 'b': 2.0}
        return x * 3

    def grown(self, x):
        if x > 1:
            self.items.append(x)
        return x * 3


def put(items, x):
    items.append(x)
    return items


def appended(x):
    buffer = Buffer(x)
    buffer.items.append(buffer.flush(x))
    return buffer.items


def passed_on(x):
    buffer = Buffer(x)
    put(buffer.items, buffer.flush(x))
    return buffer.items


def passed_by_name(x):
    buffer = Buffer(x)
    put(x=buffer.flush(x), items=buffer.items)
    put(items=buffer.items, x=buffer.flush(x))
    return buffer.items


def item_added_to(x):
    buffer = Buffer(x)
    buffer.table['a'] += buffer.flush(x)
    return buffer.table


def updated(x):
    buffer = Buffer(x)
    buffer.table.update(a=buffer.flush(x))
    return buffer.table


def nonlocal_list(x):
    items = [x]

    def flush(x):
        nonlocal items
        if x > 1:
            items = [x]
        return x

    items.append(flush(x))
    return items


def in_a_tuple(x):
    table = {'a': x}

    def flush(x):
        nonlocal table
        if x > 1:
            table = {'a': x + 1}
        return x

    both = table, flush(x)
    both[0]['a'] = 7.0
    return table, both


@pytest.mark.parametrize('f', [
    appended, passed_on, passed_by_name, item_added_to, updated, nonlocal_list, in_a_tuple,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_a_branch_may_have_replaced_meanwhile_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='call first: `y = g'):
        ag.function(f)(np.float64(2.0))


def called_first(x):
    buffer = Buffer(x)
    y = buffer.flush(x)
    buffer.items.append(y)
    buffer.table['a'] += y
    return buffer.items, buffer.table


def an_array(x):
    buffer = Buffer(x)
    buffer.values[0] += buffer.flush(x)
    return buffer.values


def always_replaced(x):
    buffer = Buffer(x)
    buffer.values[0] += buffer.replaced(x)
    table = buffer.table
    buffer.table['a'] += buffer.replaced(x)
    return buffer.values, buffer.table, table


def an_index(x):
    values, i = np.array([x, x]), 0

    def step():
        nonlocal i
        i += 1
        return x * 3

    values[i] += step()
    return values, i


def only_grown(x):
    buffer = Buffer(x)
    put(buffer.items, buffer.grown(x))
    buffer.table['a'] += buffer.grown(x)
    return len(buffer.items), buffer.items[-1], buffer.table


@pytest.mark.parametrize(
    'f', [called_first, an_array, always_replaced, an_index, only_grown],
    ids=lambda f: f.__name__)
def test_the_one_that_was_evaluated_is_changed(f):
    check(f, *CALLS)


def bubbled(v):
    for i in range(len(v)):
        for j in range(len(v) - 1 - i):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v


def test_two_items_trade_places():
    check(bubbled, (np.array([5, 5, -1, 2]),), (np.array([1, 2, 3, 4]),), (np.array([4, 3, 2, 1]),))
