"""Random graphs give the same results and effects lowered as they mean, optimised or not."""
from __future__ import annotations

import numpy as np
import pytest
from backends.random_graphs import LOG, Generator, evaluate
from hypothesis import given, settings
from hypothesis import strategies as st

from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.verify import verify
from autograph_lite.optimize import REWRITES


def outcome(function):
    """The results as comparable values, and the effects."""
    LOG.clear()
    results = [x.tolist() if isinstance(x, np.ndarray) else (type(x), x) for x in function()]
    return results, list(LOG)


def arguments():
    return [[3, 7, True, np.array([1, 2, 3])], [0, 0, False, np.array([9, 0, 4])]]


def check(graph, expected):
    program = lower(graph)
    for args, want in zip(arguments(), expected, strict=True):
        got = outcome(lambda args=args: run(program, args))
        assert got == want, program.code


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.integers(1, 60))
def test_lowered_programs_mean_what_graphs_mean(seed, size):
    graph = Generator(seed, size).build()
    verify(graph)
    expected = [outcome(lambda args=args: evaluate(graph, args)) for args in arguments()]
    check(graph, expected)


@settings(max_examples=200)
@given(st.integers(0, 10**9), st.integers(1, 60))
@pytest.mark.parametrize('rewrites', [*[(r,) for r in REWRITES], REWRITES, REWRITES * 2])
def test_rewrites_keep_the_meaning(rewrites, seed, size):
    graph = Generator(seed, size).build()
    expected = [outcome(lambda args=args: evaluate(graph, args)) for args in arguments()]
    for rewrite in rewrites:
        rewrite(graph)
        verify(graph)
    check(graph, expected)


def wrong_order(graph):
    """Moves the first update of the graph before everything that reads its buffer."""
    for i, node in enumerate(graph.nodes):
        if not node.op.updates:
            continue
        readers = [j for j in range(i) if node.inputs[0] in graph.nodes[j].inputs]
        if readers and all(v.node not in graph.nodes[readers[0] : i] for v in node.inputs):
            graph.nodes.insert(readers[0], graph.nodes.pop(i))
            return


def drops_effects(graph):
    """Drops the first effect that gives nothing."""
    for node in graph.nodes:
        if node.op.effect and not node.outputs:
            graph.nodes.remove(node)
            return


@pytest.mark.parametrize('wrong', [wrong_order, drops_effects])
def test_a_wrong_rewrite_is_seen(wrong):
    seen = 0
    for seed in range(300):
        graph = Generator(seed, 60).build()
        expected = [outcome(lambda args=args, g=graph: evaluate(g, args)) for args in arguments()]
        wrong(graph)
        try:
            check(graph, expected)
        except Exception:
            seen += 1
    assert seen
