"""A helper's variable beside one of the same name in the function that calls it."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check


class Point:
    def __init__(self, x):
        self.x = x

    def move(self):
        self.x += 1.0


def moved_up(p, x):
    if x > 0:
        p = Point(x)
    return p


def longer(items, x):
    if x > 0:
        items = [*items, x]
    return items


def changed(d, x):
    if x > 0:
        d = {**d, 'a': x}
    return d


def under_another_name(x):
    p = Point(x * 0)
    q = moved_up(p, x)
    q.x = x + 3.0
    return p.x, q.x


def in_a_branch(x):
    p = Point(x * 0)
    q = moved_up(p, x) if x > -2 else Point(x)
    q.x = x + 3.0
    return p.x, q.x


def under_its_name(x):
    p = Point(x * 0)
    p = moved_up(p, x)
    p.move()
    return p.x


def a_list_under_its_name(x):
    items = [x]
    items = longer(items, x)
    items.append(x)
    return items


def a_dict_under_its_name(x):
    d = {'a': x * 0, 'b': x}
    d = changed(d, x)
    d['b'] = x + 1
    return d


@pytest.mark.parametrize('f', [
    under_another_name, in_a_branch, under_its_name, a_list_under_its_name, a_dict_under_its_name])
def test_names_of_what_a_helper_may_give_back(f):
    check(f, *((np.float64(x),) for x in (2.0, -1.0, -3.0)))
