"""A function under `functools.cache`: its cache is asked as often as plain Python asks it."""
from __future__ import annotations

import functools
import pickle

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])


def calls(make, run):
    f, helper, change = make()
    graph, left = run(f), []
    for x in (XS, -XS, XS * 2, XS * 3):
        left.append((graph(x), tuple(helper.cache_info())))
        change(helper)
    return left


def asked_twice():
    helper = functools.lru_cache(maxsize=1)(lambda n: n * 2)
    return lambda x: x * helper(3) + helper(3) + helper(n=4), helper, lambda helper: None


def emptied_between_calls():
    helper = functools.cache(lambda n: np.arange(n))
    return lambda x: x + helper(3), helper, lambda helper: helper.cache_clear()


def emptied_by_the_function():
    helper = functools.cache(lambda n: n * 2)

    def f(x):
        helper.cache_clear()
        return x * helper(2)

    return f, helper, lambda helper: None


def its_hits_are_read():
    helper = functools.cache(lambda n: n * 2)
    return lambda x: x * helper(2) + helper.cache_info().hits, helper, lambda helper: None


def typed():
    helper = functools.lru_cache(typed=True)(lambda n: type(n).__name__)
    return lambda x: (x, helper(1), helper(True), helper(1.0)), helper, lambda helper: None


def a_method():
    class Model:
        @functools.cache  # noqa: B019  the model lives as long as the test
        def scaled(self, n):
            return n * 2

    model = Model()
    return lambda x: x * model.scaled(2), Model.scaled, lambda helper: None


def a_trace_that_begins_anew():
    helper, rows = functools.cache(lambda n: n * 2), [1.0]

    def f(x):
        y = x * helper(2) * rows[-1]
        rows.append(x.sum())
        return y

    return f, helper, lambda helper: None


def an_array_that_is_modified():
    helper, weights = functools.cache(lambda n: n * 2), np.zeros(3)

    def f(x):
        weights[:] = weights + x * helper(2)
        return weights.sum()

    return f, helper, lambda helper: None


@pytest.mark.parametrize('make', [
    asked_twice, emptied_between_calls, emptied_by_the_function, its_hits_are_read, typed, a_method,
    a_trace_that_begins_anew, an_array_that_is_modified], ids=lambda make: make.__name__)
def test_it_is_asked_at_every_call(make):
    assert same(calls(make, lambda f: f), calls(make, ag.function))


def test_one_trace_serves_all():
    f, helper, _ = asked_twice()
    graph = ag.function(f)
    for x in (XS, -XS, XS * 2):
        graph(x)
    assert graph.tracing_count == 1
    assert tuple(helper.cache_info()) == (3, 6, 1, 1)


@functools.cache
def kept(n):
    return n * 2


def test_another_process_has_another_cache():
    concrete = ag.function(lambda x: x * kept(3)).get_concrete_function(XS)
    before = kept.cache_info()
    assert same(pickle.loads(pickle.dumps(concrete))(XS), XS * 6)
    assert kept.cache_info() == before
