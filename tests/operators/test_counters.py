"""Counters that are put together and compared, of which only the running graph knows the keys."""
from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [
    (np.array(x), np.array(y))
    for x, y in (([1, 1, 2, 3], [2, 9, 1]), ([5, 5, 5, 5], [5, 5, 5]), ([4, 3, 2, 1], [3, 4, 4]))]
EMPTY = [(np.zeros(0, int), np.array([1])), (np.array([2]), np.zeros(0, int))]


def both(xs, ys):
    a, b = Counter(), Counter()
    for x in xs:
        a[int(x)] += 1
    for y in ys:
        b[int(y)] += 2
    return a, b


def by_operators(xs, ys):
    a, b = both(xs, ys)
    return a + b, a - b, a & b, a | b, +a, -b, a + Counter({1: 2}), Counter({1: 1}) - a


def in_its_place(xs, ys):
    a, b = both(xs, ys)
    c = a
    a += b
    b -= Counter({1: 1})
    b |= a
    c &= b
    a.subtract(ys)
    b.subtract({1: 1, 2: -1})
    return a, b, c, a is c


def counted(xs, ys):
    a, b = both(xs, ys)
    return list(a.elements()), sorted((a - b).elements()), (a + b).most_common(1)


def compared(xs, ys):
    a, b = both(xs, ys)
    b[7] += 0
    same = Counter(int(y) for y in ys)
    same += same
    return a == b, a != b, b == same, same == b, a == Counter({5: 4}), Counter() == a


def of_known_keys(xs, ys):
    a, b, n = Counter(), Counter({'k': 2, 'o': 0}), 0
    a.update(b)
    for x in xs:
        if x > 1:
            a['k'] += 1
        del a['gone']
        n += a == b
    b.update(a)
    return a, b, n, b == Counter({'k': 4}), a == Counter(k=3)


@pytest.mark.parametrize('f', [by_operators, in_its_place, counted, compared, of_known_keys])
def test_counters(f):
    check(f, *CALLS)
    check(f, *EMPTY, traces=2)


def ordered(xs, ys):
    a, b = both(xs, ys)
    return (
        a <= b, a < b, a >= b, a > b, a <= a, a < a, a <= Counter([1, 1, 2]), Counter([1]) <= a,
        a & b <= a, a < a + b, a.__le__(b))


def test_counters_that_are_within_others():
    check(ordered, *CALLS)
    check(ordered, *EMPTY, traces=2)


def beside_dicts(xs, ys):
    a, held = both(xs, ys)[0], {}
    for y in ys:
        held[int(y)] = 2
    return a | {}, a | {9: 1}, a | held, held | {9: 1}, held | a


def test_counters_beside_dicts_are_dicts():
    check(beside_dicts, *CALLS)
    with pytest.raises(TypeError):
        ag.function(lambda xs, ys: both(xs, ys)[0] | [(1, 2)])(*CALLS[0])
