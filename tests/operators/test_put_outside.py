"""Containers that traced code puts outside: whose they are, and which of several."""
# ruff: noqa: RUF005  what `a + b` makes of lists is what is tested
from __future__ import annotations

import collections
import contextvars
import copy
import dataclasses

import numpy as np
import pytest

import autograph_lite as ag

X = np.float64(2.0)
ROWS: list = []
LOG: list = []
TABLE: dict = {}
LEVEL = contextvars.ContextVar('LEVEL', default=None)


class Keeper:
    def __init__(self):
        self.rows = []
        self.last = None
        self.kept = []


KEEPER = Keeper()


@dataclasses.dataclass
class Point:
    x: float


@dataclasses.dataclass(frozen=True)
class Fixed:
    x: float


@pytest.fixture(autouse=True)
def _empty():
    global ROWS
    ROWS = []
    LOG.clear()
    TABLE.clear()
    KEEPER.__init__()


def by_a_global_name(q, x):
    global ROWS
    ROWS = q


def by_an_attribute(q, x):
    KEEPER.last = q


def by_an_item(q, x):
    TABLE['k'] = q


def by_a_key_of_the_graph(q, x):
    TABLE[int(x)] = q


def by_a_method(q, x):
    LOG.append(q)


def by_setdefault(q, x):
    TABLE.setdefault('k', q)


def within_a_list(q, x):
    KEEPER.last = [q]


def within_a_tuple(q, x):
    LOG.append((q, 1))


def within_an_object(q, x):
    keeper = Keeper()
    keeper.last = q
    KEEPER.last = keeper


def by_a_function(q, x):
    KEEPER.last = lambda: q


def in_a_branch(q, x):
    global ROWS
    if x > 1:
        LOG.append(1)
        ROWS = q


def in_a_loop(q, x):
    for i in range(3):
        if x > i:
            LOG.append(i)
            KEEPER.last = q


def in_a_context_variable(q, x):
    LEVEL.set(q)


PUTTING = [
    by_a_global_name, by_an_attribute, by_an_item, by_a_key_of_the_graph, by_a_method,
    by_setdefault, within_a_list, within_a_tuple, within_an_object, by_a_function, in_a_branch,
    in_a_loop, in_a_context_variable]


@pytest.mark.parametrize('f', PUTTING)
def test_a_given_list_is_not_put_outside(f):
    with pytest.raises(ag.errors.AutographError):
        ag.function(f)([7.0], X)
    assert (ROWS, LOG, TABLE, KEEPER.last, LEVEL.get()) == ([], [], {}, None, None)


@pytest.mark.parametrize('given', [
    [], {'a': 1}, {1}, collections.deque([1]), collections.Counter('a'), Point(1.0), (1, [2]),
    bytearray(b'a')])
def test_no_given_container_is_put_outside(given):
    with pytest.raises(ag.errors.OwnershipError, match='is given'):
        ag.function(by_an_attribute)(given, X)
    assert KEEPER.last is None


@pytest.mark.parametrize('given', [(1, 2), frozenset([1]), Fixed(1.0), 'a'])
def test_what_never_changes_is_put_outside(given):
    ag.function(by_an_attribute)(given, X)
    assert KEEPER.last == given


@pytest.mark.parametrize('given', [
    [7.0], {'a': 1}, {1}, collections.deque([1]), collections.Counter('a'), Point(1.0), [X]])
def test_a_copy_of_a_given_container_is_put_outside(given):
    def f(q, x):
        KEEPER.last = copy.copy(q)

    graph = ag.function(f)
    graph(given, X)
    first = KEEPER.last
    graph(given, X)
    assert first == KEEPER.last == given
    assert first is not KEEPER.last is not given


def test_a_copy_of_a_given_list_is_put_outside_by_a_branch():
    def f(q, x):
        global ROWS
        if x > 1:
            LOG.append(1)
            ROWS = q.copy()

    graph, given = ag.function(f), [7.0]
    graph(given, np.float64(0.5))
    assert (ROWS, LOG) == ([], [])
    graph(given, X)
    assert (ROWS, LOG) == ([7.0], [1])
    assert ROWS is not given


def test_the_elements_of_a_given_list_are_put_outside():
    def f(q, x):
        LOG.extend(q)
        LOG[0:1] = q
        LOG.insert(0, q[0])

    ag.function(f)([7.0, 8.0], X)
    assert LOG == [7.0, 7.0, 8.0, 8.0]


def test_a_given_list_is_no_attribute_of_a_returned_object_that_refers_to_itself():
    def f(q, x):
        keeper = Keeper()
        keeper.kept = keeper
        keeper.last = q
        return keeper

    with pytest.raises(ag.errors.OwnershipError, match='copy'):
        ag.function(f)([7.0], X)


def made_before_a_branch(x):
    global ROWS
    made = [1.0]
    if x > 1:
        LOG.append(1)
        ROWS = made


def made_before_a_loop(x):
    global ROWS
    made = [1.0]
    for i in range(3):
        if x > i:
            LOG.append(len(ROWS))
            ROWS = made


