"""Graphs that nest deeper than Python does, and graphs of many nodes."""
from __future__ import annotations

import numpy as np
import pytest
from backends.random_graphs import (
    ADD,
    ARRAY,
    BOOL,
    INT,
    MULTIPLY,
    SUM,
    Graph,
    agree,
    evaluate,
)
from work import work

from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.tracing import CONSTANT
from autograph_lite.ops.control_flow import COND, FOR_LOOP
from autograph_lite.optimize import optimize


def nested_loops(graph, x, n, depth):
    if depth == 0:
        return graph.add(ADD, [x, n]).outputs[0]
    turns = 2 if depth < 8 else 1
    bounds = [
        graph.add(CONSTANT, (), {'value': k, 'type': INT}).outputs[0] for k in (0, turns, 1)
    ]
    body = Graph('body', graph)
    i, state = body.param(INT, 'i'), body.param(INT, 'x')
    inner = body.local(n) if depth % 2 else i
    body.outputs = [nested_loops(body, state, inner, depth - 1)]
    attrs = {'types': [INT], 'state': 1, 'iterable': ('range', 0, 1, 2)}
    inputs = [*bounds, x, *body.captures]
    return graph.add(FOR_LOOP, inputs, attrs, {'body': body}, None, ['x']).outputs[0]


def nested_conds(graph, x, n, p, depth):
    if depth == 0:
        return graph.add(ADD, [x, n]).outputs[0]
    true, false = Graph('true', graph), Graph('false', graph)
    inner = nested_conds(true, true.local(x), true.local(n), true.local(p), depth - 1)
    true.outputs = [true.add(MULTIPLY, [inner, inner]).outputs[0]]
    product = false.add(MULTIPLY, [false.local(x), false.local(n)]).outputs[0]
    false.outputs = [false.add(ADD, [product, false.local(x)]).outputs[0]]
    captures = agree({'true': true, 'false': false})
    graphs = {'true': true, 'false': false}
    return graph.add(COND, [p, *captures], {'types': [INT]}, graphs, None, ['x']).outputs[0]


@pytest.mark.parametrize('depth', [5, 16, 20, 50])
def test_deep_loops(depth):
    graph = Graph('deep')
    x, n = graph.param(INT, 'x'), graph.param(INT, 'n')
    graph.outputs = [nested_loops(graph, x, n, depth)]
    program = lower(graph)
    assert list(run(program, [3, 5])) == evaluate(graph, [3, 5])


def deep_branches(depth):
    graph = Graph('deep')
    x, n, p = graph.param(INT, 'x'), graph.param(INT, 'n'), graph.param(BOOL, 'p')
    graph.outputs = [nested_conds(graph, x, n, p, depth)]
    return graph


@pytest.mark.parametrize('depth', [5, 60, 100])
def test_deep_branches(depth):
    graph = deep_branches(depth)
    program = lower(graph)
    for truth in (True, False):
        assert list(run(program, [3, 5, truth])) == evaluate(graph, [3, 5, truth])


def chain(count):
    graph = Graph('chain')
    x = value = graph.param(ARRAY, 'x')
    for _ in range(count):
        value = graph.add(SUM, [value, x]).outputs[0]
    graph.outputs = [value]
    return graph


def branches(count):
    graph = Graph('branches')
    p, x = graph.param(BOOL, 'p'), graph.param(ARRAY, 'x')
    value = x
    for _ in range(count):
        true, false = Graph('true', graph), Graph('false', graph)
        true.outputs = [true.add(SUM, [true.local(value), true.local(x)]).outputs[0]]
        false.outputs = [false.local(value)]
        graphs = {'true': true, 'false': false}
        inputs = [p, *agree(graphs)]
        value = graph.add(COND, inputs, {'types': [ARRAY]}, graphs, None, ['x']).outputs[0]
    graph.outputs = [value]
    return graph


@pytest.mark.parametrize('build', [chain, branches])
def test_the_work_grows_linearly(build):
    once, twice = (
        work(lambda graph: lower(optimize(graph)), build(count)) for count in (500, 1000)
    )
    assert twice < 2.2 * once


def test_the_work_for_nested_branches_grows_near_linearly():
    once, twice = (work(lower, deep_branches(depth)) for depth in (30, 60))
    assert twice < 3 * once


def test_many_turns_of_an_unrolled_loop_reuse_their_variables():
    program = lower(branches(50))
    assert program.code.count('x_1 = ') > 40
    assert 'x_3' not in program.code
    (result,) = run(program, [True, np.arange(3)])
    np.testing.assert_array_equal(result, evaluate(branches(50), [True, np.arange(3)])[0])
