"""`check=True`: plain Python beside the graph."""
import re

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.comparison import DifferenceError
from autograph_lite.optimize import optimize


def test_equal_results_are_what_the_graph_gives():
    @ag.function(check=True)
    def f(x, items):
        total = 0
        for row in x:
            if np.sum(row) > 2:
                total += 1
        return x * 2, {'total': total, 'items': items}

    for _ in range(3):
        doubled, rest = f(np.ones((2, 3)), [np.float64(1)])
    np.testing.assert_array_equal(doubled, np.full((2, 3), 2.0))
    assert rest == {'total': 2, 'items': [1.0]}
    assert f.tracing_count == 1


@pytest.fixture
def _wrong_tanh(monkeypatch):
    """In graphs, `np.tanh` is `np.sinh`."""

    def wrong(graph):
        for node in graph.walk():
            if node.attrs.get('ufunc') == 'numpy.tanh':
                node.attrs['ufunc'] = 'numpy.sinh'
        return optimize(graph)

    monkeypatch.setattr('autograph_lite.trace.optimize', wrong)


@pytest.mark.usefixtures('_wrong_tanh')
def test_a_wrong_operation_is_found_at_its_line():
    @ag.function(check=True)
    def f(x):
        a = x + 1.0
        b = np.tanh(a)
        c = b * 2.0
        return c + a

    with pytest.raises(DifferenceError) as caught:
        f(np.ones(2))
    message = str(caught.value)
    assert re.search(r'the result differs\.\n  plain Python: array.*\n  the graph: ', message)
    assert 'b = np.tanh(a)' in message
    assert __file__ in message


def test_what_is_not_the_same_at_every_call():
    numbers = iter(range(100))

    @ag.function(check=True)
    def f(x):
        return x * next(numbers)

    with pytest.raises(DifferenceError, match='the result differs'):
        f(np.float64(1.0))


def test_exceptions_are_compared_too():
    @ag.function(check=True)
    def f(x):
        if x < 0:
            raise ValueError('negative')
        return x

    assert f(np.float64(1)) == 1.0
    with pytest.raises(ValueError, match='negative'):
        f(np.float64(-1))


def test_variables_are_written_once():
    v = ag.Variable(0)

    @ag.function(check=True)
    def f(x):
        v.assign_add(1)
        return v + x

    assert [f(np.int64(10)) for _ in range(3)] == [11, 12, 13]


def test_arguments_stay_what_they_are():
    @ag.function(check=True)
    def f(x):
        y = x.copy()
        y[0] = 5.0
        return y

    x = np.zeros(2)
    f(x)
    np.testing.assert_array_equal(x, [0.0, 0.0])
