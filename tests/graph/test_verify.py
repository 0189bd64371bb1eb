"""Graphs that no trace makes are found."""
from __future__ import annotations

import numpy as np
import pytest
from backends.random_graphs import SUM
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.graph.types import array_type
from autograph_lite.graph.verify import InvalidGraphError, verify

VECTOR = array_type(np.float64, (3,))


def loop():
    def f(x, y):
        return ag.while_loop(lambda x: np.sum(x) > 1, lambda x: x - y, x, names=['x'])

    return traced(f, VECTOR, VECTOR)


def use_before_definition(graph):
    graph.nodes.reverse()


def output_of_another_graph(graph):
    graph.outputs = [graph.nodes[-1].graphs['body'].outputs[0]]


def other_captures(graph):
    graph.nodes[-1].graphs['body'].captures.pop()


def other_type(graph):
    graph.nodes[-1].outputs[0].type = array_type(np.int64, (3,))


def other_parent(graph):
    graph.nodes[-1].graphs['body'].parent = None


def missing_result(graph):
    graph.nodes[-1].graphs['body'].outputs.clear()


def defined_twice(graph):
    graph.nodes.append(graph.nodes[-1])


BREAKS = [
    *(output_of_another_graph, other_captures, other_type, other_parent),
    *(missing_result, defined_twice),
]


def test_a_traced_graph_is_valid():
    verify(loop())


@pytest.mark.parametrize('damage', BREAKS)
def test_damage_is_found(damage):
    graph = loop()
    damage(graph)
    with pytest.raises(InvalidGraphError):
        verify(graph)


def test_use_before_definition_is_found():
    graph = traced(lambda x: np.tanh(np.sin(x)), VECTOR)
    use_before_definition(graph)
    with pytest.raises(InvalidGraphError, match='before it is made'):
        verify(graph)


def test_the_test_ops_are_valid_too():
    graph = traced(lambda x: x, array_type(np.int64, (3,)))
    graph.add(SUM, [graph.params[0], graph.params[0]])
    verify(graph)