def a_set_made_before_a_branch(x):
    global ROWS
    made = {1}
    if x > 1:
        LOG.append(1)
        ROWS = made


@pytest.mark.parametrize('f', [
    made_before_a_branch, made_before_a_loop, a_set_made_before_a_branch])
def test_what_a_call_makes_before_a_block_is_not_the_same_for_all_calls(f):
    with pytest.raises(ag.errors.AutographError):
        ag.function(f)(X)
    assert (ROWS, LOG) == ([], [])


def by_its_name_outside(x):
    global ROWS
    ROWS = [x]
    LOG.append(ROWS)
    ROWS.append(x)


def by_its_name_outside_in_a_branch(x):
    global ROWS
    ROWS = [x]
    if x > 1:
        LOG.append(ROWS)
    ROWS += [x]


@pytest.mark.parametrize('f', [by_its_name_outside, by_its_name_outside_in_a_branch])
def test_a_new_list_is_not_put_into_another_place_by_its_name_outside(f):
    with pytest.raises(ag.errors.OwnershipError, match='copy'):
        ag.function(f)(X)
    assert (ROWS, LOG) == ([], [])


@pytest.mark.parametrize('make', [
    list, lambda: [1.0], lambda: [X], lambda: [np.arange(2.0)], lambda: {'a': 1.0},
    lambda: {'a': np.arange(2.0)}, set, lambda: [[1.0]]])
@pytest.mark.parametrize('put', [
    lambda x: setattr(KEEPER, 'last', KEEPER.rows), lambda x: LOG.append(KEEPER.rows),
    lambda x: LOG.insert(0, KEEPER.rows), lambda x: TABLE.update(k=KEEPER.rows)])
def test_what_is_outside_is_put_elsewhere_itself(put, make):
    graph = ag.function(put)
    for _ in range(3):
        KEEPER.__init__()
        LOG.clear()
        TABLE.clear()
        KEEPER.rows = make()
        graph(X)
        (found,) = [x for x in (KEEPER.last, *LOG, *TABLE.values()) if x is not None]
        assert found is KEEPER.rows


def test_a_list_outside_is_put_elsewhere_within_a_list_and_a_tuple():
    def f(x):
        KEEPER.last = [KEEPER.rows]
        LOG.append((KEEPER.rows, x))

    graph = ag.function(f)
    for _ in range(3):
        KEEPER.rows = []
        graph(X)
        assert KEEPER.last[0] is LOG[-1][0] is KEEPER.rows


def test_a_list_is_returned_that_another_place_has_lost():
    def f(x):
        KEEPER.kept = KEEPER.kept + [x]
        KEEPER.last.append(x)
        return KEEPER.rows

    graph = ag.function(f)
    for _ in range(3):
        KEEPER.rows = KEEPER.last = KEEPER.kept = [X]
        assert graph(X) is KEEPER.rows
        assert (KEEPER.rows, KEEPER.kept) == ([X, X], [X, X])


def test_a_branch_gives_back_no_other_list_than_it_was_passed():
    def f(self, x):
        global ROWS
        if x > 1:
            self.kept.append(ROWS)
            ROWS = []

    before = ROWS
    with pytest.raises(ag.errors.OwnershipError):
        ag.function(f)(KEEPER, np.float64(0.5))
    assert ROWS is before


def attribute_of_an_attribute(x):
    KEEPER.last = KEEPER.rows


def attribute_of_a_global_name(x):
    KEEPER.last = ROWS


def item_of_an_attribute(x):
    TABLE['k'] = KEEPER.rows


def attribute_of_an_item(x):
    KEEPER.last = TABLE['k']


def attribute_in_a_branch(x):
    if x > 1:
        KEEPER.last = KEEPER.rows


@pytest.mark.parametrize('make', [list, lambda: [1.0], lambda: {'a': 1.0}, lambda: [np.ones(2)]])
@pytest.mark.parametrize('f', [
    attribute_of_an_attribute, attribute_of_a_global_name, item_of_an_attribute,
    attribute_of_an_item, attribute_in_a_branch])
def test_what_is_there_already_is_put_there_once_it_is_not(f, make):
    global ROWS
    graph = ag.function(f)
    for is_there in (True, True, False):
        ROWS = KEEPER.rows = TABLE['k'] = make()
        KEEPER.last = ROWS if is_there else make()
        if f is item_of_an_attribute and not is_there:
            TABLE['k'] = make()
        if is_there or f is not attribute_in_a_branch:
            graph(X)
            found = TABLE['k'] if f is item_of_an_attribute else KEEPER.last
            assert found is KEEPER.rows


class Keeps:
    pass


KEEPS, CURRENT = Keeps(), []


def test_a_branch_sets_a_name_to_the_list_that_is_outside_at_each_call():
    def f(x):
        global CURRENT
        if x > 0:
            CURRENT = KEEPS.rows

    graph = ag.function(f)
    for _ in range(3):
        KEEPS.rows = [2.0]
        graph(np.float64(1))
        assert CURRENT is KEEPS.rows
    KEEPS.rows = [2.0]
    graph(np.float64(-1))
    assert CURRENT is not KEEPS.rows
