"""Attributes and items that a branch or a loop is the first to set."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


class Box:
    pass


class Counter:
    def __init__(self):
        self.n = 1


def attribute_in_a_loop(x):
    box = Box()
    total = 0
    for k in range(3):
        box.k = k
        total += box.k * x
    return total, box.k


def attribute_in_a_staged_loop(x):
    box = Box()
    i = 0
    while i < 3:
        box.last = i * x
        i += 1 if box.last < 5 else 2
    return box.last


def attribute_in_a_branch(x):
    box = Box()
    y = x
    if x > 0:
        box.k = x
        y = box.k + 1
    return y


def attribute_as_a_target(x):
    box = Box()
    total = 0
    for box.k in np.arange(4):
        if box.k > x:
            break
        total += box.k
    return total, box.k


def item_as_a_target(x):
    d = {}
    total = 0
    for d['k'] in (1, 2, x):
        total += d['k']
    return total, d


def attribute_that_is_there(x):
    counter = Counter()
    i = 0
    while i < x:
        counter.n = i * 2
        i += counter.n + 1
    return counter.n


@pytest.mark.parametrize(
    'f',
    [
        attribute_in_a_loop, attribute_in_a_staged_loop, attribute_in_a_branch,
        attribute_as_a_target, item_as_a_target, attribute_that_is_there,
    ],
)  # fmt: skip
def test_set_first(f):
    check(f, *[(np.int64(x),) for x in (-1, 0, 2, 7)], joins=True)


def test_what_is_printed():
    assert "    box.k = ag.unbound('box.k')\n" in ag.to_code(attribute_in_a_loop)
    assert 'unbound' not in ag.to_code(attribute_that_is_there)


def test_never_set():
    def f(n):
        box = Box()
        for i in range(n):
            box.last = i
        return box.last

    graph = ag.function(f)
    assert graph(np.int64(3)) == 2
    with pytest.raises(UnboundLocalError, match=r"'box\.last'"):
        graph(np.int64(0))


def attribute_of_an_element(x):
    boxes = [Counter(), Counter()]
    for box in boxes:
        if x > box.n:
            box.n = x
    return [box.n for box in boxes]


def item_of_an_element(x):
    ds = [{'n': 1}, {'n': 3}]
    for d in ds:
        if x > d['n']:
            d['n'] = 7
    return ds


@pytest.mark.parametrize('f', [attribute_of_an_element, item_of_an_element])
def test_what_is_set_through_a_variable_is_set_where_the_object_is_too(f):
    check(f, *[(np.int64(x),) for x in (0, 2, 7)], joins=True)
