"""What a staged block changes without being given it."""
from __future__ import annotations

import collections
import functools
from dataclasses import dataclass

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


class Stats:
    __slots__ = ('by', 'last', 'mean', 'n')

    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.by = {'positive': 0, 'all': np.int64(0)}

    def update(self, x):
        self.n += 1
        self.mean = self.mean + (x - self.mean) / self.n
        self.last = x

    def sort(self, x):
        self.by['all'] += 1
        if x > 0:
            self.by['positive'] += 1


@dataclass
class Total:
    total: float = 0.0


def add(total, x):
    total.total += x


def fill(out, x):
    if x > 0:
        out.append(x)


def fill_from(out, xs):
    for x in xs:
        fill(out, x)


def take(stack):
    return stack.pop()


def put_at(v, i, x):
    v[i] += x


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
        counter.put((x, 1))
        if x > 1:
            counter.items.pop()
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


def passed_on(xs):
    out = []
    fill_from(out, xs)
    fill_from(out, xs + 1)
    return out, len(out)


def stack(xs):
    items = []
    for x in xs:
        items.append(x)
    total = xs.sum()
    while len(items) > 1:
        total = total * 2 - take(items)
    return total, items


def several_attributes(xs):
    stats = Stats()
    for x in xs:
        if x < 5:
            stats.update(x)
        stats.sort(x)
    return stats.n, stats.mean, stats.last, stats.by


def two_objects(xs):
    one, other = Total(), Total()
    for x in xs:
        one.total = one.total + x
        if x > 0:
            add(other, x)
    return one.total, other


def two_names(xs):
    one = Total()
    other = one
    for x in xs:
        add(one, x)
        if x > 0:
            add(other, x)
    return one.total, other.total


def objects_in_a_list(xs):
    stats = [Stats(), Stats()]
    for x in xs:
        stats[0].update(x)
        if x < 2:
            stats[1].update(x)
    return stats[0].n, stats[1].n, stats[1].mean


def until_counted(xs):
    counter = Counter()
    for x in xs:
        counter.count_positive(x)
        if counter.n > 1:
            break
    else:
        counter.n = 100
    return counter.n


def put_in_a_comprehension(xs):
    counter = Counter()
    out = [counter.put(x) or x * 2 for x in xs]
    return out, counter.items


def an_array(xs):
    v = np.zeros(3)
    for i, x in enumerate(xs):
        put_at(v, 0, x)
        if x > 0:
            put_at(v, i, x)
    return v


def a_closure(xs):
    def make():
        n = 0

        def up(x):
            nonlocal n
            n += x

        return up, lambda: n

    up, get = make()
    for x in xs:
        up(x)
    return get()


def made_new_by_a_method(xs):
    counter = Counter()
    for x in xs:
        counter.items = []
        counter.put(x)
    return counter.items


@pytest.mark.parametrize(
    'f',
    [
        counted, counted_in_a_branch, put, passed, passed_in_a_branch, passed_on, stack,
        several_attributes, two_objects, two_names, objects_in_a_list, until_counted,
        put_in_a_comprehension, an_array, a_closure, made_new_by_a_method,
        a_variable_of_a_closure, an_operand, a_list_in_an_operand,
    ],
)  # fmt: skip
def test_becomes_state(f):
    check(f, (XS,), (-XS,))


def a_set(xs):
    seen = set()
    for x in xs:
        if x > 0:
            seen.add(1)
    return len(seen)


def a_queue(xs):
    queue = collections.deque()
    for x in xs:
        queue.append(x)
    return len(queue)


def some_bytes(xs):
    held = bytearray()
    for _ in xs:
        held.append(1)
    return len(held)


def an_iterator(xs):
    numbers = iter([1, 2, 3])
    total = 0.0
    for x in xs:
        total += x * next(numbers)
    return total


def put_key(counts, x):
    counts['n'] = x


def a_new_key(xs):
    counts = {}
    for x in xs:
        put_key(counts, x)
    return counts


@pytest.mark.parametrize(
    ('f', 'fix'),
    [
        (a_set, 'Use a list, or an array'),
        (a_queue, 'Use a list'),
        (some_bytes, 'bytearray'),
        (an_iterator, 'list_iterator'),
        (a_new_key, 'counts, a dict, .*all its keys'),
        (a_global, 'CALLS'),
        (an_iterator_in_an_operand, 'tuple_iterator'),
        (a_test, 'counter.n'),
        (a_message, "'n'|n of tick"),
    ],
)
def test_refused(f, fix):
    with pytest.raises(ag.errors.OwnershipError, match=f'(?s){fix}') as error:
        ag.function(f)(XS)
    assert 'test_reachable' in str(error.value)


KEPT = Counter()
TOTALS = [Total()]


def of_a_global(xs):
    for x in xs:
        KEPT.put(x)
    return xs


def counts_a_global(xs):
    for x in xs:
        if x > 0:
            KEPT.count()
    return xs


def inside_a_global(xs):
    for x in xs:
        add(TOTALS[0], x)
    return xs


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
