"""Variables that a loop may leave without a value, and that are read more than once."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0, 5.0])
CALLS = [(np.float64(x), xs) for x in (2.0, -2.0, 6.0) for xs in (XS, -XS)]


def by_numpy(x, xs):
    for v in xs:
        y = v * 2
    a = y + 1
    return np.sin(y) + a


def by_questions(x, xs):
    for v in xs:
        y = v * 2
    a = y + 1
    return y is None, isinstance(y, np.float64), type(y), a


def as_items(x, xs):
    for v in xs:
        y = v
    a = y + 1
    z = np.zeros(3)
    z[0] = y
    z[1] += y
    return z, np.stack([y, a]), [y], {'y': y}, np.where(y > 0, y, a), max(y, a), int(y)


def first_in_branches(x, xs):
    for v in xs:
        y = v
    if x > 0:
        a = y
    else:
        a = y + 1
    return np.sin(y) * 2 + a


def first_where_it_may_not_be_needed(x, xs):
    for v in xs:
        y = v
    a = x > 0 and y > 0
    return np.sin(y) if a else x


def first_in_a_test(x, xs):
    for v in xs:
        y = np.abs(v) + 1
    while y > x:
        x = x + np.sqrt(y)
    return np.sqrt(x) + np.sqrt(y)


def a_list(x, xs):
    for v in xs:
        y = [v, x]
    n = len(y)
    y.append(x)
    return y, y[0], n


def in_a_function(x, xs):
    for v in xs:
        y = v

    def h():
        return np.sin(y)

    a = y + 1
    return h() + np.sin(a) + np.cos(y)


@pytest.mark.parametrize(
    'f',
    [
        by_numpy, by_questions, as_items, first_in_branches, first_where_it_may_not_be_needed,
        first_in_a_test, a_list, in_a_function,
    ],
)  # fmt: skip
def test_the_second_read_finds_a_value(f):
    check(f, *CALLS)
    with pytest.raises(UnboundLocalError, match="'y'"):
        ag.function(f)(np.float64(2.0), XS[:0])


def item_of_a_list(x, xs):
    for v in xs:
        y = [v, x]
        z = y
    y[0] = x
    return z


def end_of_a_list(x, xs):
    for v in xs:
        y = [v, x]
        z = y
    y.append(x)
    return z


def item_of_a_dict(x, xs):
    for v in xs:
        y = {'a': v}
        z = y
    y['a'] = x
    return z


@pytest.mark.parametrize('f', [item_of_a_list, end_of_a_list, item_of_a_dict])
def test_what_has_two_names_is_not_taken_for_two(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.float64(2.0), XS)


def test_what_a_loop_may_change_in_place_has_no_value_without_it():
    def f(x, xs):
        for v in xs:
            y[0] = v  # noqa: F821
        if x > 0:
            return y  # noqa: F821
        y = [x, x]
        return y

    check(f, (np.float64(2.0), XS[:0]))


def behind_and(x, xs):
    if x > 0:
        y = x * 2
    if x > 0 and y < 9:
        return y
    return x


def behind_and_of_a_name(x, xs):
    is_positive = x > 0
    if is_positive:
        y = 1.0
    if is_positive and y:
        x = x + y
    return x


def in_a_conditional_expression(x, xs):
    if x > 0:
        y = x * 2
    z = y if x > 0 else x
    return y + z if x > 0 else z


@pytest.mark.parametrize('f', [behind_and, behind_and_of_a_name, in_a_conditional_expression])
def test_a_first_read_that_may_not_be_evaluated(f):
    check(f, *CALLS)
