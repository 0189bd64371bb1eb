"""What Python changes outside while a function is traced: that trace is for one call."""
from __future__ import annotations

import contextlib
import copy

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

LOG: list = []
XS = np.array([1.0, -2.0, 3.0])


class Counted:
    n = 0
    made: list = []  # noqa: RUF012

    def __init_subclass__(cls):
        Counted.made.append(cls.__name__)


counted = Counted()


class Key:
    def __hash__(self):
        LOG.append('hashed')
        return 1


def numbers():
    for i in range(3):
        LOG.append(i)
        counted.n += 1
        yield i


@contextlib.contextmanager
def noted(name):
    LOG.append(('in', name))
    counted.n += 1
    try:
        yield
    finally:
        LOG.append(('out', name))


@ag.do_not_convert
def note(text):
    LOG.append(text)


def a_generator(xs):
    total = 0.0
    for i in numbers():
        total = total + xs[i]
    return total


def a_context(xs):
    with noted('a'):
        return xs * 2


class Counting(contextlib.ContextDecorator):
    def __enter__(self):
        LOG.append('in')
        counted.n += 1

    def __exit__(self, *error):
        LOG.append('out')


@Counting()
def doubled(xs):
    return xs * 2 if xs.sum() > 0 else xs


@noted('b')
def trebled(xs):
    return xs * 3 if xs.sum() > 0 else xs


def decorated_by_a_generator(xs):
    return trebled(xs)


def what_is_called_as_it_is(xs):
    note('here')
    return xs.sum()


def a_key(xs):
    return xs * len({Key(): 1})


def a_class(xs):
    class Made(Counted):
        pass

    return xs * len(Made.made)


def a_function(xs):
    counted.f = lambda: 1
    LOG.append(any(counted.f is f for f in LOG))
    LOG.append(counted.f)
    return xs * counted.f()


def state():
    return copy.copy(LOG), counted.n, copy.copy(Counted.made)


def left_by(f):
    LOG.clear()
    Counted.made.clear()
    counted.n = 0
    return [(f(xs), state()) for xs in (XS, -XS, XS * 2)]


@pytest.mark.parametrize(
    'f',
    [a_generator, a_context, decorated_by_a_generator, what_is_called_as_it_is, a_key, a_class],
    ids=lambda f: f.__name__)
def test_it_changes_at_every_call(f):
    graph = ag.function(f)
    assert same(left_by(f), left_by(graph))
    assert graph.tracing_count == 3


def test_what_a_decorating_context_changes_the_graph_does():
    graph = ag.function(lambda xs: doubled(xs) + 1)
    assert same(left_by(lambda xs: doubled(xs) + 1), left_by(graph))


def test_a_function_that_is_put_outside_is_another_one_at_each_call():
    @ag.function
    def f(x):
        counted.f = lambda: 1
        return x

    made = []
    for _ in range(3):
        f(XS)
        made.append(counted.f)
    assert len(set(made)) == 3


def test_a_trace_that_changes_nothing_more_serves_the_next_calls():
    known: dict = {}

    @ag.do_not_convert
    def doubled(n):
        if n not in known:
            known[n] = n * 2
        return known[n]

    @ag.function
    def f(x):
        return x * doubled(2)

    assert [f(np.float64(x)) for x in range(4)] == [0.0, 4.0, 8.0, 12.0]
    assert f.tracing_count == 2
    report = f.trace_report()
    assert '1. Python changed a dict outside, which only tracing does' in report
    assert '2. the trace before was for one call alone' in report


def test_many_such_traces_are_warned_of():
    graph = ag.function(a_context)
    with pytest.warns(ag.errors.RetracingWarning, match=r'Python changed a list.*converts'):
        left_by(lambda xs: [graph(xs) for _ in range(3)])


def test_in_a_block_it_is_refused():
    @ag.function
    def f(x):
        if x > 0:
            note('positive')
        return x

    with pytest.raises(ag.errors.OwnershipError, match='a list that lives outside'):
        f(np.float64(1))


def test_what_a_function_gives_is_asked_for_without_a_trace_of_it():
    seen = []

    def look(x):
        seen.append(x)
        return {'x': x}

    @ag.function
    def f(x):
        return ag.py_function(look, [x])['x']

    assert [f(np.float64(x)) for x in (3, 4)] == [3.0, 4.0]
    assert seen == [3.0, 4.0]
    assert f.tracing_count == 1


def test_a_list_that_the_graph_changes_too_is_refused():
    @ag.function
    def f(x):
        LOG.append(x)
        note('after')
        return x

    with pytest.raises(ag.errors.OwnershipError, match=r'(?s)changed by Python.*in f\n'):
        f(np.float64(1))
