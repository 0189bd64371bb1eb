"""Names of builtins and libraries that mean something else later: plain Python's answer follows."""
import math
import types

import numpy as np
import pytest

import autograph_lite as ag

x = np.float64(1.5)


def helper(x):
    def inner(y):
        return [abs(v) for v in range(3)][1] + max(y, 2)

    return inner(x)


def uses_builtins(x):
    total = helper(x) + sum([x, x]) + len([1, 2]) + float(x)
    return total + round(abs(x)) + min(x, 5) + int(x)


class Model:
    @ag.function
    def call(self, x):
        return sum([x, abs(x)])


@pytest.fixture
def names():
    before = dict(globals())
    yield globals()
    globals().clear()
    globals().update(before)


@pytest.mark.parametrize('name', ['abs', 'max', 'sum', 'len', 'float', 'round', 'min', 'int'])
def test_a_builtin_that_a_global_hides_later(names, name):
    graph = ag.function(uses_builtins)
    assert [graph(x) for _ in range(2)] == [uses_builtins(x)] * 2
    names[name] = lambda *args: 7
    assert [graph(x) for _ in range(2)] == [uses_builtins(x)] * 2
    assert f'{name} has changed' in graph.trace_report()
    del names[name]
    assert [graph(x) for _ in range(2)] == [uses_builtins(x)] * 2
    assert graph.tracing_count == 2


def test_one_after_the_other(names):
    graph = ag.function(uses_builtins)
    for name in ('abs', 'float', 'len', 'sum'):
        names[name] = lambda *args: 7
        assert [graph(x) for _ in range(2)] == [uses_builtins(x)] * 2
        del names[name]
    assert graph(x) == uses_builtins(x)


def test_in_a_method(names):
    model = Model()
    assert model.call(x) == 3.0
    names['sum'] = lambda items: 7
    assert model.call(x) == 7


def test_in_another_function_and_in_what_it_loops_over(names):
    @ag.function
    def inner(x):
        for i in range(2):
            x = x + i
        return x

    @ag.function
    def outer(x):
        return inner(x)

    assert [outer(x), outer(x)] == [2.5, 2.5]
    names['range'] = lambda n: [10.0]
    assert [outer(x), outer(x)] == [11.5, 11.5]


def of_a_module(x):
    return np.tanh(x)


@pytest.mark.parametrize('other', [types.SimpleNamespace(tanh=lambda x: x * 100), math])
def test_a_module_by_another_name(names, other):
    graph, numpy = ag.function(of_a_module), np
    for module in (numpy, other, numpy, other):
        names['np'] = module
        for _ in range(2):
            result = graph(x)
            assert result == of_a_module(x)
            assert type(result) is type(of_a_module(x))
    assert graph.tracing_count == 2
