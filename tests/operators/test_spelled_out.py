"""Functions and methods that do what a statement does, and methods as functions of their class."""
from __future__ import annotations

import copy
import dataclasses
import functools
import operator
from collections import deque
from types import MethodType

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])
CALLS = [XS, -XS, XS * 2]


class Kept:
    def __init__(self):
        self.rows, self.table, self.seen = [], {'a': 0.0}, set()
        self.window, self.n = deque(maxlen=2), 0

    def state(self):
        return dict(vars(self))


def by_a_methodcaller(self, xs):
    operator.methodcaller('append', 1)(self.rows)
    if xs[0] > 0:
        operator.methodcaller('append', xs[0])(self.rows)
    return xs


def by_functions_of_operator(self, xs):
    operator.setitem(self.table, 'n', len(self.table))
    operator.iadd(self.rows, [xs[0]])
    operator.iconcat(self.rows, [xs[1], xs[2]])
    operator.setitem(self.rows, 0, xs[1])
    operator.delitem(self.rows, 1)
    operator.ior(self.seen, {len(self.seen)})
    if xs[0] > 0:
        operator.setitem(self.table, 'a', xs[0])
    for x in xs:
        operator.setitem(self.table, 'a', self.table['a'] + x)
    return xs


def by_functions_of_classes(self, xs):
    list.append(self.rows, 1)
    dict.update(self.table, a=xs[0], n=len(self.table))
    dict.setdefault(self.table, 'q', 1)
    set.add(self.seen, len(self.seen))
    deque.append(self.window, xs[0])
    if xs[0] > 0:
        list.append(self.rows, xs[0])
        set.add(self.seen, 9)
        deque.appendleft(self.window, 1.0)
    return xs


def by_methods_of_statements(self, xs):
    self.rows.__iadd__([1, xs[0]])
    self.rows.__setitem__(0, 5)
    self.table.__setitem__('b', xs[1])
    self.table.__delitem__('b')
    if xs[0] > 0:
        self.table.__setitem__('a', xs[0])
    return xs


def by_setting_attributes(self, xs):
    object.__setattr__(self, 'n', self.n + 1)
    self.__setattr__('last', xs[0])
    if xs[0] > 0:
        object.__setattr__(self, 'last', xs[1])
    return xs * self.n


def by_partials_and_maps(self, xs):
    functools.partial(self.rows.append, 1)()
    functools.partial(list.append, self.rows)(xs[0])
    list(map(self.rows.append, [2, 3]))
    getattr(self.rows, 'append')(4)  # noqa: B009
    operator.attrgetter('append')(self.rows)(xs[1])
    return xs


@pytest.mark.parametrize('f', [
    by_a_methodcaller, by_functions_of_operator, by_functions_of_classes, by_methods_of_statements,
    by_setting_attributes, by_partials_and_maps,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_is_outside_changes_at_every_call(f):
    plain, traced = Kept(), Kept()
    graph = ag.function(MethodType(f, traced))
    for xs in CALLS:
        expected = outcome(f.__get__(plain), (xs,)), copy.deepcopy(plain.state())
        got = outcome(graph, (xs,)), traced.state()
        assert same(expected, got), (expected, got)


def test_what_the_function_has_made():
    def f(xs):
        rows, seen, window, table = [0.0], set(), deque(maxlen=2), {'a': 0.0}
        list.append(rows, xs[0])
        for x in xs:
            list.append(rows, x)
            operator.methodcaller('append', x)(rows)
            set.add(seen, int(x))
            deque.append(window, x)
            dict.update(table, a=x)
            operator.iconcat(rows, [x])
        return rows, sorted(seen), list(window), dict.get(table, 'a'), list.pop(rows)

    check(f, *((xs,) for xs in CALLS))


def test_a_class_that_sets_by_the_class_it_is_derived_from():
    class Renamed:
        def __setattr__(self, name, value):
            super().__setattr__(f'_{name}', value)

    def f(xs):
        made = Renamed()
        made.x = xs[0]
        if xs[0] > 0:
            made.x = xs[1]
        return made._x

    check(f, *((xs,) for xs in CALLS))


class Point:
    def __init__(self, x):
        self.x = x

    def put(self, x):
        object.__setattr__(self, 'x', x)


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: float


def an_element_of_a_list(xs):
    points = []
    for x in xs:
        points.append(Point(x))
    for point in points:
        point.put(point.x + 1)
    return [point.x for point in points]


def one_of_two(xs):
    point = first = Point(0.0)
    for x in xs:
        if x > 1:
            point = Point(x)
        Point.__setattr__(point, 'x', point.x + x)
    return point.x, first.x


@pytest.mark.parametrize('f', [an_element_of_a_list, one_of_two])
def test_an_attribute_of_an_object_that_the_running_program_has(f):
    check(f, (np.array([1.0, 3.0]),), (np.array([0.5, 0.25]),))


def set_in_a_frozen_one(xs):
    points = []
    for x in xs:
        points.append(Frozen(x))
        object.__setattr__(points[-1], 'x', x + 1)
    return points[0].x


def a_new_one_for_a_frozen_one(xs):
    points = []
    for x in xs:
        points.append(Frozen(x))
        points[-1] = dataclasses.replace(points[-1], x=x + 1)
    return points[0].x


def test_an_attribute_of_a_frozen_one():
    with pytest.raises(ag.errors.StagingError, match=r'p = replace\(p, x=v\)'):
        ag.function(set_in_a_frozen_one)(XS)
    check(a_new_one_for_a_frozen_one, (XS,))
