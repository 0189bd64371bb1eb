"""Special methods that are called by their names."""
from __future__ import annotations

import functools
import operator
from collections import deque

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(v),) for v in ([1.0, 2.0, 3.0], [3.0, 2.0, 1.0])]


def of_python_numbers(xs):
    x, n = xs[0], int(xs[1])
    return (
        5.0.__lt__(x), 5.0.__add__(x), 5.0.__rsub__(x), 5.0.__pow__(x), float.__add__(1.0, x),
        int.__add__(1, n), (5).__sub__(n), (5).__rsub__(n), (2.0).__eq__(x), True.__add__(n),
        (5.0).__add__(n), 1j.__mul__(x))


class Metres(float):
    def __add__(self, other):
        return super().__add__(other) * 2


def of_classes_and_bases(xs):
    x, n = xs[0], int(xs[1])
    return (
        float.__mul__(x, 2.0), float.__mul__(2.0, x), int.__add__(n, 1), float.__lt__(x, 2.0),
        functools.reduce(float.__mul__, [x, 2.0, x]), Metres(2.0) + x, Metres(2.0) + n,
        Metres(2.0) * x, x * Metres(2.0), Metres(2.0) < x,
        np.float64(2.0).__mul__(x), np.float64(3.0).__rsub__(xs))


def not_implemented(xs):
    return (5).__add__(xs[0]) is NotImplemented, (5).__lt__(float(xs[0])) is NotImplemented


def of_what_only_the_graph_knows(xs):
    x = xs[0]
    return x.__float__(), x.__int__(), x.__lt__(2), x.__str__(), xs.__len__(), x.__bool__()


def of_containers(xs):
    numbers, pairs, q, seen, held = [], [], deque(), set(), {}
    for x in xs:
        numbers.append(x)
        pairs.append((int(x), x))
        q.append(x)
        seen.add(int(x))
        held[int(x)] = x
    return (
        numbers.__len__(), numbers.__contains__(1.0), numbers.__str__(),
        pairs.__len__(), pairs.__contains__((1, 1.0)), pairs.__eq__(pairs),
        q.__len__(), q.__contains__(1), q.__lt__(q), q.__mul__(2), q.__add__(q),
        seen.__len__(), seen.__contains__(1), seen.__or__({9}), seen.__le__(seen),
        held.__len__(), held.__contains__(1), held.__or__({9: 1.0}), held.__getitem__(1))


def by_the_module_operator(xs):
    numbers, q = [], deque()
    for x in xs:
        numbers.append(x)
        q.append(x)
    return (
        operator.countOf(numbers, 1), operator.indexOf(numbers, 2), operator.countOf(q, 2.0),
        operator.countOf([1, xs[0]], 1), operator.length_hint(numbers), operator.length_hint(q),
        operator.length_hint(xs), np.iterable(numbers), np.iterable(q), np.iterable(xs[0]))


def found_nowhere(xs):
    numbers = []
    for x in xs:
        numbers.append(x)
    return operator.indexOf(numbers, 7)


@pytest.mark.parametrize('f', [
    of_python_numbers, of_classes_and_bases, of_what_only_the_graph_knows, of_containers,
    by_the_module_operator, found_nowhere])
def test_they_do_what_the_operators_do(f):
    check(f, *CALLS)


def test_what_a_number_of_python_leaves_to_the_other_operand():
    assert ag.function(not_implemented)(*CALLS[0]) == not_implemented(*CALLS[0]) == (True, True)


class Name(str):
    """A text that is equal to what differs from it in case alone."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return str.__eq__(self, other) or str.__eq__(self.lower(), other)

    def __lt__(self, other):
        return super().__lt__(other.lower())

    def __add__(self, other):
        return 'Name+' + other

    def __radd__(self, other):
        return other + '+Name'


class Near(float):
    """A number that is equal to what is near to it."""

    __hash__ = float.__hash__

    def __eq__(self, other):
        return abs(float.__sub__(self, other)) < 1

    def __add__(self, other):
        return float.__add__(self, other) + 100

    __radd__ = __add__


NAME, NEAR = Name('Pos'), Near(2.5)


def of_a_text_of_the_users(xs):
    s = 'pos' if xs[0] > 2 else 'neg'
    return (
        NAME == s, s == NAME, s != NAME, NAME < s, s > NAME, NAME + s, s + NAME, NAME in [s],
        (NAME, 1) == (s, 1), [s, s].count(NAME))


def of_texts(xs):
    s, b = ('pos', b'pos') if xs[0] > 2 else ('neg', b'neg')
    kept = list(filter('pos'.__eq__, [s, 'pos', 'neg']))
    return (
        kept, 'pos'.__eq__(s), 'pos'.__lt__(s), str.__add__('a', s), str.__eq__(NAME, s),
        b'pos'.__eq__(b), 'pos'.__eq__(b) is NotImplemented)


def of_a_number_of_the_users(xs):
    k = float(xs[0])
    return NEAR == k, k == NEAR, NEAR + k, k + NEAR, float.__rsub__(NEAR, k)


@pytest.mark.parametrize('f', [of_a_text_of_the_users, of_texts, of_a_number_of_the_users])
def test_classes_derived_from_those_of_texts_and_numbers(f):
    check(f, *CALLS)


def test_what_may_be_none_is_compared_by_the_operator():
    def by_name(x):
        s = 'pos' if x > 0 else None
        return 'pos'.__eq__(s)

    def by_operator(x):
        s = 'pos' if x > 0 else None
        return 'pos' == s

    with pytest.raises(ag.errors.StagingError, match=r'Write the operator, `a == b`'):
        ag.function(by_name)(np.float64(1))
    check(by_operator, (np.float64(1),), (np.float64(-1),))


class Named:
    """What is equal to its name."""

    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other

    __hash__ = None


def left_to_the_other_operand(xs):
    s, k, kept = 'pos' if xs[0] > 2 else 'neg', int(xs[0]), []
    for x in xs:
        if x > 0:
            kept.append(x)
    found = (
        s.__eq__(xs[0]), k.__eq__(xs[0]), k.__add__(1.0), float(k).__eq__('a'), kept.__eq__('a'),
        *map(s.__eq__, [k, None]))
    taken = list(filter(s.__eq__, ['pos', s]))
    return [each is NotImplemented for each in found], taken, kept.__eq__([1.0, 2.0, 3.0])


def asked_of_what_the_user_has_made(xs):
    s, k, named = 'pos' if xs[0] > 2 else 'neg', int(xs[0]), Named('pos')
    return (
        s == named, s != named, named == s, s in [named], k == NEAR, NEAR in [k],
        [k, NEAR].index(NEAR), np.float64(1) == s, s != np.float64(1))


@pytest.mark.parametrize('f', [left_to_the_other_operand, asked_of_what_the_user_has_made])
def test_what_leaves_it_to_the_other_operand(f):
    check(f, *CALLS)


def test_a_chosen_text_of_the_users_class_would_lose_it():
    def f(x):
        return (Name('a') if x > 0 else Name('b')).join(['x', 'y'])

    with pytest.raises(ag.errors.StagingError, match='choose a plain `str`'):
        ag.function(f)(np.float64(1))
