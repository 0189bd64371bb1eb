"""What a staged block changes without being given it."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, 2.0, -3.0])


class Counter:
    def __init__(self):
        self.n = 0
        self.items = []

    def count(self):
        self.n += 1

    def count_positive(self, x):
        if x > 0:
            self.n += 1

    def put(self, x):
        self.items.append(x)


def fill(out, x):
    if x > 0:
        out.append(x)


def counted(xs):
    counter = Counter()
    for _ in xs:
        counter.count()
    return counter.n


def counted_in_a_branch(xs):
    counter = Counter()
    for x in xs:
        counter.count_positive(x)
    return counter.n


def put(xs):
    counter = Counter()
    for x in xs:
        counter.put(x)
    return counter.items


def passed(xs):
    out = []
    for x in xs:
        fill(out, x)
    return out


def passed_in_a_branch(xs):
    out = [xs[0]]
    if xs[0] > 0:
        fill(out, xs[1])
    return out


@pytest.mark.parametrize('f', [counted, counted_in_a_branch, put, passed, passed_in_a_branch])
def test_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match='test_reachable'):
        ag.function(f)(XS)


def unrolled(xs):
    counter = Counter()
    for _ in range(200):
        counter.count()
    return counter.n, xs


def made_in_the_block(xs):
    total = xs[0] * 0
    for x in xs:
        counter = Counter()
        counter.count_positive(x)
        total = total + x * counter.n
    return total


def positive(x):
    if x > 0:
        return x
    return -x


def an_attribute_beside_a_call(xs):
    counter = Counter()
    for x in xs:
        if x > 1:
            counter.n = counter.n + positive(x)
    return counter.n


def an_item_beside_a_call(xs):
    counts = {'n': np.float64(0)}
    for x in xs:
        counts['n'] = counts['n'] + positive(x)
    return counts


def helpers(xs):
    out = []
    n = 0

    def add(x):
        nonlocal n
        out.append(x)
        n += 1

    for x in xs:
        add(x)
    return out, n


@pytest.mark.parametrize(
    'f',
    [
        unrolled, made_in_the_block, helpers, an_attribute_beside_a_call, an_item_beside_a_call,
    ],
)  # fmt: skip
def test_the_same(f):
    check(f, (XS,))
