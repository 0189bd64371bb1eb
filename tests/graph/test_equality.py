"""Graphs as values: equal if they are one program."""
import pickle

import numpy as np
import pytest

import autograph_lite as ag

TABLE = np.arange(3.0)
X = np.ones(3)


def made(scale=2.0, turns=2, ufunc=np.sin, action=len):
    """A new function, with everything in it that a graph can hold."""
    v = VARIABLE

    @ag.function
    def f(x):
        y = ufunc(x) * scale + TABLE + v
        for i in range(turns):
            if np.sum(y) > i:
                y = y - 1
        while np.sum(y) > 10:
            y = np.tanh(y)
        ag.py_function(lambda a: action(a), [y], None)
        ag.print(y)
        return y, {'first': y[0]}

    return f


VARIABLE = ag.Variable(1.0)


def graph_of(f, x=X):
    return f.get_concrete_function(x).graph


def test_two_traces_of_one_function_are_equal():
    one, other = graph_of(made()), graph_of(made())
    assert one == other
    assert not one != other
    assert hash(one) == hash(other)
    assert {one: 'known'}[other] == 'known'


@pytest.mark.parametrize(
    'changed',
    [{'scale': 3.0}, {'scale': 2}, {'turns': 3}, {'ufunc': np.cos}, {'action': abs}],
)
def test_what_differs_is_not_equal(changed):
    assert graph_of(made()) != graph_of(made(**changed))


def test_types_are_part_of_a_graph():
    assert graph_of(made()) != graph_of(made(), X.astype(np.float32))
    assert graph_of(made()) != 'a graph'


def test_a_subgraph_equals_itself_alone():
    one, other = (
        graph_of(ag.function(lambda x: x if x > 0 else -x), np.float64(1)) for _ in range(2)
    )
    assert one == other
    branches = [list(graph.nodes[-1].graphs.values()) for graph in (one, other)]
    assert branches[0][0] == branches[0][0]
    assert branches[0][0] != branches[1][0]


def test_what_was_pickled_is_equal():
    concrete = ag.function(lambda x: np.sin(x) * 2 + 1).get_concrete_function(X)
    assert pickle.loads(pickle.dumps(concrete)).graph == concrete.graph


def test_they_show_themselves():
    @ag.function
    def f(x):
        y = np.sin(x) * 2
        if np.sum(y) > 1:
            y = y + TABLE
        return y

    graph = graph_of(f)
    assert repr(graph).startswith('<Graph f: ')
    shown = list(map(repr, graph.nodes))
    assert '<Node sin: float64[3] = sin(x)>' in shown
    assert any(' = cond(' in node for node in shown)
    assert repr(graph.params[0]) == '<Value x: float64[3]>'
