"""What a staged block changes without being given it."""
from __future__ import annotations

import functools

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


CALLS = 0


def count_calls():
    global CALLS
    CALLS += 1
    return CALLS


def a_global(xs):
    if xs[0] > 0:
        count_calls()
    return CALLS


def ticking():
    n = 0

    def tick(x=0):
        nonlocal n
        n += 1
        return x > n

    return tick


def a_variable_of_a_closure(xs):
    tick = ticking()
    if xs[0] > 0:
        tick()
    return tick(3)


def an_operand(xs):
    tick = ticking()
    return xs[0] > 0 or tick(xs[0]), tick(3)


def a_list_in_an_operand(xs):
    out = []
    return xs[0] > 0 or out.append(1), out


def an_iterator_in_an_operand(xs):
    numbers = iter((1, 2, 3))
    return next(numbers) if xs[0] > 0 else 0, next(numbers)


def a_test(xs):
    counter = Counter()
    x = xs[0]
    while counter.count() is None and x < 5:
        x = x + 1
    return counter.n, x


def a_message(xs):
    tick = ticking()
    assert xs[0] > 0, tick()
    return tick(2)


@pytest.mark.parametrize(
    'f',
    [
        counted, counted_in_a_branch, put, passed, passed_in_a_branch, a_global,
        a_variable_of_a_closure, an_operand, a_list_in_an_operand, an_iterator_in_an_operand,
        a_test, a_message,
    ],
)  # fmt: skip
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


def in_a_comprehension(xs):
    n = 0

    def tick(x):
        nonlocal n
        n += 1
        return x + n

    return [tick(x) for x in xs], n


class Cached:
    @functools.cached_property
    def rate(self):
        return 2.0


CACHED = Cached()


def a_cached_property(xs):
    if xs[0] > 0:
        return xs * CACHED.rate
    return xs


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
        in_a_comprehension, a_cached_property,
    ],
)  # fmt: skip
def test_the_same(f):
    check(f, (XS,))
