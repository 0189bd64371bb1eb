"""Objects whose classes say how they are compared, and what number they are."""
from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1.0, 2.0, 0.5], [-1.0, -3.0, -1.0], [3.0, 3.0, 1.0])]


class Weight:
    def __init__(self, a, name=''):
        self.a = a
        self.name = name

    def __lt__(self, other):
        return self.a < other.a

    def __eq__(self, other):
        return self.a == other.a

    __hash__ = None

    def __float__(self):
        return float(self.a * 2)

    def __int__(self):
        return int(self.a)

    def __complex__(self):
        return complex(self.a)

    def __bool__(self):
        return bool(self.a > 0)


@functools.total_ordering
class Total:
    def __init__(self, a):
        self.a = a

    def __lt__(self, other):
        return self.a < other.a

    def __eq__(self, other):
        return self.a == other.a


@dataclass(order=True)
class Entry:
    priority: float
    number: int = 0


def weights(x):
    return [Weight(a, i) for i, a in enumerate((x[0], x[1], x[2]))]


def in_order(x):
    return [w.name for w in sorted(weights(x))], [w.name for w in sorted(weights(x), reverse=True)]


def in_order_of_keys(x):
    ordered = sorted(weights(x), key=lambda w: -w.a)
    by_objects = sorted([0, 1, 2], key=lambda i: weights(x)[i])
    return [w.name for w in ordered], by_objects


def sorted_in_place(x):
    ws = weights(x)
    ws.sort()
    return [w.a for w in ws], [w.name for w in ws]


def extremes(x):
    ws = weights(x)
    return min(ws).name, max(ws).name, max(ws[0], ws[1]).a, min(ws, key=lambda w: -w.a).name


def searched(x):
    ws = weights(x)
    return ws.index(Weight(x[1])), ws.count(Weight(x[0])), Weight(x[2]) in ws, Weight(9.0) in ws


def numbers(x):
    w = Weight(x[0])
    return float(w), int(w), complex(w), bool(w)


def in_total_order(x):
    a, b = Total(x[0]), Total(x[1])
    return a < b, a <= b, a > b, a >= b, max(a, b).a, sorted([a, b])[0].a


def of_dataclasses(x):
    entries = [Entry(x[0]), Entry(x[1], 1), Entry(x[2], 2)]
    return sorted(entries), max(entries), entries.index(Entry(x[1], 1)), entries[1] in entries[:1]


@pytest.mark.parametrize(
    'f',
    [
        in_order, in_order_of_keys, sorted_in_place, extremes, searched, numbers, in_total_order,
        of_dataclasses,
    ],
)  # fmt: skip
def test_is_python(f):
    check(f, *CALLS, joins=True)


def without(x):
    return weights(x).index(Weight(7.0))


def test_not_in_the_list():
    check(without, *CALLS)


def test_too_many_to_sort():
    def many(x):
        return sorted([Weight(x[0] * i) for i in range(17)])[0].a

    with pytest.raises(ag.errors.StagingError, match='argsort'):
        ag.function(many)(CALLS[0][0])
