"""`match` on tensors, on structures of tensors and on Python values."""
from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag


class Point(NamedTuple):
    x: float
    y: float


@dataclass
class Circle:
    center: Point
    radius: float


INTEGERS = [(np.int64(i),) for i in (0, 1, 2, 7, 12)]
POINTS = [(Point(np.float64(x), np.float64(y)),) for x, y in ((0, 0), (0, 2), (3, 0), (1, 1))]


def values(x):
    match x:
        case 0:
            y = x + 10
        case 1 | 2:
            y = x + 20
        case n if n > 9:
            y = n * n
        case _:
            y = -x
    return y


def short(x):
    match x:
        case 0 | 1:
            return -x
        case n if n > 9:
            return x * x
        case _:
            return x + 1


def returns(x):
    match x:
        case 0:
            return x < 0
        case n if n % 2 == 0:
            return n > 5
    return x > 1


def no_case(x):
    y = x
    match x + 1:
        case 1:
            y = x * 3
        case -1:
            y = x
    return y


def pairs(x):
    match x, x - 1:
        case (0, _):
            return x
        case (a, 0):
            return a + 5
        case (a, b) if a * b > 50:
            return a * b
        case _:
            return -x


def in_a_loop(x):
    count = 0
    for i in range(x):
        match i % 3:
            case 0:
                continue
            case 1:
                count += i
            case _:
                if count > 12:
                    break
    return count


def places(p):
    match p:
        case Point(x=0, y=0):
            return p.x
        case Point(0, y):
            return y * 2
        case Point(x, y) if x > 2:
            return x * 3
        case Point():
            return p.x + p.y
    return p.x


def sequences(p):
    match p:
        case [0, *rest]:
            return rest[0]
        case [a, b]:
            return a - b
    return p[0]


def shapes(p):
    match Circle(p, 2.0):
        case Circle(center=Point(x=0), radius=r):
            return p.y * r
        case Circle(Point(y=0 | 1), r):
            return p.x + r
    return p.x


def mappings(p):
    match {'a': p.x, 'b': p.y}:
        case {'c': _}:
            return p.x * 0
        case {'a': 0, 'b': b}:
            return b
        case {'a': a}:
            return a * 2
    return p.x


def kinds(x):
    match x:
        case None:
            return x
        case [a, b]:
            return a + b
        case float(v) | int(v):
            return v
        case _:
            return x * 2


def own_names(x):
    match x:
        case 0:
            x = x + 5
        case x if x > 9:
            x = x + 1
    return x


@pytest.mark.parametrize('f', [values, returns, no_case, pairs, in_a_loop, own_names, kinds])
def test_numbers(f):
    check(f, *INTEGERS)


@pytest.mark.parametrize('f', [places, sequences, shapes, mappings])
def test_structures(f):
    check(f, *POINTS)


def test_an_array_is_what_numpy_says():
    check(kinds, (np.array([1, 2]),))


def test_a_missing_value():
    def best(xs):
        found = None
        for x in xs:
            match found:
                case None:
                    found = x
                case y if x > y:
                    found = x
        return found

    check(best, (np.array([1.0, 3.0, 2.0]),))


def test_a_guard_that_does_not_hold_leaves_the_names_bound():
    def pair(x):
        a = 0.0
        match x[0], x[1]:
            case a, b if a > b:
                r = 1.0
            case _:
                r = 2.0
        return a, r

    def later_case(x):
        match x[0], x[1]:
            case p, q if p > q:
                return x[0] * 0
            case _:
                return p + q

    def every_case(x):
        match x[0]:
            case v if v > 5:
                r = 1
            case v if v > 3:
                r = 2
            case _:
                r = 4
        return r, v

    def rest(x):
        n = x[1]
        match x:
            case [1, n, *_] if n > 2:
                return n
            case [2, *_]:
                return n - 5
        return n * 3

    def alternatives(xs):
        last = -xs[0]
        for x in xs:
            match x:
                case 1 | 2 as last if last * x > 1:
                    pass
                case 4:
                    last = last + 10
        return last

    def nested(x):
        a = b = x[0] * 5
        match Point(x[0], x[1]):
            case Point(x=1, y=a) if a > 1:
                match x[0], a:
                    case b, 3 if b > 7:
                        pass
        return a, b

    def caught(x):
        v = x[1]
        try:
            match x[0]:
                case v if 1 / int(v) > 2:
                    return x[1]
        except ZeroDivisionError:
            return v
        return x[0] - v

    calls = [(np.array(x),) for x in ([1.0, 2.0], [6.0, 5.0], [4.0, 4.0], [1.0, 3.0], [0.0, 1.0])]
    for f in (pair, later_case, every_case, rest, alternatives, nested, caught):
        check(f, *calls)


