"""Lists and dicts that a staged block modifies and that have other names."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

XS = np.array([1.0, 2.0, -3.0])
KEPT = []


def returned(xs):
    a = []
    b = a
    for x in xs:
        if x > 0:
            a.append(x)
    return b


def measured(xs):
    a = [xs[0]]
    b = a
    if xs[0] > 0:
        a.append(xs[1])
    return len(b)


def iterated(xs):
    a = [xs[0]]
    b = a
    for x in xs:
        a.append(x)
    total = xs[0] * 0
    for x in b:
        total += x
    return total


def inside_a_dict(xs):
    a = {'found': []}
    b = a['found']
    for x in xs:
        a['found'].append(x)
    return b


def stacked(xs):
    a = [xs[0]]
    b = a
    for x in xs:
        a.append(x)
    for x in xs:
        b.append(x)
    return np.stack(b), np.array(a), sum(b), max(a)


def indexed(xs):
    a = [xs[0]]
    b = a
    for x in xs:
        a.append(x)
    return b[-1], b[0]


def emptied(xs):
    a = [xs[0]]
    b = a
    for x in xs:
        a.append(x)
    n = 0
    while b:
        b.pop()
        n += 1
    return n, len(a)


def the_same_dict(xs):
    d = {'n': 0, 'x': xs[0]}
    e = d
    for x in xs:
        if x > 0:
            d['n'] += 1
            d['x'] = x
    return d, e


def one_item_of_a_list(xs):
    a = [0.0, xs[0]]
    b = a
    for x in xs:
        if x > 0:
            a[1] = x
    return a, b


def in_a_tuple(xs):
    a = []
    pair = (a, 1)
    for x in xs:
        pair[0].append(x)
    return a, pair


@pytest.mark.parametrize(
    'f',
    [
        returned, measured, iterated, inside_a_dict, stacked, indexed, emptied, the_same_dict,
        one_item_of_a_list, in_a_tuple,
    ],
)  # fmt: skip
def test_read_through_another_name(f):
    check(f, (XS,), (-XS,))


def both_grow(xs):
    a = []
    b = a
    for x in xs:
        a.append(x)
        b.append(-x)
    return a, b


def both_change_in_a_branch(xs):
    a = [xs[0]]
    b = a
    if xs[0] > 0:
        a[0] = xs[1]
        b[0] += xs[2]
    return a, b


def both_attributes_grow(xs):
    counter = Counter()
    counter.more = counter.items
    for x in xs:
        counter.items.append(x)
        if x > 0:
            counter.more.append(x)
    return counter.items, counter.more


def an_attribute_grows_too(xs):
    counter = Counter()
    items = counter.items
    for x in xs:
        counter.put(x)
        if x > 1:
            items.append(x)
    return counter.items, items


@pytest.mark.parametrize(
    'f', [both_grow, both_change_in_a_branch, both_attributes_grow, an_attribute_grows_too]
)
def test_modified_through_two_names(f):
    check(f, (XS,), (-XS,))


def test_read_through_its_own_name():
    def f(xs):
        a = []
        b = a.copy()
        for x in xs:
            a.append(x)
        return a, b

    check(f, (XS,))


class Counter:
    def __init__(self):
        self.items = []
        self.counts = {'positive': 0}
        self.last = 0.0

    def put(self, x):
        self.items.append(x)

    def append(self, xs):
        for x in xs:
            if x > 0:
                self.items.append(x)
        return xs

    def count(self, xs):
        for x in xs:
            if x > 0:
                self.counts['positive'] += 1
        return xs

    def keep(self, xs):
        self.last = xs[0]
        return xs


LAST = 0.0


def sets_a_global(xs):
    global LAST
    LAST = xs[0]
    return xs


def test_an_object_of_its_own():
    def f(xs):
        counter = Counter()
        for x in xs:
            if x > 0:
                counter.items.append(x)
                counter.last = x
        return counter.items, counter.last

    check(f, (XS,))
