"""Lists and dicts that a staged block modifies and that have other names."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

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


@pytest.mark.parametrize('f', [returned, measured, iterated, inside_a_dict])
def test_read_through_another_name(f):
    with pytest.raises(ag.errors.OwnershipError, match='test_moved'):
        ag.function(f)(XS)


def test_read_through_its_own_name():
    def f(xs):
        a = []
        b = a.copy()
        for x in xs:
            a.append(x)
        return a, b

    check(f, (XS,))


def test_a_list_from_outside():
    @ag.function
    def f(xs):
        for x in xs:
            if x > 0:
                KEPT.append(x)
        return xs

    with pytest.raises(ag.errors.OwnershipError, match='outside'):
        f(XS)
    assert KEPT == []


def test_a_list_that_is_an_argument():
    @ag.function
    def f(xs, out):
        for x in xs:
            if x > 0:
                out.append(x)
        return xs

    out = []
    with pytest.raises(ag.errors.OwnershipError):
        f(XS, out)
    assert out == []


class Counter:
    def __init__(self):
        self.items = []
        self.counts = {'positive': 0}
        self.last = 0.0

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


@pytest.mark.parametrize('name', ['append', 'count', 'keep'])
def test_an_object_from_outside(name):
    counter = Counter()
    with pytest.raises(ag.errors.OwnershipError, match='lives outside'):
        ag.function(getattr(counter, name))(XS)
    assert vars(counter) == vars(Counter())


def test_a_global_variable():
    with pytest.raises(ag.errors.OwnershipError, match='lives outside'):
        ag.function(sets_a_global)(XS)
    assert LAST == 0.0


def test_an_object_of_its_own():
    def f(xs):
        counter = Counter()
        for x in xs:
            if x > 0:
                counter.items.append(x)
                counter.last = x
        return counter.items, counter.last

    check(f, (XS,))
