"""Values that a condition has found to be there: nothing looks again.

    cond(best is None, ..., lambda: x > present(best))   ->   ... lambda: x > best
"""
from __future__ import annotations

from ..graph.graph import Graph, Value
from ..graph.tracing import UNWRAP
from ..ops.control_flow import COND, IS_MISSING, NOT


def known_present(graph: Graph) -> None:
    """Makes sure of what may be missing where a branch is taken only if it is not."""
    _visit(graph, set())


def _visit(graph: Graph, present: set[Value]) -> None:
    for node in graph.nodes:
        if node.op is UNWRAP and node.inputs[0] in present:
            node.attrs = {**node.attrs, 'sure': True}
        way, found = _found(node.inputs[0]) if node.op is COND else ('', None)
        for role, inner in node.graphs.items():
            known = present | {found} if role == way and found is not None else present
            params = inner.params[len(inner.own_params) :]
            captured = zip(params, inner.captures, strict=True)
            _visit(inner, {param for param, value in captured if value in known})


def _found(condition: Value) -> tuple[str, Value | None]:
    """The branch in which a value is there, and the value."""
    node, ways = condition.node, ('true', 'false')
    if node is not None and node.op is NOT:
        node, ways = node.inputs[0].node, ways[::-1]
    if node is None or node.op is not IS_MISSING:
        return '', None
    return ways[1], node.inputs[0]
