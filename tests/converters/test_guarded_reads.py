"""Variables that a branch leaves without a value only where it jumps away."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

SCALARS = [(np.float64(v),) for v in (2.0, -2.0, 8.0, 4.0, 0.0)]
XS = np.array([1.0, -2.0, 7.0, 3.0])
LOOPS = [(x, xs) for [x] in SCALARS for xs in (XS, XS[:0], XS[2:], XS[::-1] + 1)]


def returns(x):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = -x
    return x + y


def returns_twice(x):
    if x > 5:
        return x
    if x > 0:
        if x > 3:
            return -x
        y = x
    else:
        y = -x
    z = y + 1
    return x + z


def by_another_name(x):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = -x
    z = y
    z += 1
    return -z


def read_more_than_once(x):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = -x
    if y > 1 and y < 3:
        return y * 2
    return np.maximum(y, x) + np.where(y > 0, y, 2) + np.sin(y)


def asked_for_its_type(x):
    if x > 0:
        if x > 5:
            return x
        y = 1
    else:
        y = 2
    return x * y if isinstance(y, int) else x


def an_array_changed_in_place(x):
    if x > 0:
        if x > 5:
            return x
        y = np.ones(3) * x
    else:
        y = np.zeros(3)
    y[0] = 5.0
    y += 1
    s = 0.0
    for v in y:
        s += v
    return s + len(y) + y.shape[0] + (y > 0).sum()


def a_list(x):
    if x > 0:
        if x > 5:
            return x
        y = [x, x + 1]
    else:
        y = [-x, x]
    z = y
    z[0] = z[0] + 1
    y[1] += 1
    return y[0] * z[1]


def a_dict(x):
    if x > 0:
        if x > 5:
            return x
        y = {'a': x}
    else:
        y = {'a': -x}
    y['a'] += 1
    return y['a']


def in_a_closure(x):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = -x

    def by_y(w):
        return w * y

    return by_y(x)


def in_a_loop_after_it(x):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = 1 - x
    while y < 10:
        y = y * 2 + 1
    return x - y


@pytest.mark.parametrize(
    'f',
    [
        returns, returns_twice, by_another_name, read_more_than_once, asked_for_its_type,
        an_array_changed_in_place, a_list, a_dict, in_a_closure, in_a_loop_after_it,
    ],
)  # fmt: skip
def test_after_a_return(f):
    check(f, *SCALARS)


def test_after_a_break_of_a_while():
    def f(x):
        while x < 10:
            if x > 0:
                if x > 5:
                    break
                y = 2.0
            else:
                y = 1.0
            x = x + y
        return x

    check(f, *SCALARS, (np.float64(12.0),))


def breaks(x, xs):
    for v in xs:
        if v > 0:
            if v > 5:
                break
            y = v
        else:
            y = -v
        x = x - y * 2
    return x


def continues(x, xs):
    for v in xs:
        if v > 0:
            if v > 5:
                continue
            y = v
        else:
            y = -v
        x = x + y
    return x


def returns_in_a_loop(x, xs):
    for v in xs:
        if v > 0:
            if v > 5:
                return v
            y = v
        else:
            y = -v
        x = x + y
    return x


def an_inner_loop_returns(x, xs):
    for v in xs:
        if v > 0:
            for w in xs:
                if w == v + 1:
                    return w
            y = v
        else:
            y = -v
        x = x + y
    return x


def jumps_in_two_ways(x, xs):
    for v in xs:
        if v > 0:
            if v > 5:
                break
            if v > 2:
                continue
            y = v
        else:
            if v < -1.5:
                return x
            y = -v
        x = x + y
    return x


def read_after_a_loop(x, xs):
    if x > 0:
        if x > 5:
            return x
        y = x
    else:
        y = -x
    for v in xs:
        x = x + v * y
    return x + y


def a_list_of_a_turn(x, xs):
    if x > 5:
        return x
    for v in xs:
        if v > 0:
            if v > 6:
                break
            w = [v, x]
        else:
            w = [-v, x]
        w[0] = v
        x = x + w[0]
    return x


@pytest.mark.parametrize(
    'f',
    [
        breaks, continues, returns_in_a_loop, an_inner_loop_returns, jumps_in_two_ways,
        read_after_a_loop, a_list_of_a_turn,
    ],
)  # fmt: skip
def test_in_a_loop(f):
    check(f, *LOOPS, traces=3)


def test_a_way_that_does_not_jump_still_has_to_give_a_value():
    def f(x):
        if x > 0:
            if x > 5:
                return x
            if x > 3:
                y = x
        else:
            y = -x
        return x + y

    with pytest.raises(UnboundLocalError, match="'y'"):
        ag.function(f)(np.float64(2.0))


def test_a_list_that_inner_branches_name_is_not_modified():
    def f(x):
        known = [x, x]
        y = [x, 4.0]
        if x > 0:
            if x > 1:
                y = known
        else:
            y = [x, 3.0]
        known[0] = 9.0
        return y[0] + x

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.float64(2.0))


def test_a_list_that_inner_branches_name_may_be_a_new_one():
    def f(x):
        known = [x, 1.0]
        if x > 0:
            y = known if x > 3 else [x, 3.0]
        else:
            y = known
        return y[0] + y[1], known[1]

    check(f, *SCALARS)


def test_a_list_that_may_have_another_name_is_not_modified():
    def f(x):
        known = [x, x]
        if x > 0:
            if x > 5:
                return known[0] + known[1]
            y = known
        else:
            y = known
        y[0] = x + 1
        return known[0] + known[1]

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(np.float64(2.0))


def test_an_array_that_may_have_another_name_is_not_modified():
    def f(x):
        known = np.ones(2) * x
        if x > 0:
            if x > 5:
                return x
            y = known
        else:
            y = known
        y[0] = x + 1
        return known[0] + known[1]

    with pytest.raises(ag.errors.OwnershipError, match='modified through another name'):
        ag.function(f)(np.float64(2.0))


def test_a_loop_that_may_not_give_a_value_is_checked_where_that_is_read():
    def f(x, xs):
        for v in xs:
            if v > 0:
                if v > 5:
                    break
                y = v
            else:
                y = -v
            x = x + y
        return x + y

    check(f, (np.float64(2.0), XS), (np.float64(-2.0), XS[::-1] - 5))
    with pytest.raises(UnboundLocalError, match="'y'"):
        ag.function(f)(np.float64(2.0), XS[2:])


def test_what_is_deleted_before_a_jump_is_not_read():
    def f(x, xs):
        y = x
        for v in xs:
            if v < 0:
                del y
                break
        else:
            return y
        return -x

    check(f, (np.float64(2.0), XS), (np.float64(2.0), np.abs(XS)))
