"""Objects of plain classes that several names stand for: the running program has them itself."""
from __future__ import annotations

import copy

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(x),) for x in ([1.0, 3, 2], [4.0, 1, 5], [-1.0, -3, 0.5])]


class Run:
    """What has a list, a dict and an array."""

    kept = 0

    def __init__(self):
        self.items = []
        self.total = 0.0
        self.ends = {'first': 0.0, 'last': 0.0}
        self.row = np.zeros(2)

    def __len__(self):
        return len(self.items)

    def __bool__(self):
        return True

    def __repr__(self):
        return 'Run'

    @property
    def mean(self):
        return self.total / len(self.items)

    def add(self, x):
        self.items.append(x)
        self.total += x
        self.ends['last'] = x
        self.row = self.row + x
        self.kept += 1
        return self


class Slots:
    __slots__ = ('items', 'n', 'next')

    def __init__(self, x, after=None):
        self.items = [x]
        self.n = 0
        self.next = after

    def inc(self):
        self.n += 1


class Point:
    def __init__(self, x):
        self.x = x


class Node:
    def __init__(self, x, after=None):
        self.x = x
        self.next = after


class Tree:
    def __init__(self, x):
        self.x = x
        self.left = None
        self.right = None

    def insert(self, x):
        if x < self.x:
            if self.left is None:
                self.left = Tree(x)
            else:
                self.left.insert(x)
        else:
            if self.right is None:
                self.right = Tree(x)
            else:
                self.right.insert(x)

    def sum(self):
        total = self.x
        if self.left is not None:
            total += self.left.sum()
        if self.right is not None:
            total += self.right.sum()
        return total


def the_best_of_new_ones(xs):
    best = None
    for x in xs:
        run = Run().add(x).add(2 * x)
        if best is None or run.total > best.total:
            best = run
        run.add(1.0)
    return best.items, best.total, best.ends, best.row, best.mean, best.kept


def the_best_beside_one_from_before(xs):
    best = Run()
    for x in xs:
        run = Run().add(x)
        if run.total > best.total:
            best = run
        run.add(1.0)
    best.add(7.0)
    return best.items, len(best), best.kept, str(best), f'{best!r}'


def the_one_before(xs):
    before, steps = Run(), 0.0
    for x in xs:
        run = Run().add(x)
        steps += abs(run.total - before.total)
        before.total = 0.0
        before = run
    return steps, before.items


def one_on_each_way(xs):
    if xs[0] > 0:
        run = Run().add(xs[0])
    else:
        run = Run().add(xs[1]).add(xs[2])
    run.add(3.0)
    return run.items, run.total


def returned_from_within(xs):
    run = Run()
    for x in xs:
        run.add(x)
        if run.total > 3:
            return run.add(0.0)
    return run


def names_that_trade_places(xs):
    a, b = Run(), Run()
    for x in xs:
        if x > 0:
            a, b = b, a
        a.add(x)
    return a.items, b.items, a is b


def what_one_name_changes(xs):
    best, found = None, 0
    for x in xs:
        run = Run().add(x)
        if best is None or run.total > best.total:
            best = run
        if best is run:
            found += 1
        run.add(10.0)
    return best.total, found


def chosen_for_each(xs):
    above, below = Run(), Run()
    for x in xs:
        run = above if x > 1 else below
        run.add(x)
    return above.items, below.items


def with_slots(xs):
    best = None
    for x in xs:
        one = Slots(x)
        if best is None or x > best.items[0]:
            best = one
        one.inc()
        one.items.append(0.0)
    return best.n, best.items


def linked_with_slots(xs):
    head, total = None, 0.0
    for x in xs:
        head = Slots(x, head)
    while head is not None:
        total = 2 * total + head.items[0]
        head = head.next
    return total


def linked(xs):
    head = tail = Node(0.0)
    for x in xs:
        tail.next = Node(x)
        tail = tail.next
    before, node = None, head
    while node is not None:
        node.next, before, node = before, node, node.next
    total = 0.0
    while before is not None:
        total = 2 * total + before.x
        before = before.next
    return total


def a_ring(xs):
    head = Node(0.0)
    head.next = head
    for x in xs:
        head.next = Node(x, head.next)
    total, node = 0.0, head.next
    while node is not head:
        total = 2 * total + node.x
        node = node.next
    return total


def one_that_begins_as_its_own(xs):
    class Ring:
        def __init__(self, x):
            self.x = x
            self.next = self

    head = Ring(0.0)
    for x in xs:
        node = Ring(x)
        node.next, head.next = head.next, node
    return head.next.x, head.next.next.x


