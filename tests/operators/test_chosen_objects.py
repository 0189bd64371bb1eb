"""Objects of a plain class of which the running graph chooses one, which is changed then."""
from __future__ import annotations

import copy

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class Point:
    def __init__(self, x):
        self.x = x

    def move(self, by):
        self.x = self.x + by


OUTER = Point(F(7))


def the_next_or_another(points, k, x):
    p = next((o for o in points if o.x > x), points[0])
    p.x = 33.0


def the_first_that_is_sorted(points, k, x):
    sorted(points, key=lambda o: abs(o.x - x))[0].move(x)


def the_one_of_a_break(points, k, x):
    for p in points:
        if p.x > x:
            break
    else:
        p = Point(3.0)
    p.x += 10.0


def by_an_index_in_a_branch(points, k, x):
    if x > 0:
        p = points[k]
    else:
        p = Point(0.0)
    p.x = 10.0


def by_branches_in_a_branch(points, k, x):
    if x > 0:
        if k > 0:
            p = points[0]
        else:
            p = points[1]
    else:
        p = Point(0.0)
    p.move(1.0)


def the_best_in_a_branch(points, k, x):
    if x > 0:
        p = max(points, key=lambda o: o.x * x)
    else:
        p = Point(0.0)
    p.x = 10.0


def by_an_index_in_a_loop(points, k, x):
    p = Point(0.0)
    for i in range(k):
        if x > i:
            p = points[i % 2]
    p.x = 10.0


def as_an_attribute(points, k, x):
    holder = Point(points[0])
    if x > 0:
        holder.x = points[1] if k > 0 else points[0]
    else:
        holder.x = Point(0.0)
    holder.x.x = 10.0


def in_a_tuple(points, k, x):
    if x > 0:
        t = points[k], 1.0
    else:
        t = Point(0.0), 2.0
    t[0].x = 10.0


def in_a_try(points, k, x):
    try:
        if x < 0:
            raise ValueError
        p = points[k]
    except ValueError:
        p = Point(0.0)
    p.x = 10.0


def one_outside_or_one_given(points, k, x):
    if x > 0:
        if k > 0:
            p = OUTER
        else:
            p = points[1]
    else:
        p = Point(0.0)
    p.x = 10.0


def the_given_one_is_changed(points, k, x):
    if x > 0:
        p = points[k]
    else:
        p = Point(0.0)
    points[0].x = 5.0
    return p.x


@pytest.mark.parametrize('f', [
    the_one_of_a_break, by_an_index_in_a_branch, by_branches_in_a_branch, the_best_in_a_branch,
    by_an_index_in_a_loop, as_an_attribute,
    in_a_tuple, in_a_try, one_outside_or_one_given, the_given_one_is_changed,
])
def test_a_change_of_what_a_block_in_a_block_chose_is_refused(f):
    points = [Point(F(1)), Point(F(2)), Point(F(3))]
    with pytest.raises(ag.errors.OwnershipError, match='by its key or index'):
        ag.function(f)(points, np.int64(1), F(1.5))
    assert [OUTER.x, *(p.x for p in points)] == [7, 1, 2, 3]


def by_its_index(points, k, x):
    found = 0
    for i, p in enumerate(points):
        if p.x > x:
            found = i
    points[found].x = 33.0


def of_a_copy(points, k, x):
    if x > 0:
        p = copy.copy(points[k])
    else:
        p = Point(F(0))
    p.move(1.0)
    return p.x


def by_an_early_return(points, k, x):
    def pick():
        if k > 0:
            return points[0]
        if x < 3:
            return points[1]
        return points[2]

    pick().move(x)


def of_new_ones(points, k, x):
    if x > 0:
        if k > 0:
            p = Point(F(1))
        else:
            p = Point(x)
        q = p
    else:
        p, q = Point(F(0)), Point(F(1))
    p.move(10.0)
    return p.x, q.x


def of_its_own(points, k, x):
    own = Point(F(1))
    if x > 0:
        p = own if k > 0 else Point(F(2))
    else:
        p = Point(F(0))
    p.move(5.0)
    return p.x, own.x


@pytest.mark.parametrize('f', [
    the_next_or_another, the_first_that_is_sorted, by_its_index, of_a_copy, by_an_early_return,
    of_new_ones, of_its_own,
])
def test_a_change_reaches_what_was_chosen(f):
    for k, x in (1, 1.0), (0, -1.0), (0, 2.0), (1, 1.5):
        check(f, ([Point(F(1)), Point(F(2)), Point(F(3))], np.int64(k), F(x)))


def the_next(points, k, x):
    next(p for p in points if p.x > x).x = 33.0


def the_next_new_one(points, k, x):
    p = next(Point(p.x) for p in points if p.x > x)
    p.x = p.x + k
    return p.x


def the_next_of_its_own(points, k, x):
    own = [Point(x), Point(x + 1.0)]
    p = next(p for p in own if p.x > x)
    p.move(k)
    return own[0].x, own[1].x, p.x


@pytest.mark.parametrize('f', [the_next, the_next_new_one, the_next_of_its_own])
def test_a_change_reaches_the_next_one(f):
    for k, x in (1, 1.0), (2, -1.0), (0, 2.0), (1, 1.5):
        check(f, ([Point(F(1)), Point(F(2)), Point(F(3))], np.int64(k), F(x)))


class Account:
    hits = 0


def test_one_of_several_gets_what_the_others_read_of_their_class():
    def touched(accounts, i):
        one = accounts[i]
        one.hits = one.hits + 5
        return one.hits

    plain, given = ([Account() for _ in range(3)] for _ in range(2))
    assert ag.function(touched)(given, np.int64(1)) == touched(plain, np.int64(1))
    assert list(map(vars, given)) == list(map(vars, plain))
