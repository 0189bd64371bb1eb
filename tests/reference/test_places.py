"""Attributes and items, treated like names."""
from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from reference.sweep import COUNTERS, TRUTHS, each, sweep

import autograph_lite as ag


class Box:
    def __init__(self, **attributes):
        vars(self).update(attributes)

    def __repr__(self):
        return repr(vars(self))


def new_item(a):
    d = {'a': a}
    if d['a'] > 0:
        d['b'] = 1
    else:
        d['b'] = -1
    return d


def element(a):
    pair = [a, 0]
    if pair[0] > 0:
        pair[1] = 1
    else:
        pair[1] = -1
    return pair


def last_element(a):
    pair = [a, 0]
    if a > 0:
        pair[-1] = pair[-2] + 5
    return pair


def item_of_an_item(a):
    d = {'x': {'y': a}, 'z': 0}
    if d['x']['y'] > 0:
        d['x']['y'] = d['x']['y'] + 1
        d['z'] = 3
    return d


def attribute(a):
    o = Box(x=a, n=0)
    if o.x > 0:
        o.n = o.n + 2
        o.x = o.x * 2
    return o.x, o.n


def attribute_of_an_item(a):
    d = {'o': Box(x=a)}
    if a > 0:
        d['o'].x = d['o'].x + 1
    return d['o'].x


def item_of_an_attribute(a):
    o = Box(d={'k': a})
    if a > 0:
        o.d['k'] += 5
    return o.d['k']


def swapped_elements(a):
    pair = [a, 10]
    if a > 0:
        pair[0], pair[1] = pair[1], pair[0]
    return pair


def several_targets(a):
    d = {'p': 0, 'q': 0}
    if a > 0:
        d['p'] = d['q'] = a
    return d


def augmented(a):
    d = {'n': 1}
    if a > 0:
        d['n'] += a
        d['n'] *= 2
    return d


def unchanged_beside(a):
    d = {'n': 1, 'name': 'fixed', 'none': None}
    if a > 0:
        d['n'] = 2
    return d


def computed_key(a):
    d = {'k1': 0, 'k2': 0}
    for i in (1, 2):
        if a > i:
            d[f'k{i}'] = a
    return d


BRANCHES = [
    new_item, element, last_element, item_of_an_item, attribute, attribute_of_an_item,
    item_of_an_attribute, swapped_elements, several_targets, augmented, unchanged_beside,
    computed_key,
]  # fmt: skip


@pytest.mark.parametrize('f', BRANCHES)
def test_branches(f):
    sweep(f, each((*COUNTERS, np.float64), [-1, 0, 1, 4]), joins=True)


# A place that only one way makes.


def made_on_the_first(a):
    d = {'a': a}
    if d['a'] > 0:
        d['b'] = 1
    return d


def made_on_the_second(a):
    d = {'a': a}
    if d['a'] > 0:
        pass
    else:
        d['b'] = 1
    return d


def made_inside_another(a):
    d = {'a': {'a': a}}
    if d['a']['a'] > 0:
        d['a']['b'] = 1
    return d


def missing(a):
    d = {'a': {'a': a}}
    if d['a']['a'] > 0:
        d['b']['a'] = 1
    return d


@pytest.mark.parametrize(
    'f', [made_on_the_first, made_on_the_second, made_inside_another, missing]
)
def test_a_place_of_one_way_of_python_values(f):
    sweep(f, [0, 1])


def test_a_place_in_what_is_not_there():
    graph = ag.function(missing)
    with pytest.raises(KeyError, match="'b'"):
        graph(np.int64(1))
    assert graph(np.int64(0)) == missing(np.int64(0))


# Loops.


def while_item(n):
    d = {'a': 3, 'b': 1}
    while n > 0:
        n = n - 1
        d['a'] += 1
    return d


def while_element(n):
    pair = [3, 1]
    while n > 0:
        n = n - 1
        pair[0] += n
    return pair


def while_items_only(n):
    d = {'a': 0, 'b': n}
    while d['b'] <= 10:
        d['a'] += 1
        d['b'] = d['b'] * 2 + 1
    return d


def while_elements_only(n):
    pair = [0, n]
    while pair[1] <= 10:
        pair[0] += 1
        pair[1] = pair[1] * 2 + 1
    return pair


def while_attribute(n):
    o = Box(i=0, total=0)
    while o.i < n:
        o.total = o.total + o.i
        o.i += 1
    return o.total, o.i


def while_nested_places(n):
    state = {'inner': {'i': 0}, 'out': [0, 0]}
    while state['inner']['i'] < n:
        state['inner']['i'] += 1
        state['out'][0] += state['inner']['i']
    return state


def range_item(n):
    d = {'a': 1, 'b': 1}
    for i in range(n):
        d['a'] += i
    return d


def range_element(n):
    pair = [1, 1]
    for i in range(n):
        pair[0] += i
        pair[1] = pair[0]
    return pair


