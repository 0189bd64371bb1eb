"""Tuples and other nests that are None on one way."""
from __future__ import annotations

import copy
import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [3.0, 2.0, 5.0], [-1.0, 4.0, 0.5])]


class Found(NamedTuple):
    where: int
    value: float


@dataclass
class Best:
    where: int
    value: float


def largest(xs):
    best = None
    for i, x in enumerate(xs):
        if x > 0 and (best is None or x > best[1]):
            best = (i, x)
    return best


def named(xs):
    best = None
    for i, x in enumerate(xs):
        if best is None or x > best.value:
            best = Found(i, x)
    return best


def of_dataclass(xs):
    best = None
    for i, x in enumerate(xs):
        if best is None or x > best.value:
            best = Best(i, x)
    return best


def as_an_index(xs):
    grid, best = xs.reshape(3, 1), None
    for place, x in np.ndenumerate(grid):
        if best is None or x > grid[best]:
            best = place
    if best is not None:
        grid[best] += 1
    return grid, best


def as_an_array(xs):
    found = (xs[0], xs[1]) if xs[0] > 0 else None
    return np.array([0.0, 0.0]) if found is None else np.array(found) + np.maximum(found, xs[2])


def unpacked(xs):
    found = (xs[0], xs[1]) if xs[0] > 0 else None
    if found is None:
        return xs[2]
    a, b = found
    return a + b


def emptied(xs):
    current = None
    total = np.float64(0)
    for i, x in enumerate(xs):
        if x > 1:
            current = (x, i)
        elif current is not None:
            total += current[0]
            current = None
    return total, current


def with_text(xs):
    found = None
    for x in xs:
        if x > 2:
            found = ('large', x)
    return found


def as_condition(xs):
    found = None
    for x in xs:
        if not found and x > 1.5:
            found = (x, x * 2)
    return found


def changed_where_it_is_there(xs):
    found = None
    for x in xs:
        if x > 0:
            if found is None:
                found = (x, None)
            else:
                found = (found[0] + x, x)
    return found


def returned_by_a_helper(xs):
    def find(xs):
        for i, x in enumerate(xs):
            if x > 1.5:
                return i, x
        return None

    found = find(xs)
    if found is None:
        return np.float64(-1)
    i, x = found
    return x * i


def optional_number(xs):
    found = None
    n = 0
    for x in xs:
        if found:
            n += 1
        found = x if x > 1 else None
    return n, found


@pytest.mark.parametrize(
    'f',
    [
        largest, named, of_dataclass, as_an_index, as_an_array, unpacked, emptied,
        with_text, as_condition, optional_number,
        changed_where_it_is_there, returned_by_a_helper,
    ],
)  # fmt: skip
def test_optional(f):
    check(f, *VECTORS)


def test_taken_apart_where_it_is_none():
    @ag.function
    def f(x):
        found = (x, x) if x > 0 else None
        return found[0]

    assert f(np.float64(1)) == 1
    with pytest.raises(TypeError, match='None'):
        f(np.float64(-1))


def test_an_attribute_of_what_may_be_none_is_set():
    def f(xs):
        found = None
        for x in xs:
            if x > 0:
                found = Best(0, x)
            elif found is not None:
                found.value = x
        return found

    check(f, *VECTORS, (-np.ones(3),), joins=True)


FORMS = {
    'best = None': """
        best = None
        for i, x in enumerate(xs):
            if best is None or x > best[1]:
                best = {tuple}
        return best
    """,
    'return None': """
        x, i = xs[0], len(xs)
        if x > 0:
            return None
        return {tuple}
    """,
    'else': """
        i = 0
        while i < len(xs):
            x = xs[i]
            if x > 2:
                return {tuple}
            i += 1
        else:
            return None
    """,
    'conditional expression': """
        i, x = 1, xs[0]
        best = {tuple} if x > 0 else None
        return best if xs[1] > 0 else None
    """,
    'beside others': """
        best, n = None, 0
        for i, x in enumerate(xs):
            if x > 0:
                best, n = {tuple}, n + 1
        return (best, n) if n > 1 else (None, n)
    """,
}
TUPLES = [
    '(i, x)', '(i, x, x * 2)', '(i, x, x * 2, xs)', '(i, x, (x * 2, x, i))', '(i, x, (x,))',
    'Found(i, x)']


@pytest.mark.parametrize('tuple_', TUPLES)
@pytest.mark.parametrize('form', FORMS)
def test_tuples_of_any_length(form, tuple_):
    f = define('def f(xs):' + FORMS[form].format(tuple=tuple_), Found=Found)
    check(f, *VECTORS, (-np.ones(3),))


def first_of(best):
    if best is None:
        return -1.0
    return best[0]


def matched(best):
    match best:
        case None:
            return -1.0
    return best[0]