def test_a_pattern_that_does_not_match_binds_nothing():
    def first(x):
        a = x[1]
        match x[0], x[1]:
            case (a, 3) if a > 1:
                pass
        return a

    check(first, *((np.array(x),) for x in ([0.0, 3.0], [2.0, 3.0], [2.0, 1.0])))


def test_a_name_is_bound_before_its_guard_only_where_it_is_read_then():
    def read(x):
        match x:
            case n if n > 9:
                return n * n
            case _:
                return n

    assert ag.to_code(read) == (
        'def read(x):\n'
        '    n = x\n'
        '    return ag.cond(n > 9, lambda: n * n, lambda: n)')


def test_the_rest_of_a_mapping():
    def rest(p):
        match p:
            case {'x': x, **others} if x > 0:
                return x + others['y'], len(others)
            case {**others}:
                return others['x'], len(others)
        return None

    check(rest, ({'x': np.float64(1), 'y': 2.0},), ({'x': np.float64(-1), 'y': 2.0},))
    assert 'for key, value in p.items() if key not in' in ag.to_code(rest)


def test_what_stays_as_it_is():
    def one(p):
        match p:
            case [1, x] if (x := x + 1) > 3:
                return x
        return None

    def renamed(p):
        match p:
            case [1, x] if (larger := x + 1) > 3:
                return larger
        return None

    check(one, ([1, 5],), ([1, 2],), ([5, 5],), traces=3)
    with pytest.raises(ag.errors.StagingError, match=r'test_match_statements\.py') as refused:
        ag.function(one)([np.float64(1), 2])
    assert 'Let `:=` set another name' in str(refused.value)
    check(renamed, *(([np.float64(x), 5],) for x in (1, 2)))


def test_printed():
    assert ag.to_code(short) == (
        'def short(x):\n'
        '    return ag.cond(\n'
        '        ag.or_(x == 0, lambda: x == 1),\n'
        '        lambda: -x, lambda: ag.cond(x > 9, lambda: x * x, lambda: x + 1))')


def test_texts_stay():
    def scaled(x, kind):
        match kind:
            case 'double':
                return x * 2
            case 'half' | 'halve':
                return x / 2
        return x

    assert "case 'half' | 'halve':" in ag.to_code(scaled)
    check(scaled, *((np.float64(3), kind) for kind in ('double', 'half', 'other')), traces=3)


GUARDS = (
    '[n for n in (1, 2)] == [x, x + 1]', '(lambda n: n > 1)(x) and n > 2',
    'any(n > 1 for n in (n, n - 1))', '(lambda m, n=n: m + n)(x) > 5',
    'sum(n * m for m in (n, 1)) > 3',
)  # fmt: skip


@pytest.mark.parametrize('guard', GUARDS)
def test_names_of_a_guard_that_are_its_own(guard):
    text = (
        f'def f(x):\n    y = 0\n    match x + 1:\n        case n if {guard}:\n'
        '            y += n\n        case n if n > 2:\n            y -= n\n'
        '        case _:\n            y += 5\n    return y\n')
    check(define(text), *INTEGERS, joins=True)


def test_a_guard_before_a_pattern_that_does_not_convert():
    def one_of_two(x):
        match {'a': x}:
            case {'a': n} if n > 5:
                return n
            case {'a': n} if (n := -n) < 0:
                return n

    converted = ag.to_graph(one_of_two)
    assert [converted(x) for x in (7, 3)] == [7, -3]


