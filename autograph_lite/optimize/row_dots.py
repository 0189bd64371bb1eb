"""Products of rows by `np.dot`, computed all at once before the loop, as those by `@` are.

    for row in x:  y = g(np.dot(row, w), y)   ->   p = x @ w;  for row in p:  y = g(row, y)

`dot` of a stack of matrices is other code than `dot` of two; `@` of it gives the same to the last
bit if the arrays lie in memory in order: see `products`, which has it the other way round.
Measured: 0.89 of the time of a loop with a hundred products of 8 by 16 and 16 by 32.
"""
from __future__ import annotations

from ..graph.graph import Graph, Node, Value
from ..ops.calls import CALL
from ..ops.template import Arguments, Slot
from .layouts import Layouts
from .order_checks import require_order
from .products import are_alike, order_needed
from .rewriting import LOOPS, copy_graph
from .row_products import move_products


def row_dots(graph: Graph) -> Graph | None:
    """A copy of the graph that makes products of rows before loops; None if there is none."""
    loops = (node for node in graph.walk() if node.op in LOOPS)
    if not any(_is_dot(node) for loop in loops for node in loop.graphs['body'].nodes):
        return None
    copy = copy_graph(graph)
    layouts = Layouts(copy)

    def needed(node: Node) -> frozenset[Value] | None:
        return order_needed(node, layouts) if _is_dot(node) else None

    moved = move_products(copy, lambda node: needed(node) is not None, 'row_dots')
    require_order(copy, frozenset().union(*(needed(node) or () for node in moved)))
    return copy if moved else None


def _is_dot(node: Node) -> bool:
    """Whether this is `np.dot(a, b)` or `a.dot(b)` that `@` gives, too."""
    return (
        node.op is CALL
        and node.attrs['function'] in ('numpy.dot', 'ndarray.dot')
        and node.attrs['arguments'] == Arguments((Slot(0), Slot(1)))
        and are_alike(node)
    )
