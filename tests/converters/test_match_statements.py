"""`match` on tensors, on structures of tensors and on Python values."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
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
            case [1, x] | [x, 2]:
                return x
        return None

    check(one, ([1, 5],), ([5, 2],), ([5, 5],), traces=3)
    with pytest.raises(ag.errors.StagingError, match=r'test_match_statements\.py'):
        ag.function(one)([np.float64(1), 2])


def test_printed():
    assert ag.to_code(short) == (
        'def short(x):\n'
        '\n'
        '    def if_false():\n'
        '        return ag.cond(x > 9, lambda: x * x, lambda: x + 1)\n'
        '\n'
        '    return ag.cond(ag.or_(x == 0, lambda: x == 1), lambda: -x, if_false)')


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
