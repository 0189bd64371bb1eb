"""Lists that `+=` makes longer by lists of the running graph: every name for them sees that."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

XS = [(np.array(x),) for x in ([1.0, 3.0, 2.0], [2.0, 4.0, 3.0], [-1.0, -3.0, -2.0])]


def two_names(xs):
    b = [xs[0]]
    c = b
    b += [y for y in xs if y > 1]
    return b, c


def a_new_list(xs):
    b = [xs[0]]
    c = b
    b = b + [y for y in xs if y > 1]
    return b, c


def in_a_tuple(xs):
    b = []
    c = (b, 1)
    b += [y for y in xs if y > 1]
    b.append(xs[0])
    return b, c


def in_a_for(xs):
    b = [xs[0]]
    c = b
    for x in xs:
        b += [y for y in xs if y > x]
    return b, c


def in_a_dict(xs):
    d = {'a': [], 'b': []}
    e = d['a']
    for x in xs:
        d['a'] += [y for y in xs if y > x]
    return d, e


def in_an_if(xs):
    d = {'a': [], 'b': []}
    e = d['a']
    if xs[0] > 1:
        d['a'] += [y for y in xs if y > xs[0]]
    return d, e


def longer(items, xs):
    items += [y for y in xs if y > 1]


def in_a_helper(xs):
    items = [xs[0]]
    longer(items, xs)
    return items, len(items), sum(items)


def in_a_helper_in_an_if(xs):
    items = [xs[0]]
    if xs[0] > 0:
        longer(items, xs)
    return items, len(items), sum(items)


def in_a_helper_in_a_for(xs):
    items = [xs[0]]
    for x in xs:
        if x > 1:
            longer(items, xs)
    return items, len(items), sum(items)


class Kept:
    def __init__(self):
        self.l = []

    def add(self, xs):
        self.l += [y for y in xs if y > 1]


def in_a_method(xs):
    k = Kept()
    for _ in xs:
        k.add(xs)
    k.add(xs)
    m = k.l
    m += [xs[0]]
    return k.l


def in_a_method_by_another_name(xs):
    k = Kept()
    m = k.l
    k.add(xs)
    return k.l, m


@pytest.mark.parametrize(
    'f',
    [
        two_names, a_new_list, in_a_tuple, in_a_for, in_a_dict, in_an_if, in_a_helper,
        in_a_helper_in_an_if, in_a_helper_in_a_for, in_a_method, in_a_method_by_another_name,
    ],
)  # fmt: skip
def test_longer_in_place(f):
    check(f, *XS, joins=True)
