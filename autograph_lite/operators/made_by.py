"""Which operation has made a value: an array that is modified in place is what it was made."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph import nest
from ..graph.graph import Graph, Node
from ..graph.tensor import Tensor
from .leaves import enclosing
from .unbound import Unbound


def maker(value: Any) -> Node | None:
    """What makes a value of the graph; None for any other, and for what a block is given."""
    if not isinstance(value, Tensor):
        return None
    node = value.held.node
    while node is not None and node.op.updates:
        node = node.inputs[0].node
    return node


def is_made_by_first(value: Any, nodes: Sequence[Node]) -> bool:
    """Whether the first of these operations has made a value, as a whole."""
    return bool(nodes) and not nodes[0].graphs and maker(value) is nodes[0]


def is_another(now: Any, begun: Any, graph: Graph) -> bool:
    """Whether a variable surely holds another value, not what a block has for the one before.

    Args:
      now: what it holds.
      begun: an array, a list or an object that it held before.
      graph: what is traced.
    """
    if now is None or isinstance(now, (bool, int, float, complex, str)):
        return True
    if isinstance(now, list | dict | nest.Mutable):
        others = (x for each in enclosing(graph) for x, _ in each.passed)
        return all(nest.actual(now) is not nest.actual(x) for x in (begun, *others))
    if not isinstance(now, tuple | Tensor | Unbound | nest.Nest):
        return now is not begun
    node = maker(now)
    return node is not None and not node.graphs and node is not maker(begun)
