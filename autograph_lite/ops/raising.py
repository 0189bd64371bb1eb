"""Which operations may raise when the graph runs: a `try` around them keeps them."""
from __future__ import annotations

from ..graph.graph import Node, Op
from ..graph.tracing import CONSTANT
from .attributes import DIM, SIZE
from .control_flow import IS_MISSING, MISSING, NOT

_NEVER = (CONSTANT, MISSING, IS_MISSING, NOT, DIM, SIZE)


def may_raise(node: Node) -> bool:
    """Whether the node may raise, as far as its operation tells."""
    if node.graphs:
        return any(may_raise(inner) for graph in node.graphs.values() for inner in graph.nodes)
    return op_may_raise(node.op)


def op_may_raise(op: Op) -> bool:
    """Whether a node of this operation may raise, whatever is in its graphs."""
    return op not in _NEVER