def a_tree_that_grows_by_recursion(xs):
    root = Tree(xs[0])
    for x in xs[1:]:
        root.insert(x)
    return root.sum()


@pytest.mark.parametrize('f', [
    the_best_of_new_ones, the_best_beside_one_from_before, the_one_before, one_on_each_way,
    returned_from_within, names_that_trade_places, what_one_name_changes, chosen_for_each,
    with_slots, linked_with_slots, linked, a_ring, one_that_begins_as_its_own,
    a_tree_that_grows_by_recursion,
], ids=lambda f: f.__name__)  # fmt: skip
def test_objects_that_several_names_stand_for(f):
    check(f, *VECTORS, joins=True)


def what_their_class_is(xs):
    best, found = None, []
    for x in xs:
        point = Point(x)
        found.append((isinstance(best, Point), type(best) is Point, type(point) is Point))
        if x > 1:
            best = point
        point.x += 1
    return found, best.__class__ is Point


def what_they_are_equal_to(xs):
    points = [Point(x) for x in xs]
    best, before, found = points[0], None, 0
    for point in points:
        if point.x > best.x:
            best = point
        found += (best == point) + 10 * (best != point) + 100 * (point == before)
        before = point
    return found, best in points, best in points[:1], best == points[0]


def attributes_that_only_some_have(xs):
    best, found = Point(0.0), 0
    for x in xs:
        point = Point(x)
        if x > 1:
            point.more = x
            best = point
        if hasattr(best, 'more'):
            found += 1
        point.x += 1
    return found, getattr(best, 'more', -1.0), hasattr(best, 'less'), getattr(best, 'less', 5)


def copies(xs):
    run, best, whole = Run(), Run(), Run()
    for x in xs:
        run.add(x)
        if x > 1:
            best, whole = copy.copy(run), copy.deepcopy(run)
    return best.items, best.total, whole.items, whole.total, best.items is run.items


def a_list_that_an_object_has_with_another_name(xs):
    shared = []
    best = Run()
    best.items = shared
    for x in xs:
        run = Run()
        run.items = shared
        if x > 1:
            best = run
        best.items.append(x)
        run.total = 1.0
    return len(shared), shared[0], 3.0 in shared, isinstance(shared, list), type(shared) is list


@pytest.mark.parametrize('f', [
    what_their_class_is, what_they_are_equal_to, attributes_that_only_some_have, copies,
    a_list_that_an_object_has_with_another_name,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_is_asked_of_such_objects(f):
    check(f, *VECTORS[:2], joins=True)


def never_there(xs):
    best = None
    for x in xs:
        run = Run().add(x)
        if x > 100:
            best = run
        run.add(1.0)
    return best.add(1.0)


def test_a_method_of_none():
    check(never_there, *VECTORS[:1])


def an_array_that_one_has(xs):
    best = Run()
    for x in xs:
        run = Run()
        run.row[0] = x
        if x > 1:
            best = run
        best.row[len(best.items)] = x
        run.total = 1.0
    return best.row


def a_copy_of_the_array_that_one_has(xs):
    best = Run()
    for x in xs:
        run = Run()
        if x > 1:
            best = run
        row = best.row.copy()
        row[len(best.items)] = x
        best.row = row
        run.total = 1.0
    return best.row


def test_an_array_is_not_changed_in_its_place():
    with pytest.raises(ag.errors.OwnershipError, match='change a copy and put it back'):
        ag.function(an_array_that_one_has)(*VECTORS[0])
    check(a_copy_of_the_array_that_one_has, *VECTORS)


def all_attributes(xs):
    best = Point(0.0)
    for x in xs:
        point = Point(x)
        if x > 1:
            best = point
        point.x += 1
    return vars(best)


def an_attribute_less(xs):
    best = Point(0.0)
    for x in xs:
        point = Point(x)
        if x > 1:
            best = point
        del point.x
    return best is point


@pytest.mark.parametrize(('f', 'message'), [
    (all_attributes, 'Take its attributes one by one'),
    (an_attribute_less, 'Set it to None in place of that: `p.x = None`'),
])
def test_what_such_objects_do_not_do(f, message):
    with pytest.raises(ag.errors.StagingError, match=message):
        ag.function(f)(*VECTORS[0])


def which_of_them_it_is(xs):
    best, found = None, 0
    for x in xs:
        point = Point(x)
        if best is None or point.x > best.x:
            best = point
        if best is point:
            found += 1
    return found


def test_which_of_them_it_is():
    check(which_of_them_it_is, *VECTORS)
