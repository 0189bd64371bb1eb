"""`a is b`, `id(a)` and `==` by identity, of lists, objects and tuples that blocks are given."""
from __future__ import annotations

import dataclasses
import itertools
from typing import NamedTuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64
UNKNOWN = 'only the running graph knows'


@dataclasses.dataclass
class Point:
    x: float


@dataclasses.dataclass(eq=False)
class Place:
    x: float


class Node:
    def __init__(self, v):
        self.v = v


class Slotted:
    __slots__ = ('v',)

    def __init__(self, v):
        self.v = v


class Pair(NamedTuple):
    u: float
    v: float


def in_a_loop(x):
    p = [0.0]
    q, n = p, 0
    while n < x:
        n += 1
        if p is not q:
            break
        p[0] += 1.0
        q[0] += 2.0
    return n, p


def in_a_test(x):
    p = {'v': 0.0}
    q, n = p, 0
    while p is q and n < x:
        n += 1
        p['v'] += 1.0
        q['v'] += 2.0
    return n, p['v']


def after_a_return(x, flag=False):
    p = [0.0]
    q = p
    if x > 1:
        return p is q
    if flag:
        p[0] = q[0] = 1.0
    return p is q


def before_they_trade_places(x):
    p = Point(0.5)
    q, n = p, 0
    if x > 0:
        if p is q:
            n += 1
        p, q = q, p
    return n, p is q


def in_a_helper(x):
    p = Point(0.5)
    q, r = p, Point(0.5)

    def same(a, b):
        return a is b

    if x > 0:
        p.x = q.x = r.x = x
        return same(p, q), same(p, r), id(p) == id(q), id(p) in (id(r),)
    return False, True, False, True


def by_equality(x):
    p, q = Place(1.0), Place(1.0)
    r, found = p, 0
    if x > 0:
        p.x = q.x = r.x = x
        found = [q, p].index(r) + 10 * [p, q, r].count(p)
    return found, p == r, p != q, r in (q,), r in [p]


@pytest.mark.parametrize('f', [
    in_a_loop, in_a_test, after_a_return, before_they_trade_places, in_a_helper, by_equality,
])  # fmt: skip
def test_two_names_of_one_that_a_block_is_given_are_one(f):
    check(f, (F(2.0),), (F(0.0),))


def of_tuples(x):
    a, b = (1.0, 2.0), (2.0, 3.0)
    c = a if x > 0 else b
    return c is a


def of_named_tuples(x):
    a = b = Pair(0.0, 1.0)
    for v in x:
        if v > 2:
            a = Pair(v, 1.0)
        if a is not b:
            return 1
    return 0


def of_texts_in_tuples(x):
    a = 'a', 1
    b = a
    if x > 0:
        b = tuple(['a', 1])
    return a is b


def by_the_id_of_a_tuple(x):
    a = 1.0, 2.0
    b = a
    if x > 0:
        b = 2.0, 2.0
    return id(a) == id(b)


def by_the_id_of_what_may_be_none(x):
    a = None
    if x > 0:
        a = [x]
    return id(a) == id(None)


def by_the_id_of_a_function(x):
    f = np.sin
    if x > 0:
        f = np.cos
    return id(f) == id(np.sin)


def two_in_the_next_turn(x):
    p, n = [0.0], 0
    q = p
    while n < x:
        n += 1
        if p is q:
            q = [1.0]
    return n


def two_in_the_next_test(x):
    p, n = [0.0], 0
    q = p
    while p is q and n < x:
        n += 1
        q = [1.0]
    return n


def by_equality_of_a_choice(x):
    a, b = Node(1.0), Node(2.0)
    c = a if x > 0 else b
    return c == a


def in_a_list(x):
    a, b = Node(1.0), Node(2.0)
    c = a if x > 0 else b
    return c in [a]


def counted_in_a_list(x):
    a, b = Slotted(1.0), Slotted(2.0)
    c = a if x > 0 else b
    return [a, b].count(c)


def by_its_place_in_a_list(x):
    a, b = Place(1.0), Place(2.0)
    c = a if x > 0 else b
    return [a, b].index(c)


def in_a_set(x):
    a, b = Node(1.0), Node(2.0)
    c = a if x > 0 else b
    return c in {a}


def as_a_key(x):
    a, b = Place(1.0), Place(2.0)
    c = a if x > 0 else b
    return {a: 1.0, b: 2.0}[c]


def found_by_a_loop(x):
    a, b = Node(1.0), Node(2.0)
    held, n = [b], 0
    while n < x:
        n += 1
        a = held[0]
    return a is held[0]


@pytest.mark.parametrize(
    'f', [by_equality_of_a_choice, in_a_list, counted_in_a_list, found_by_a_loop])
def test_which_of_several_a_name_is_the_graph_tells(f):
    check(f, (F(1.0),), (F(-1.0),))


def of_names_that_a_branch_gives_new_lists(x):
    a, b = [x, 0.5], [x, 1.5]
    if x < 2:
        a, b = b, [2.0, 0.5]
    else:
        b = a
    return a is b


def of_views(x):
    a = np.zeros(2)
    b = a[:1]
    c = b
    if x > 0:
        c = a[1:]
    return b is c


def of_a_view_that_a_helper_returns(x):
    a = np.zeros(2)
    b = a[:1]

    def pick(one, other):
        if x > 0:
            return one
        return other

    return pick(b, a[1:]) is b


