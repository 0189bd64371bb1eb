"""What a function reads from outside while it changes it."""
from __future__ import annotations

import numpy as np

import autograph_lite as ag

counter = 0


class Counter:
    def __init__(self) -> None:
        self.calls = 0
        self.totals = {'sum': 1.0}

    def count(self, x):
        self.calls += 1
        return x * self.calls

    def total(self, x):
        self.totals['sum'] *= 2
        return x * self.totals['sum']

    def twice(self, x):
        for _ in range(2):
            self.calls += 1
        return x + self.calls


def counted(x):
    global counter
    counter += 1
    return x * counter


def counted_when_positive(x):
    global counter
    if x is not None:
        counter += 2
    return x * counter


def both(make):
    """What plain Python and the graph give, call by call."""
    results = []
    for wrap in (lambda f: f, ag.function):
        call = make(wrap)
        results.append([call(np.float64(2)) for _ in range(4)])
    return results


def test_attributes_and_items():
    for method in (Counter.count, Counter.total, Counter.twice):
        def make(wrap, method=method):
            instance, call = Counter(), wrap(method)
            return lambda x: call(instance, x)

        plain, graph = both(make)
        assert plain == graph


def test_globals():
    global counter
    for f in (counted, counted_when_positive):
        results = []
        for call in (f, ag.function(f)):
            counter = 0
            results.append([call(np.float64(2)) for _ in range(3)])
            counter = 7
            results[-1].append(call(np.float64(2)))
        assert results[0] == results[1]


def test_closures():
    def make(wrap):
        n = 0

        def f(x):
            nonlocal n
            n += 1
            return x * n

        return wrap(f)

    plain, graph = both(make)
    assert plain == graph


def test_what_it_sets_itself_is_not_from_outside():
    class Sum:
        def __init__(self) -> None:
            self.n = 0

        def up_to(self, x):
            self.n = 0
            for i in range(3):
                self.n += i
            return x + self.n

    call = ag.function(Sum.up_to)
    instance = Sum()
    assert [call(instance, np.float64(1)) for _ in range(3)] == [4.0] * 3
    assert call.tracing_count == 1
