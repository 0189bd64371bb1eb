"""Attributes and items that staged statements set: by several names, and by code of a class."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class Thing:
    """It holds what it is given."""


class Limited:
    """It limits what it is given, and counts how often."""

    def __init__(self, value):
        self._value = value
        self.times = 0

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, value):
        self.times = self.times + 1
        if value > 5.0:
            value = 5.0
        self._value = value


class Logged:
    """It counts what is set."""

    def __init__(self, n):
        object.__setattr__(self, 'times', 0)
        object.__setattr__(self, 'n', n)

    def __setattr__(self, name, value):
        object.__setattr__(self, 'times', self.times + 1)
        object.__setattr__(self, name, value)


class Table:
    """It doubles what is put into it."""

    def __init__(self, n):
        self.items = {'n': n}

    def __getitem__(self, key):
        return self.items[key]

    def __setitem__(self, key, value):
        self.items[key] = value * 2


@dataclasses.dataclass
class Point:
    n: float


def places_of_their_own(x, n):
    a, b, d = Thing(), Thing(), {'n': x}
    a.n, b.n = x, x * 2
    for i in range(n):
        a.n = a.n + 1
        b.n = b.n * x
        if x > 0:
            d['n'] = a.n
    return a.n, b.n, d


def two_names_for_one_attribute(x, n):
    a = Thing()
    b = a
    a.n = x
    for _ in range(n):
        a.n = a.n + 1
        b.n = b.n * 2
    return a.n


def read_by_another_name(x, n):
    a = Point(x)
    b = a
    total = x
    for _ in range(n):
        a.n = a.n + 1
        total = total + b.n
    return a, b, total


def perhaps_another_object(x, n):
    a = Thing()
    a.n = x
    b = a if n > 2 else Thing()
    b.n = x
    i = 0
    while i < n:
        a.n = a.n + 1
        b.n = b.n * 2
        i = i + 1
    return a.n, b.n


def both(p, q, x, n):
    for _ in range(n):
        p['n'] = p['n'] + x
        q['n'] = q['n'] * 2
    return p['n']


def one_dict_for_two_parameters(x, n):
    d = {'n': x}
    e = {'n': x}
    return both(d, d, x, n), d, both(d, e, x, n), d, e


def setter_in_a_branch(x, n):
    p = Limited(x)
    if x > 0:
        p.value = p.value * 2
    return p.value, p.times


def setter_in_a_loop(x, n):
    p = Limited(x)
    for i in range(n):
        p.value = p.value + 2 * i
        if p.value > 4:
            p.value -= 3
    return p.value, p.times


def every_attribute(x, n):
    p = Logged(x)
    for _ in range(n):
        if p.n > 3:
            p.n = p.n - 2
        p.n += x
    return p.n, p.times


def every_item(x, n):
    t = Table(x)
    for _ in range(n):
        t['n'] = t['n'] + 1
        if x > 0:
            t['n'] += x
    return t['n']


def element_of_a_list(x, n):
    ps = [Point(x), Point(x + 1)]
    last = ps[-1]
    for _ in range(n):
        for p in ps:
            p.n = p.n * 2
        last.n = last.n + 1
    return ps, last


def on_the_way_out(x, n):
    a = Thing()
    a.n = x
    return leave(a, x), a.n


def leave(a, x):
    if x > 0:
        a.n = a.n + 1
        return a.n * 2
    a.n = -a.n
    return x


PROGRAMS = [
    places_of_their_own, two_names_for_one_attribute, read_by_another_name, perhaps_another_object,
    one_dict_for_two_parameters, setter_in_a_branch, setter_in_a_loop, every_attribute, every_item,
    element_of_a_list, on_the_way_out,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
@pytest.mark.parametrize('staged', [True, False])
def test_the_same(f, staged):
    number = np.int64 if staged else int
    if f is perhaps_another_object:
        number = int
    calls = [(F(2), number(3)), (F(-2), number(2)), (F(2), number(0))]
    check(f, *calls, traces=1 if number is not int else 3, joins=True)


def test_what_handlers_find_of_an_object():
    def half_done(x):
        a = Thing()
        a.n = 0
        try:
            a.n = 1
            x = checked(x)
        except ValueError:
            x = -x
        return x, a.n

    check(half_done, (F(4),), (F(-4),))


def test_what_handlers_find_of_an_object_that_a_method_changes():
    def half_done(x):
        p = Limited(x)
        try:
            touch(p)
            x = checked(x)
        except ValueError:
            x = -x
        return x, p.times

    check(half_done, (F(4),), (F(-4),))


def touch(p):
    p.times = p.times + 1


def checked(x):
    if x > 0:
        raise ValueError('too large')
    return x


def test_an_object_that_changes_last():
    def late(x):
        a = Thing()
        a.n = 0
        try:
            y = checked(x)
            a.n = 1
        except ValueError:
            y = -x
        return y, a.n

    check(late, (F(4),), (F(-4),), joins=True)


def read_and_rebound(x, n):
    a = Point(x)
    b = a
    total = x
    for _ in range(n):
        total = total + b.n
        a = Point(a.n + 1)
    return a, b, total


def list_with_two_names(x, n):
    a = [x, x + 1]
    b = a
    total = x
    for _ in range(n):
        a[0] = a[0] + 1
        total = total + b[0]
    return a, b, total


def growing_list_with_two_names(x, n):
    a = [x]
    b = a
    total = x
    for _ in range(n):
        a.append(x + total)
        total = total + b[-1] + len(b)
    return a, b, total


def dict_in_a_dict(x, n):
    inner = {'n': x}
    outer = {'inner': inner, 'k': x}
    total = x
    for _ in range(n):
        inner['n'] = inner['n'] + 1
        total = total + outer['inner']['n']
    return inner, outer, total


def asked_by_another_name(x, n):
    a = {'n': x}
    b = a
    while b['n'] < 10 + n:
        a['n'] = a['n'] * a['n'] + 1
    return a, b


def array_with_two_names(x, n):
    a = np.zeros(4)
    b = a
    for i in range(n):
        a[i] = b.sum() + x
    return a, b


def another_name_in_a_tuple(x, n):
    a = {'n': x}
    pair = a, x
    total = x
    for _ in range(n):
        a['n'] = a['n'] + 1
        total = total + pair[0]['n']
    return total, pair


@pytest.mark.parametrize(
    'f',
    [
        read_and_rebound, list_with_two_names, growing_list_with_two_names, dict_in_a_dict,
        asked_by_another_name, array_with_two_names, another_name_in_a_tuple,
    ],
)  # fmt: skip
def test_read_by_another_name(f):
    check(f, (F(2), np.int64(3)), (F(-2), np.int64(2)), (F(2), np.int64(0)), joins=True)


def test_changed_and_rebound():
    def f(x, n):
        a = {'n': x}
        b = a
        total = x
        for _ in range(n):
            a['n'] = a['n'] + 1
            total = total + b['n']
            a = {'n': a['n']}
        return a, b, total

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(F(2), np.int64(3))


# Arrays in containers.


def array_in_a_dict(xs, n):
    d = {'b': 1, 'a': xs}
    for _ in range(n):
        d['a'] = d['a'] * 2
        if d['a'][0] > 3:
            d['a'] = d['a'] - 1
    return d, xs


def arrays_that_change_places(xs, n):
    d = {'a': xs, 'b': xs * 2}
    p = Point(xs + 5)
    for _ in range(n):
        d['a'], d['b'] = d['b'], d['a']
        if d['a'][0] > 1:
            p.n, d['a'] = d['a'], p.n
    return d, p


def arrays_filled_in_place(xs, n):
    d = {'a': xs.copy(), 'b': np.zeros(3)}
    p = Point(np.ones(3))
    for i in range(n):
        d['b'][i] = d['a'][i] + p.n[0]
        p.n[i] += d['b'][i]
        if xs[i] > 1:
            d['a'][i] = 9.0
    return d, p


def array_with_another_name(xs, n):
    d = {'a': xs}
    first = xs
    total = xs * 0
    for _ in range(n):
        d['a'] = d['a'] + 1
        total = total + first
    return d, total, first


def rows_of_a_list(xs, n):
    rows = [xs, xs + 1]
    for _ in range(n):
        rows[0], rows[1] = rows[1] * 2, rows[0]
        if rows[0][0] > 2:
            rows[1] = rows[1] + 1
    return rows


@pytest.mark.parametrize(
    'f',
    [
        array_in_a_dict, arrays_that_change_places, arrays_filled_in_place,
        array_with_another_name, rows_of_a_list,
    ],
)  # fmt: skip
def test_arrays(f):
    xs = np.array([1.0, 2.0, 3.0])
    check(f, *[(xs, np.int64(n)) for n in (0, 1, 2, 3)])


# What is returned early.


def returned_from_a_loop(xs):
    d = {'n': xs[0]}
    e = until_large(d, xs)
    e['n'] += 1
    return d, e


def until_large(d, xs):
    for x in xs:
        d['n'] += x
        if x > 2:
            return d
    return d


def returned_or_new(xs):
    d = {'n': xs[0]}
    e = large_or_new(d, xs)
    e['n'] += 1
    return d, e


def large_or_new(d, xs):
    for x in xs:
        if x > 2:
            return d
    return {'n': xs[1]}


def test_what_is_returned_early_is_what_it_was():
    check(returned_from_a_loop, (np.array([1.0, 5.0, 3.0]),), (np.array([1.0, 1.0, 1.0]),))
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(returned_or_new)(np.array([1.0, 5.0, 3.0]))


class Counter:
    """It counts from what its class says."""

    hits = 0
    best = None

    def hit(self, x):
        if x > 0:
            self.hits = self.hits + 1
            self.best = x


def attributes_of_the_class(x, n):
    counter = Counter()
    for i in range(n):
        counter.hit(x - i)
    return counter.hits, counter.best


def test_attributes_of_the_class():
    check(attributes_of_the_class, (F(2), np.int64(3)), (F(-2), np.int64(2)), (F(2), np.int64(0)))
    assert vars(Counter)['hits'] == 0


def objects_in_a_tuple(x, n):
    pair = Thing(), Thing()
    pair[0].n, pair[1].n = x, x
    for i in range(n):
        if x > i:
            pair[0].n += i
        else:
            pair[1].n -= x
    return pair[0].n, pair[1].n


def test_objects_in_a_tuple():
    check(objects_in_a_tuple, (F(2), np.int64(4)), (F(-2), np.int64(2)), (F(2), np.int64(0)))


def renamed_and_changed_in_a_loop(xs):
    d = {'a': 1.0}
    other = d
    for x in xs:
        if x > 0:
            d = {'a': x}
        d['a'] += x
    return d, other


def renamed_and_changed_in_a_branch(xs):
    d = {'a': 1.0}
    other = d
    if xs[0] > 0:
        if xs[1] > 0:
            d = {'a': 2.0}
        d['a'] += 1
    return d, other


@pytest.mark.parametrize('f', [renamed_and_changed_in_a_loop, renamed_and_changed_in_a_branch])
def test_what_may_have_another_name_outside_is_not_changed(f):
    with pytest.raises(ag.errors.OwnershipError, match='another name'):
        ag.function(f)(np.array([1.0, -2.0]))


def renamed_in_a_loop(xs):
    d = {'a': 1.0}
    other = d
    for x in xs:
        if x > 0:
            d = {'a': x}
    return d, other


def changed_in_a_loop(xs):
    d = {'a': 1.0}
    for x in xs:
        if x > 0:
            d = {'a': x}
        d['a'] += 1
    return d


@pytest.mark.parametrize('f', [renamed_in_a_loop, changed_in_a_loop])
def test_what_is_only_renamed_or_has_no_other_name(f):
    check(f, (np.array([1.0, -2.0]),), (np.array([-1.0, -2.0]),), joins=True)