@pytest.mark.parametrize('f', [
    of_tuples, of_named_tuples, of_texts_in_tuples, by_the_id_of_a_tuple,
    by_the_id_of_what_may_be_none, by_the_id_of_a_function, two_in_the_next_turn,
    two_in_the_next_test, by_its_place_in_a_list, in_a_set, as_a_key,
    of_names_that_a_branch_gives_new_lists, of_views, of_a_view_that_a_helper_returns,
])  # fmt: skip
def test_what_may_be_one_or_two_is_refused(f):
    x = np.ones(2) if f is of_named_tuples else F(1.0)
    with pytest.raises(ag.errors.StagingError, match=UNKNOWN):
        ag.function(f)(x)


def test_a_variable_tells_which_of_them_it_is():
    def f(x):
        a, b = Node(1.0), Node(2.0)
        c, is_a = b, False
        if x > 0:
            c, is_a = a, True
        return c.v, is_a

    check(f, (F(1.0),), (F(-1.0),))


def test_an_object_beside_one_that_was_chosen_is_a_key():
    def f(x):
        a, b = Node(1.0), Node(2.0)
        distance = {a: x, b: 2.0}
        best = a if x > 0 else b
        return distance[a] + distance[b] + [b, a].index(a), best.v

    check(f, (F(1.0),), (F(-1.0),))


def test_tuples_that_surely_differ_are_two():
    def f(x):
        a, b = (x, 'a'), (x, 'b')
        return a is b, a is (x, 'a', 1), a is a, Pair(x, 1.0) is a

    check(f, (F(1.0),))


def test_what_a_loop_found_in_slots_is_modified_by_another_name():
    def f(x):
        a, b = Slotted(x), Slotted(2.0)
        held, n = [b], 0
        while n < x:
            n += 1
            a = held[0]
        a.v = 7.0
        return b.v

    check(f, (F(1.0),), (F(-1.0),), joins=True)


@dataclasses.dataclass
class Held:
    values: np.ndarray


ONE, OTHER = Held(np.ones(2)), Held(np.ones(2))


def test_whether_it_is_a_dataclass_outside_that_holds_arrays():
    @ag.function
    def chosen(x):
        one = ONE if x > 0 else OTHER
        return one is ONE

    @ag.function
    def known(x):
        one = ONE
        if x > 0:
            one.values[0] = x
        return one is ONE, one is OTHER

    with pytest.raises(ag.errors.StagingError, match='one object'):
        chosen(np.float64(1))
    assert known(np.float64(1)) == (True, False)


class Holds:
    pass


HELD, TABLE, ROWS = Holds(), {}, []


def of_dict_and_name(x):
    return TABLE['rows'] is ROWS


def of_attribute_in_a_branch(x):
    if x > 0 and HELD.rows is not ROWS:
        return x + 1
    return x


def of_each_in_a_list(x):
    return [each is ROWS for each in HELD.both], sum(each is ROWS for each in HELD.both)


def of_index_in_a_list(x):
    return HELD.both[0] is HELD.both[1], x


def after_one_is_set(x):
    global ROWS
    was = HELD.rows is ROWS
    ROWS = [1.0]
    return was, HELD.rows is ROWS


def of_sets(x):
    return HELD.seen is HELD.met, x


@pytest.mark.parametrize('f', [
    of_dict_and_name, of_attribute_in_a_branch, of_each_in_a_list, of_index_in_a_list,
    after_one_is_set, of_sets,
])  # fmt: skip
def test_equal_containers_outside_are_told_apart_at_every_call(f):
    global ROWS
    found = []
    graph = ag.function(f)
    for run in f, graph:
        for is_first, is_second in itertools.product((True, False), repeat=2):
            ROWS = [1.0]
            HELD.rows = TABLE['rows'] = ROWS if is_first else [1.0]
            HELD.both = [HELD.rows, ROWS if is_second else [1.0]]
            HELD.seen, HELD.met = {1}, {1}
            if is_first:
                HELD.met = HELD.seen
            found.append(run(np.float64(2)))
    assert found[:4] == found[4:]
    assert 1 < graph.tracing_count <= 4


def test_containers_that_are_compared_are_not_given_as_one():
    @ag.function
    def in_pairs(rows, x):
        n = 0
        for row in rows:
            for other in rows:
                if row is not other:
                    n = n + x
        return n

    @ag.function
    def with_outside(rows, x):
        return rows is ROWS, x

    row = [1.0]
    assert in_pairs([row, [1.0]], np.float64(2)) == 4
    with pytest.raises(ag.errors.OwnershipError, match='compares by `is` a list that it is given'):
        in_pairs([row, row], np.float64(2))
    assert with_outside([1.0], np.float64(2)) == (False, 2)


def test_a_container_that_is_compared_is_not_one_from_outside():
    @ag.function
    def f(rows, x):
        return rows is HELD.rows, x

    HELD.rows = [1.0]
    assert f([1.0], np.float64(2)) == (False, 2)
    with pytest.raises(ag.errors.OwnershipError, match='finds outside, and compares it by `is`'):
        f(HELD.rows, np.float64(2))


def test_one_dict_under_two_names_outside_may_be_two_at_the_next_call():
    def adds(x):
        TABLE['one']['n'] += x
        HELD.other['n'] += 10
        return TABLE['one']['n'], HELD.other['n']

    def first_reads(x):
        HELD.other['n'] = HELD.other['n'] + x
        return TABLE['one']['n']

    for f in adds, first_reads:
        found = []
        for run in f, ag.function(f):
            HELD.other = TABLE['one'] = {'n': np.float64(1)}
            found.append(run(np.float64(2)))
            HELD.other = {'n': np.float64(1)}
            found += [run(np.float64(2)), HELD.other, TABLE['one']]
            HELD.other = TABLE['one']
            found += [run(np.float64(2)), dict(HELD.other)]
        assert found[:6] == found[6:]
