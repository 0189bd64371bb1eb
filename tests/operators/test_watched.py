"""Lists, dicts and objects that may be one or two when the graph runs."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, 2.0, -3.0])


@dataclass
class Point:
    x: float


def one_of_two_lists(xs):
    a = [xs[0], xs[1]]
    b = a if xs[0] > 0 else [xs[1], xs[2]]
    b[0] = xs[2]
    return a, b


def the_other_name(xs):
    a = [xs[0]]
    b = a if xs[0] > 0 else [xs[1]]
    a.append(xs[1])
    return b


def one_of_two_objects(xs):
    a = Point(xs[0])
    b = a if xs[0] > 0 else Point(xs[1])
    b.x = xs[2]
    return a.x, b.x


def the_best_row(xs):
    best = None
    for x in xs:
        row = [x, x * 2]
        if best is None or row[0] > best[0]:
            best = row
        row[1] = x * 3
    return best


def the_last_dict(xs):
    d = {'x': xs[0]}
    last = {'x': xs[1]}
    for x in xs:
        last = d
        d['x'] = x
    return last, d


def a_dict_in_one_branch(xs):
    d = {'x': xs[0]}
    best = {'x': xs[1]}
    for x in xs:
        if x > 0:
            best = d
        d['x'] = x
    return best, d


def trading_places(xs):
    a = [xs[0], xs[0]]
    b = [xs[1], xs[1]]
    for x in xs:
        a, b = b, a
        a[0] = x
    return a, b


def a_row_of_a_list(xs):
    rows = []
    row = [0.0]
    for x in xs:
        rows.append(row)
        row[0] = x
    return rows


def a_dict_that_a_helper_puts_away(xs):
    rows = []
    d = {'x': 0.0}

    def put(x):
        d['x'] = x
        rows.append(d)

    for x in xs:
        put(x)
    return rows


def an_element_of_a_list(xs):
    rows = []
    for x in xs:
        rows.append([x, x])
        rows[-1][0] = x * 2
    return rows


@pytest.mark.parametrize(
    'f',
    [
        one_of_two_lists, the_other_name, one_of_two_objects, the_best_row, the_last_dict,
        a_dict_in_one_branch, trading_places, a_row_of_a_list, a_dict_that_a_helper_puts_away,
        an_element_of_a_list,
    ],
)  # fmt: skip
def test_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='test_watched') as error:
        ag.function(f)(XS)
    assert '`best = row.copy()`' in str(error.value)


def read_only(xs):
    a = [xs[0]]
    b = a if xs[0] > 0 else [xs[1]]
    return a, b


def the_best_of_new_ones(xs):
    best = {'x': xs[0]}
    for x in xs:
        new = {'x': x}
        if x > best['x']:
            best = new
    return best


def its_own_name(xs):
    best = [xs[0], xs[1]]
    for x in xs:
        if x > 0:
            best = [x, x]
        best[1] = x
    return best


def one_name_for_both(xs):
    d = {'x': xs[0]}
    best = d
    for x in xs:
        if x > 0:
            best = d
        d['x'] = x
    return best


def new_rows(xs):
    rows = []
    for x in xs:
        row = [0.0, x]
        row[0] = x
        rows.append(row)
    return rows


def a_name_for_one_turn(xs):
    a = {'n': xs[0]}
    for x in xs:
        b = a
        if x > 0:
            b['n'] = b['n'] + x
    return a


def an_object_with_two_names(xs):
    a = Point(xs[0])
    b = a
    for x in xs:
        if x > 0:
            a.x = x
    return b.x


def in_a_try_statement(xs):
    d = {'x': xs[0]}
    try:
        for x in xs:
            if x > 0:
                d = {**d, 'x': x}
    finally:
        d['x'] = d['x'] * 2
    return d


@pytest.mark.parametrize(
    'f',
    [
        read_only, the_best_of_new_ones, its_own_name, one_name_for_both, new_rows,
        a_name_for_one_turn, an_object_with_two_names, in_a_try_statement,
    ],
)  # fmt: skip
def test_the_same(f):
    check(f, (XS,), (-XS,))
