"""Attributes for which a class has code: a `functools.cached_property` is set when it is read."""
from __future__ import annotations

import dataclasses
import functools

import numpy as np
import pytest
from differential import check, same
from states import left

import autograph_lite as ag

F = np.float64


class Temperature:
    def __init__(self, celsius):
        self.celsius = celsius

    @functools.cached_property
    def kelvin(self):
        return self.celsius + 273.15

    @functools.cached_property
    def double(self):
        return self.kelvin * 2


class Warmer(Temperature):
    @functools.cached_property
    def kelvin(self):
        return super().kelvin + 1


@dataclasses.dataclass(frozen=True)
class Weights:
    values: np.ndarray

    @functools.cached_property
    def total(self):
        return self.values.sum()

    @functools.cached_property
    def mean(self):
        return self.total / len(self.values)


def after_a_branch(x, t):
    if x > 0:
        t.celsius = x
    return t.kelvin


def in_a_branch(x, t):
    if x > 0:
        return t.double + x
    return x


def in_a_loop(x, t):
    total = x
    for _ in range(3):
        total = total + t.double
    return total


def deleted_in_a_branch(x, t):
    before = t.kelvin
    if x > 0:
        t.celsius = x
        del t.kelvin
    return before, t.kelvin


def in_the_test_of_a_loop(x, t):
    while t.kelvin < x + 290:
        t.celsius = t.celsius + 9
        del t.kelvin
    return t.kelvin


def set_in_a_branch(x, t):
    if x > 0:
        t.kelvin = x
    return t.kelvin * 2


def forget(t):
    for name in ('kelvin', 'double'):
        vars(t).pop(name, None)


@pytest.mark.parametrize('kind', [Temperature, Warmer])
@pytest.mark.parametrize('f', [
    after_a_branch, in_a_branch, in_a_loop, deleted_in_a_branch, in_the_test_of_a_loop,
    set_in_a_branch,
])
def test_a_cached_property_of_an_argument_is_kept_there_by_each_call(f, kind):
    left(lambda: kind(F(3.0)), lambda _: f, [F(5.0), F(-5.0), F(5.0)], forget)
    left(lambda: kind(F(3.0)), lambda _: f, [F(-5.0), F(5.0), F(5.0)], traces=None)


OUTSIDE, WEIGHTS = Temperature(F(3.0)), Weights(np.array([1.0, 2.0]))


def of_an_object_outside(x):
    if x > 0:
        OUTSIDE.celsius = x
    return OUTSIDE.double


def of_a_dataclass_outside(x):
    if x > 0:
        return WEIGHTS.mean * x
    return x


@pytest.mark.parametrize('x', [F(5.0), F(-5.0)])
@pytest.mark.parametrize('f', [of_an_object_outside, of_a_dataclass_outside])
def test_a_cached_property_of_what_lives_outside_is_kept_there(f, x):
    results = []
    for run in (f, ag.function(f)):
        vars(OUTSIDE).clear()
        vars(OUTSIDE)['celsius'] = F(3.0)
        vars(WEIGHTS).clear()
        vars(WEIGHTS)['values'] = np.array([1.0, 2.0])
        results.append((run(x), {**vars(OUTSIDE)}, {**vars(WEIGHTS)}))
    assert same(*results)


def of_a_new_object(x):
    t = Warmer(x)
    while t.kelvin < 300:
        t.celsius = t.celsius + 5
        del t.kelvin
    return t.double, vars(t)


def of_a_new_dataclass(x):
    w = Weights(np.array([x, 2.0]))
    if w.mean > 1:
        return w.mean
    return w.total


@pytest.mark.parametrize('f', [of_a_new_object, of_a_new_dataclass])
def test_a_cached_property_of_a_new_object_is_kept_in_it(f):
    check(f, (F(5.0),), (F(-5.0),), (F(100.0),))


def of_a_given_dataclass(x, w):
    if x > 0:
        return w.mean * x
    return x


@pytest.mark.parametrize('x', [F(5.0), F(-5.0)])
def test_a_cached_property_of_a_given_dataclass_is_kept_on_the_way_that_reads_it(x):
    left(lambda: Weights(np.array([1.0, 2.0])), lambda _: of_a_given_dataclass, [x])


class Counter:
    def __init__(self, n):
        self.n = n

    @property
    def next(self):
        self.n += 1
        return self.n


def of_one_of_two(x):
    a, b = Counter(x), Temperature(x)
    first, second = Counter(x), Counter(x + 1)
    chosen = first if x > 0 else second
    return chosen.next, first.n, second.n, a.next, b.kelvin


def test_a_property_that_changes_one_of_two_objects():
    check(of_one_of_two, (F(5.0),), (F(-5.0),))


def deleted_before_it_is_kept(x, t):
    del t.kelvin
    return x


def test_a_cached_property_that_is_not_kept_cannot_be_deleted():
    left(lambda: Temperature(F(3.0)), lambda _: deleted_before_it_is_kept, [F(5.0)], traces=None)
