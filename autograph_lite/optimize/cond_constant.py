"""A condition that is known: the branch that is taken replaces the choice.

    cond(True, t, f)   ->  t()
    cond(False, t, f)  ->  f()
"""
from __future__ import annotations

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..ops.control_flow import COND
from .rewriting import header, inline, replace_values


def cond_constant(graph: Graph) -> None:
    """Replaces conds whose predicate is a constant by the branch that is taken."""
    _rewrite(graph, {})


def _rewrite(graph: Graph, known: dict[Value, bool]) -> None:
    """`known` are the truths of the constants of this graph and of those that it captures."""
    position = 0
    while position < len(graph.nodes):
        node = graph.nodes[position]
        if node.op is CONSTANT and not isinstance(node.attrs['value'], np.ndarray):
            known[node.outputs[0]] = bool(node.attrs['value'])
        if node.op is COND and node.inputs[0] in known:
            _take(graph, node, known[node.inputs[0]])
            continue
        for inner in node.graphs.values():
            captured = zip(inner.params[len(inner.own_params) :], inner.captures, strict=True)
            _rewrite(inner, {param: known[v] for param, v in captured if v in known})
        position += 1


def _take(graph: Graph, node: Node, truth: bool) -> None:
    branch = node.graphs['true' if truth else 'false']
    results = inline(node, branch, graph, node.inputs[header(node) :])
    replace_values(graph, dict(zip(node.outputs, results, strict=True)))