def at_once(best):
    return -1.0 if best is None else best[0]


def in_a_condition(best):
    if best is not None and best[0] > 2:
        return 1.0
    return 0.0


@pytest.mark.parametrize('asks', [first_of, matched, at_once, in_a_condition])
def test_a_helper_asks_whether_it_is_none(asks):
    def f(xs):
        best = None
        for i, x in enumerate(xs):
            if x > 1 and (best is None or x > best[0]):
                best = x, i

        def own(best):
            return 0 if best is None else best[1]

        return asks(best), own(best), (lambda one: one is None)(best)

    calls = [(np.array(xs),) for xs in ([1.0, 3.0, 2.0], [0.0, 1.0, 0.5], [2.0, 1.0, 1.5])]
    check(f, *calls, joins=True)


@dataclass
class Span:
    low: float
    high: object = None

    def size(self, unit=None):
        unit = 1.0 if unit is None else unit
        return 0.0 if self.high is None else (self.high - self.low) * unit

    @property
    def is_open(self):
        return self.high is None

    def stretch(self):
        self.low = self.low - 1.0


class Mark(NamedTuple):
    low: float
    high: object = None

    def size(self, unit=None):
        return 0.0 if self.high is None else self.high - self.low

    @property
    def is_open(self):
        return self.high is None


TESTS = [
    'best is None or best.size() < x', 'best is None or best.is_open',
    'best is not None and best.size(x) > 1 or x > 0', 'not best or best.high is None',
    'best is None or best.high is None or best.high < x',
]


@pytest.mark.parametrize('kind', [Span, Mark])
@pytest.mark.parametrize('test', TESTS)
def test_methods_and_parts_that_may_be_none_themselves(kind, test):
    f = define(f"""
def f(xs):
    best, n = None, 0
    for x in xs:
        if {test}:
            best = Kind(x, x * 2 if x > 1 else None)
        if best is not None:
            low, high = best.low, best.high
            if high is None:
                n += 1
    return best, n
""", Kind=kind)
    check(f, *VECTORS, (-np.ones(3),))


def test_a_part_of_a_tuple_that_is_none():
    def f(xs):
        found, n = None, 0
        for x in xs:
            if x > 1:
                found = (x, x if x > 2.5 else None)
            if found is not None and found[1] is None:
                n += 1
        return n, found

    check(f, *VECTORS)


def test_a_method_where_it_is_none_and_one_that_changes_it():
    def sized(xs):
        best = None
        for x in xs:
            if x > 9:
                best = Span(x)
        return best.size()

    def changed(xs):
        best = None
        for x in xs:
            if best is None:
                best = Span(x)
            else:
                best.stretch()
        return best

    check(sized, VECTORS[0], (np.array([10.0, 1.0, 2.0]),))
    check(changed, *VECTORS)


def test_a_part_that_only_later_turns_may_give_none():
    def f(xs):
        best, previous, missing = None, xs[0], 0
        for x in xs:
            if best is not None and best[1] is None:
                missing += 1
            if best is None or x > best[0]:
                best = x, previous
            previous = x if x > 1 else None
        return best, missing

    calls = [0.0, 3.0, 4.0, 0.0], [0.0, 5.0, 1.0, 9.0], [0.0, 1.0, 2.0, 3.0], [4.0, 3.0, 2.0, 1.0]
    check(f, *((np.array(xs),) for xs in calls))


def shown_or_none(xs):
    found = None
    for x in xs:
        if x > 0:
            found = x, 1.0
    return f'{found}', str(found), repr([found]), f'{found!r}'


def test_the_text_of_what_may_be_none():
    check(shown_or_none, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),))


def test_only_the_truth_of_operands_is_asked_by_bool():
    def f(xs):
        return bool(xs[0] > 0 and xs.astype(int)[1]), bool(xs[0] or xs.astype(int)[1])

    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, 0.0]),), (np.array([0.0, 2.0]),))


def test_a_part_that_is_always_none():
    def f(xs):
        found = other = None
        for x in xs:
            if x > 0:
                found = x, None
                other = {'x': (x, None)}
        return found, [other]

    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),))


def added(xs):
    found = (xs[0], 1.0) if xs[0] > 0 else None
    return sum(found + found * 2) if found is not None else 0.0


def added_without_asking(xs):
    found = {'x': xs[0]} if xs[0] > 0 else None
    return found | {'y': 1}


def listed(xs):
    found = None
    for x in xs:
        if x > 0:
            found = [x, 1.0]
    return found + found, found * 2


def in_array(xs):
    found = (xs[0], 1.0) if xs[0] > 0 else None
    return xs * 2 if found is None else xs + found


def replaced(xs):
    found = Best(1, xs[0]) if xs[0] > 0 else None
    return dataclasses.replace(found, value=2.0).where if found is not None else 0


