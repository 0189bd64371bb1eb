"""A list or dict that one way changes and another replaces: the refusal's advice works."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

XS = np.array([1.0, 2.0, 3.0])
UP, DOWN = np.float64(1.0), np.float64(-1.0)


def refused(f, *args):
    """The line to which the refusal of a function points, and what it says."""
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(*args)
    message = str(caught.value)
    assert 'change it in its place instead: `items.clear()`, `items' in message
    return message.splitlines()[2].strip()


def test_an_argument():
    def f(items, x):
        if x > 0:
            items.append(x)
        else:
            items = []
        return items

    def cleared(items, x):
        if x > 0:
            items.append(x)
        else:
            items.clear()
        return items

    def filled(items, x):
        if x > 0:
            items.append(x)
        else:
            items[:] = [x * 2]
        return items

    def copied(items, x):
        items = items.copy()
        if x > 0:
            items.append(x)
        else:
            items = []
        return items

    assert refused(f, [1.0], UP) == 'items.append(x)'
    for better in (cleared, filled, copied):
        check(better, ([1.0], UP), ([1.0], DOWN))


def test_two_names_in_the_function():
    def f(x):
        items = [1.0]
        other = items
        if x > 0:
            items.append(x)
        else:
            items = []
        return items, other

    assert refused(f, UP) == 'items.append(x)'


def test_an_item_is_set_in_the_place_of_the_list():
    def f(items, x):
        if x > 0:
            items[0] = x
        else:
            items = [0.0]
        return items

    def filled(items, x):
        if x > 0:
            items[0] = x
        else:
            items[:] = [x * 2]
        return items

    assert refused(f, [1.0], UP) == 'if x > 0:'
    check(filled, ([1.0], UP), ([1.0], DOWN))


def test_a_dict():
    def f(table, x):
        if x > 0:
            table['a'] = x
        else:
            table = {'a': 0.0}
        return table

    def updated(table, x):
        if x > 0:
            table['a'] = x
        else:
            table.clear()
            table.update({'a': x * 2})
        return table

    assert refused(f, {'a': 1.0}, UP) == 'if x > 0:'
    check(updated, ({'a': 1.0}, UP), ({'a': 1.0}, DOWN))


def test_a_list_in_a_dict():
    def f(x, table):
        if x > 0:
            table['a'].append(x)
        else:
            table['a'] = []
        return table

    def cleared(x, table):
        if x > 0:
            table['a'].append(x)
        else:
            table['a'].clear()
        return table

    assert refused(f, UP, {'a': [1.0]}) == "table['a'].append(x)"
    check(cleared, (UP, {'a': [1.0]}), (DOWN, {'a': [1.0]}))


class Last:
    def __init__(self):
        self.items = [1.0]

    def replacing(self, x):
        self.items.append(x)
        if len(self.items) > 2:
            self.items = [x]

    def filling(self, x):
        self.items.append(x)
        if len(self.items) > 2:
            self.items[:] = [x]


@dataclasses.dataclass
class LastOfData(Last):
    items: list = dataclasses.field(default_factory=lambda: [1.0])


@pytest.mark.parametrize('kind', [Last, LastOfData])
def test_a_list_of_an_object(kind):  # of a plain class, the running graph finds the list in it
    def f(last, xs):
        for x in xs:
            last.replacing(x)
        return last.items

    def filled(last, xs):
        for x in xs:
            last.filling(x)
        return last.items

    if kind is LastOfData:
        assert refused(f, kind(), XS) == 'self.items.append(x)'
    else:
        assert same(outcome(f, (kind(), XS)), outcome(ag.function(f), (kind(), XS)))
    assert same(outcome(filled, (kind(), XS)), outcome(ag.function(filled), (kind(), XS)))