def range_attribute(n):
    o = Box(a=1)
    for i in range(n):
        if i > 0:
            o.a = o.a + i
    return o.a


def range_makes_an_item(n):
    d = {}
    x = 5
    for i in range(n):
        x = x - i
        d['a'] = x
    return d


def range_target_is_an_attribute(n):
    o = Box(i=-1)
    total = 0
    for o.i in range(n):
        total += o.i
    return total, o.i


def range_target_is_an_item(n):
    d = {'k': -1}
    total = 0
    for d['k'] in range(n):
        total += d['k']
    return total, d


def while_makes_an_item(n):
    d = {'b': n}
    while d['b'] <= 10:
        d['a'] = d['b'] + 1
        d['b'] = d['b'] * 2 + 1
    return d


LOOPS = [
    while_item, while_element, while_items_only, while_elements_only, while_attribute,
    while_nested_places, range_item, range_element, range_attribute, range_target_is_an_attribute,
    range_target_is_an_item,
]  # fmt: skip


@pytest.mark.parametrize('f', LOOPS)
def test_loops(f):
    sweep(f, each(COUNTERS, [0, 1, 2, 4]), joins=True)


# Objects of the user's.


@dataclass
class Point:
    x: Any
    y: Any = 0

    def move(self, step):
        if step > 0:
            self.x = self.x + step
        else:
            self.y = self.y - step

    def moved(self, step):
        return Point(self.x + step, self.y) if step > 0 else Point(self.x, self.y - step)

    @property
    def norm(self):
        return self.x if self.x > self.y else self.y

    @norm.setter
    def norm(self, value):
        if value > 0:
            self.x = value
        else:
            self.y = value


@dataclass
class Path:
    points: list[Point] = field(default_factory=list)


def method_that_changes(a):
    p = Point(a)
    p.move(a)
    p.move(a - 1)
    return p.x, p.y


def method_that_returns(a):
    p = Point(a)
    for step in (1, -1, 2):
        p = p.moved(step * a)
    return p


def method_in_a_loop(a):
    p = Point(a * 0)
    i = 0
    while i < a:
        p = p.moved(i)
        i += 1
    return p


def property_that_branches(a):
    p = Point(a, 1)
    if p.norm > 1:
        p = Point(p.norm - 2, a)
    return p.norm


def property_set(a):
    p = Point(a, 1)
    p.norm = p.norm - 2
    return p


def namespace(a):
    o = SimpleNamespace(x=a, n=0)
    if o.x > 0:
        o.n = o.n + 2
        o.x = o.x * 2
    return o.x, o.n


def whole_object_in_a_branch(a):
    p = Point(a, 1)
    if a > 0:
        p = Point(p.y, p.x)
    return p


def attributes_in_a_branch(a):
    p = Point(a, 1)
    if a > 0:
        p.x, p.y = p.y, p.x
    return p


def object_in_an_object(a):
    path = Path([Point(a), Point(1, a)])
    for p in path.points:
        if p.x > 0:
            p.y = p.y + 7
    return path


@pytest.mark.parametrize(
    'f',
    [
        method_that_changes, method_that_returns, method_in_a_loop, property_that_branches,
        namespace, whole_object_in_a_branch,
        attributes_in_a_branch, object_in_an_object,
    ],
)  # fmt: skip
def test_objects(f):
    sweep(f, each((int, np.int64, np.float64), [-1, 0, 1, 3]), joins=True)


def test_a_property_that_is_set():
    sweep(property_set, [-1, 0, 1, 3])


# Arguments that belong to the caller.


def changes_its_argument(d, c):
    if c:
        d['n'] = d['n'] + 1
    return d['n']


def changes_its_list(xs, c):
    if c:
        xs.append(c)
    return len(xs)


def changes_its_object(o, c):
    if c:
        o.n = o.n + 1
    return o.n


@pytest.mark.parametrize(
    ('f', 'make'),
    [
        (changes_its_argument, lambda: {'n': np.int64(1)}),
        (changes_its_list, lambda: [np.int64(1)]),
        (changes_its_object, lambda: Box(n=np.int64(1))),
    ],
)
@pytest.mark.parametrize('c', [True, np.bool_(True), np.bool_(False)])
def test_what_the_caller_has_is_changed_as_in_python_or_not_at_all(f, make, c):
    mine, theirs = make(), make()
    expected = f(mine, c)
    try:
        got = ag.function(f)(theirs, c)
    except ag.errors.AutographError:
        assert repr(theirs) == repr(make())
    else:
        assert got == expected
        assert repr(theirs) == repr(mine)


def test_truths_as_items():
    def f(c):
        d = {'c': c, 'n': 0}
        if d['c']:
            d['n'] = 1
        return d['n']

    sweep(f, each(TRUTHS, [True, False]))
