"""Attributes and items outside that code sets which Python itself runs, and the graph, too."""
from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from differential import joined

import autograph_lite as ag


class Options:
    def __init__(self) -> None:
        self.rate = 1.0
        self.seen = 0

    def __iter__(self):
        for i in range(3):
            self.seen += 1
            yield float(i)


@contextlib.contextmanager
def swapped(options, rate):
    old, options.rate = options.rate, rate
    try:
        yield options
    finally:
        options.rate = old


@contextlib.contextmanager
def swapped_item(table, rate):
    old, table['rate'] = table['rate'], rate
    yield table
    table['rate'] = old


@contextlib.contextmanager
def more_levels():
    global LEVEL
    LEVEL += 1
    yield
    LEVEL -= 1


@ag.do_not_convert
def count(options):
    options.seen += 1


def counting(table):
    for i in range(3):
        table['seen'] = table.get('seen', 0) + 1
        yield i


OPTIONS, TABLE, LEVEL = Options(), {'rate': 1.0}, 1


def a_branch(options, table, x):
    with swapped(options, 5.0):
        if x > 0:
            options.rate = 7.0
        inside = options.rate
    return inside, options.rate


def captured(options, table, x):
    with swapped(OPTIONS, 5.0):
        if x > 0:
            OPTIONS.rate = 7.0
        inside = OPTIONS.rate
    return inside, OPTIONS.rate


def without_a_branch(options, table, x):
    with swapped(options, 5.0):
        options.rate = x
    return options.rate


def a_loop(options, table, x):
    with swapped(options, 5.0):
        while options.rate < 20.0 + x:
            options.rate *= 2.0
        inside = options.rate
    return inside, options.rate


def in_each_other(options, table, x):
    with swapped(options, 5.0):
        with swapped(options, 6.0):
            if x > 0:
                options.rate = 7.0
        between = options.rate
        if x > 1:
            options.rate = 8.0
    return between, options.rate


def an_item(options, table, x):
    with swapped_item(table, 5.0) as given:
        if x > 0:
            given['rate'] = 7.0
        inside = table['rate']
    return inside, table['rate']


def a_captured_item(options, table, x):
    with swapped_item(TABLE, 5.0):
        if x > 0:
            TABLE['rate'] = 7.0
        inside = TABLE['rate']
    return inside, TABLE['rate']


def a_global_variable(options, table, x):
    global LEVEL
    with more_levels():
        if x > 0:
            LEVEL = LEVEL * 3
        inside = LEVEL
    return inside, LEVEL


def on_a_stack(options, table, x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(swapped(options, 5.0))
        if x > 0:
            options.rate = 7.0
        inside = options.rate
    return inside, options.rate


def after_the_graph(options, table, x):
    options.rate = x * 2.0
    with swapped(options, 5.0):
        inside = options.rate * x
    return inside, options.rate


def an_iterating_method(options, table, x):
    total = 0.0
    for value in options:
        if value > x:
            options.seen = 0
        total += value
    return total, options.seen


def a_generator(options, table, x):
    total = 0
    for i in counting(table):
        if x > i:
            table['seen'] = 5
        total += table['seen']
    return total, table['seen']


def steps_one_by_one(options, table, x):
    steps = counting(table)
    next(steps)
    if x > 0:
        table['seen'] = 10
    next(steps)
    return table['seen']


def a_helper(options, table, x):
    for i in range(2):
        count(options)
        if x > i:
            options.seen = options.seen * 2
    return options.seen


@pytest.mark.parametrize('f', [
    a_branch, captured, without_a_branch, a_loop, in_each_other, an_item, a_captured_item,
    a_global_variable, on_a_stack, after_the_graph, an_iterating_method, a_generator,
    steps_one_by_one, a_helper], ids=lambda f: f.__name__)
def test_what_it_sets_stands_where_it_has_run(f):
    assert joined(_left_by(f), _left_by(ag.function(f)))


def _left_by(run: Any) -> list[Any]:
    """What calls return, and leave in objects, dicts and variables."""
    global OPTIONS, TABLE, LEVEL
    OPTIONS, TABLE, LEVEL = Options(), {'rate': 1.0}, 1
    options, table, left = Options(), {'rate': 1.0}, []
    for x in (2.0, -2.0, 0.5, 2.0):
        returned = run(options, table, np.float64(x))
        held = dict(vars(options)), dict(table), dict(vars(OPTIONS)), dict(TABLE), LEVEL
        left.append((returned, held))
    return left


def test_in_a_loop_it_is_refused_and_a_class_is_not():
    class Swapped:
        def __init__(self, options, rate):
            self.options, self.new = options, rate

        def __enter__(self):
            self.old, self.options.rate = self.options.rate, self.new

        def __exit__(self, *_):
            self.options.rate = self.old

    def turns(options, xs, swapping):
        total = 0.0
        for x in xs:
            with swapping(options, 5.0):
                if x > 0:
                    options.rate = 7.0
                total += options.rate
        return total, options.rate

    f, xs = ag.function(turns), np.array([1.0, -1.0, 2.0])
    with pytest.raises(ag.errors.OwnershipError, match='by a generator or other code') as refused:
        f(Options(), xs, swapped)
    assert '`__enter__` and `__exit__`' in str(refused.value)
    assert 'options.rate = 7.0' in str(refused.value)
    for way in (turns, f):
        assert joined(way(Options(), xs, Swapped), (19.0, 1.0))
