"""Variables of every scope: deleted, declared, closed over, bound in patterns and in conditions."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

F, N = np.float64, np.int64
SIGNS = [(F(4),), (F(-4),), (F(0),)]
VECTORS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -2.0, -3.0]),)]

rate = 2.0
history = 0.0


# `del`.


def deleted(x):
    y = x * 2
    if x > 0:
        z = y + 1
        del y
        y = z
        del z
    return y


def deleted_in_a_loop(xs):
    total = 0.0
    for x in xs:
        y = x * 2
        total = total + y
        del y
    return total


def deleted_item(x):
    parts = {'a': x, 'b': x * 2}
    if x > 0:
        parts['a'] = x * 3
    del parts['b']
    rest = [x, x + 1, x + 2]
    del rest[0]
    return parts['a'] + rest[0], len(parts), len(rest)


# `nonlocal` and `global`.


def counted(xs):
    count = 0
    total = 0.0

    def add(x):
        nonlocal count, total
        if x > 0:
            count = count + 1
            total = total + x
        return total

    for x in xs:
        add(x)
    return total, count


def bank(x):
    balance = x * 0

    def deposit(amount):
        nonlocal balance
        balance = balance + amount
        return balance

    def withdraw(amount):
        nonlocal balance
        if amount > balance:
            return balance
        balance = balance - amount
        return balance

    deposit(x + 5)
    withdraw(x)
    first = withdraw(x * 2)
    return first, balance


def two_levels(x):
    y = x

    def outer():
        z = y * 2

        def inner():
            nonlocal z
            if z > 0:
                z = z + y
            return z

        inner()
        return z

    return outer() + y


def reads_globals(x):
    global rate
    return x * rate if x > 0 else x / rate


def sets_a_global_of_its_own(x):
    global scratch
    scratch = 3.0
    return x * scratch if x > 0 else x


scratch = 0.0


# Closures over loop variables.


def late_closures(x):
    fs = []
    for i in range(3):
        fs.append(lambda y: y * i)  # noqa: B023
    return fs[0](x) + fs[2](x)


def closures_used_at_once(xs):
    total = 0.0
    for i, x in enumerate(xs):
        scaled = lambda y: y * i + x  # noqa: B023, E731
        if x > 0:
            total = total + scaled(x)
    return total


def closures_that_are_kept(x):
    fs = [lambda y, k=k: y + k for k in range(3)]
    total = x * 0
    for f in fs:
        total = f(total) if total < 2 else total
    return total


def closure_over_result(x):
    if x > 0:
        k = 2.0
    else:
        k = 3.0

    def scaled(y):
        return y * k

    k = k + 1
    return scaled(x)


def counter_factory(x):
    def make(start):
        n = start

        def step(by):
            nonlocal n
            n = n + by
            return n

        return step

    a, b = make(x), make(1.0)
    a(1.0)
    b(x)
    return a(2.0), b(x)


@pytest.mark.parametrize(
    'f',
    [
        deleted, deleted_item, bank, two_levels, reads_globals, late_closures,
        closures_that_are_kept, closure_over_result, counter_factory,
    ],
)  # fmt: skip
def test_of_scalars(f):
    check(f, *SIGNS)


@pytest.mark.parametrize('f', [counted, closures_used_at_once])
def test_of_vectors(f):
    check(f, VECTORS[0])


def test_deleted_in_a_loop():
    check(deleted_in_a_loop, *VECTORS)


def test_a_global_that_is_set():
    graph = ag.function(sets_a_global_of_its_own)
    for args in SIGNS:
        assert same(outcome(graph, args), outcome(sets_a_global_of_its_own, args))


# Patterns.


class Point(NamedTuple):
    """A point."""

    x: float
    y: float


@dataclass
class Circle:
    """A circle."""

    center: Point
    radius: float


class Polar:
    """A class that says which of its attributes stand for positions."""

    __match_args__ = ('angle', 'length')

    def __init__(self, angle, length):
        self.angle = angle
        self.length = length


def area(shape):
    match shape:
        case Circle(center=Point(x=0.0), radius=r):
            return r * r
        case Circle(Point(x, y), r) if x > y:
            return r * r + x
        case Circle(radius=r):
            return -r
        case Polar(angle, length):
            return angle * length
        case Point(x, y):
            return x + y
        case _:
            return shape


def class_patterns(x):
    shapes = [
        Circle(Point(0.0, 1.0), x), Circle(Point(x, 1.0), x), Polar(x, 2.0), Point(x, x), x,
    ]  # fmt: skip
    total = x * 0
    for shape in shapes:
        total = total + area(shape)
    return total


def rest_of_a_mapping(x):
    total = x * 0
    for options in ({'a': 1.0}, {'a': 2.0, 'b': 3.0}, {'c': 4.0}):
        match options:
            case {'a': a, **rest}:
                total = total + a + len(rest)
            case {**rest}:
                total = total + rest['c']
    return total if x > 0 else -total


def rest_with_tensors(x):
    match {'a': x, 'b': x + 1, 'c': 2.0}:
        case {'a': a, **rest}:
            return a + rest['b'] * rest['c']
    return x


def sequences(x):
    total = x * 0
    for parts in ([x], (x, 1.0), [x, 2.0, 3.0], (), [x, [1.0, x]]):
        match parts:
            case []:
                total = total + 1
            case [one]:
                total = total + one
            case [first, [inner, *_]]:
                total = total + first + inner
            case [first, *rest]:
                total = total + first + len(rest)
    return total


def values_and_alternatives(n):
    match n:
        case 0:
            return n + 10
        case 1 | 2:
            return n + 20
        case k if k > 5:
            return k
        case _:
            return n - 1


@pytest.mark.parametrize(
    'f', [class_patterns, rest_of_a_mapping, rest_with_tensors, sequences]
)
def test_patterns(f):
    check(f, *SIGNS)


def test_patterns_for_numbers():
    check(values_and_alternatives, *((N(n),) for n in (0, 1, 2, 3, 8)))


# `:=`.


def in_conditions(x):
    if (y := x * 2) > 4:
        return y
    if (z := y + 1) > 0 and (w := z * 2) > 3:
        return w
    return z


def in_a_loop_test(x):
    turns = 0
    while (y := x - turns) > 1:
        turns += 1
    return y, turns


def in_an_expression(x):
    total = (y := x + 1) + y * 2
    return total if (k := total - y) > 0 else k


def in_a_comprehension(xs):
    kept = [y for x in (xs[0], xs[1], xs[2]) if (y := x * 1) is not None]
    return kept[0] + y


def in_arguments(x):
    return max(y := x * 2, 1.0) + y


@pytest.mark.parametrize('f', [in_conditions, in_a_loop_test, in_an_expression, in_arguments])
def test_named_expressions(f):
    check(f, *SIGNS)


def test_named_expressions_in_comprehensions():
    check(in_a_comprehension, *VECTORS)