class Plain:
    def __init__(self, x, y):
        self.x, self.y = x, y


def test_alternatives_that_name_parts_of_an_object():
    def f(k):
        match Plain(k, 0):
            case Plain(x=x, y=1) | Plain(x=x, y=0) if x > 1:
                return x
            case Plain(x=0, y=y) | Plain(y=y):
                return y

    check(f, (4,), traces=1)
    check(f, (0,), traces=1)
    check(f, (np.float64(4),), (np.float64(0),), joins=True)


class Square(NamedTuple):
    side: float
    name: str = ''


def test_alternatives_that_name_other_parts():
    def pair(x, limit):
        match list(x):
            case [y, 0] | [0, y] if y > limit:
                return y * 2
            case [y, 0] | [0, y] | [y, _]:
                return y - limit
        return None

    def parts(a, b):
        match a, b:
            case (0, y) | (y, 0) | (y, _):
                return y
        return None

    def each_shape(x):
        total = 0.0
        for shape in (Circle(Point(x, x), x), Square(x + 1), Square(-x, 'small')):
            match shape:
                case Circle(radius=r) | Square(r, '') if r > 2:
                    total += r
                case Circle(Point(r, _)) | Square(side=r):
                    total -= r * 10
        return total

    def items(table):
        match table:
            case {'side': [x, 0] | [0, x]} | {'radius': x}:
                return x
            case {'side': [x, y], **others}:
                return x * y + len(others)
        return None

    numbers = [np.float64(x) for x in (0, 1, 4)]
    check(pair, *((np.array([a, b]), np.float64(2)) for a in numbers for b in numbers))
    check(parts, *((a, b) for a in numbers for b in numbers))
    check(each_shape, *((x,) for x in numbers))
    check(items, *(({'side': [a, b]},) for a in numbers for b in numbers))
    check(items, *(({'radius': a},) for a in numbers))


def test_positional_patterns_of_classes_of_the_function():
    def named_tuple(xs):
        class Item(NamedTuple):
            weight: float
            value: float

        best = None
        for x in xs:
            item = Item(x, x * 2)
            match item:
                case Item(0, _):
                    continue
                case Item(weight, value) if best is None or value > best.value:
                    best = item
        match best:
            case Item(weight, value):
                return weight + value
        return np.float64(-1)

    def data(x, is_circle):
        @dataclass
        class Disc:
            radius: float

        @dataclass
        class Ring:
            outer: float
            inner: float = 1.0

        match Disc(x) if is_circle else Ring(x * 2):
            case Disc(0):
                return x
            case Ring(r, width) if r - width > 4:
                return r - width
            case Disc(r) | Ring(r):
                return r

    def of_itself(x, kind):
        match x:
            case kind(y) if y > 2:
                return y * 2
        return -x

    def too_many(x):
        Pair = namedtuple('Pair', 'x y')
        match Pair(x, x):
            case Pair(a, b, c):
                return a + b + c

    check(named_tuple, (np.array([0.0, 3.0, 2.0]),), (np.zeros(3),))
    check(data, *((np.float64(x), kind) for x in (0, 2, 3) for kind in (True, False)), traces=2)
    check(of_itself, *((np.float64(x), kind) for x in (1, 3) for kind in (float, int)), traces=2)
    with pytest.raises(TypeError, match=r'Pair\(\) accepts 2 positional sub-patterns \(3 given\)'):
        ag.function(too_many)(np.float64(1))


def test_a_sequence_or_mapping_that_may_be_none():
    def pair(xs):
        best = None
        for i, x in enumerate(xs):
            if x > 2:
                best = [i, x]
        match best:
            case [_, _, _]:
                return -2
            case (i, x) if x > 5:
                return i
            case [*rest]:
                return len(rest)
        return -1

    def number(xs):
        best = None
        for x in xs:
            if x > 2:
                best = x
        match best:
            case (_, _) | {'x': _}:
                return 1
        return 2

    for f in (pair, number):
        check(f, *((np.array(v),) for v in ([3, 1], [1, 1], [3, 9])))