def asked_for(xs):
    found = Best(1, xs[0]) if xs[0] > 0 else None
    return getattr(found, 'where', 7), hasattr(found, 'where'), hasattr(found, 'other')


@pytest.mark.parametrize('f', [added, added_without_asking, listed, in_array, replaced, asked_for])
def test_operators_and_functions_of_python(f):
    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),), joins=True)


def test_functions_that_look_at_an_object_are_told_that_it_is_there():
    def f(xs):
        found = Best(1, xs[0]) if xs[0] > 0 else None
        return dataclasses.astuple(found)

    with pytest.raises(ag.errors.StagingError, match='Let it run only where that is known'):
        ag.function(f)(VECTORS[0][0])


def test_a_list_in_what_may_be_none():
    def with_a_list(xs):
        found = None
        for x in xs:
            if x > 0:
                found = x, [x, 1.0]
        return found

    def with_a_tuple(xs):
        found = None
        for x in xs:
            if x > 0:
                found = x, (x, 1.0)
        return found

    with pytest.raises(ag.errors.StagingError, match='in place of lists'):
        ag.function(with_a_list)(VECTORS[0][0])
    check(with_a_tuple, *VECTORS)


def positive_from_an_empty_one(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(x)
    return found or None


def counted_from_an_empty_one(xs):
    found = {}
    for x in xs:
        if x > 0:
            if not found:
                found['n'] = 0
            found['n'] += 1
    return found or None


@pytest.mark.parametrize('f', [positive_from_an_empty_one, counted_from_an_empty_one])
def test_a_list_or_dict_that_begins_empty_and_ends_as_none(f):
    check(f, *VECTORS, (np.array([-1.0, -2.0, -3.0]),))


class Counted:
    """Attributes in a class of the user's; `Node` has them in a dataclass."""

    def __init__(self, value):
        self.value = value
        self.asked = 0
        self.next = None

    def put(self, value):
        self.value = value

    def put_if(self, value):
        if value > 0:
            self.value = value

    @property
    def counted(self):
        self.asked += 1
        return self.value

    def doubled(self):
        return self.value * 2


@dataclass
class Node:
    value: Any
    next: Any = None

    def put(self, value):
        self.value = value

    def insert(self, value):
        if value < self.value:
            self.value = value
        elif self.next is None:
            self.next = Node(value)
        else:
            self.next.insert(value)


TWO = [(np.array([1.0, -2.0, 3.0]), np.bool_(c)) for c in (True, False)]


@pytest.mark.parametrize('made', [Counted, Node])
def test_methods_that_change_what_may_be_none(made):
    def of_an_attribute(x, c):
        first = made(x[0])
        if c:
            first.next = made(x[1])
        if first.next is not None:
            first.next.put(x[2])
        return 0.0 if first.next is None else first.next.value

    def of_a_name(x, c):
        last = made(x[1]) if c else None
        if last is not None:
            last.put(x[2])
        return 0.0 if last is None else last.value

    def made_anew(x, c):
        last = made(x[1]) if c else None
        if last is not None:
            last = made(x[2])
        return 0.0 if last is None else last.value

    for f in (made_anew, of_an_attribute, of_a_name):
        check(f, *TWO, joins=True)


def test_code_of_a_class_that_changes_what_may_be_none():
    def in_a_branch(x, c):
        last = Counted(x[1]) if c else None
        if last is not None:
            last.put_if(x[2])
        return 0.0 if last is None else last.value

    def by_a_property(x, c):
        last = Counted(x[1]) if c else None
        seen = 0.0 if last is None else last.counted
        return seen, 0 if last is None else last.asked

    def read(x, c):
        last = Counted(x[1]) if c else None
        return 0.0 if last is None else last.doubled()

    for f in (in_a_branch, by_a_property, read):
        check(f, *TWO, joins=True)


def test_nodes_that_methods_insert():
    def inserted(x, c):
        first = Node(x[0])
        first.insert(x[1])
        first.insert(x[2])
        return first

    check(inserted, *TWO, (np.array([1.0, 2.0, 3.0]), np.bool_(True)), joins=True)


def test_a_dataclass_that_may_have_another_name_is_not_modified():
    def given_a_name(x, c):
        one, other = Node(x[0]), None
        if c:
            other = one
        one.value = x[1]
        return one, other

    def without_its_name(x, c):
        one = Node(x[0], Node(x[1]))
        other = one.next
        if c:
            one.next = None
        other.value = x[2]
        return one, other

    def copied(x, c):
        one, other = Node(x[0]), None
        if c:
            other = copy.copy(one)
        one.value = x[1]
        return one, other

    for f in (given_a_name, without_its_name):
        with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
            ag.function(f)(*TWO[0])
    check(copied, *TWO)
