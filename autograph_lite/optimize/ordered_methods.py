"""Operations in loops that a method of the first operand does faster where arrays are in order."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from ..graph.graph import Graph, Node, Value
from ..ops.calls import CALL
from ..ops.template import Arguments
from .changes import note
from .layouts import If, Layouts
from .order_checks import require_order
from .rewriting import LOOPS, copy_graph


def ordered_methods(
    graph: Graph,
    name: str,
    is_one: Callable[[Node], bool],
    needed: Callable[[Node, Layouts], If],
    method: str,
    arguments: Arguments,
) -> Graph | None:
    """A copy of the graph in which the method does what nodes in loops do; None if there is none.

    What is done once gains less than looking at the arguments costs.

    Args:
      graph: the graph, which stays as it is.
      name: the name of the rewrite, for notes.
      is_one: whether a node can be replaced.
      needed: the arguments that must lie in order for that; None if nothing can make sure of it.
      method: the name of the method of the first operand.
      arguments: its arguments, over the operands of the node.
    """
    if not any(map(is_one, _in_loops(graph))):
        return None
    copy = copy_graph(graph)
    layouts = Layouts(copy)
    checked: set[Value] = set()
    found = False
    for node in filter(is_one, _in_loops(copy)):
        params = needed(node, layouts)
        if params is None:
            continue
        found = True
        note(copy, name, node)
        checked |= params
        types = tuple(value.type for value in node.outputs)
        node.op = CALL
        node.attrs = {
            'function': f'ndarray.{method}', 'arguments': arguments, 'types': types, 'pick': ()
        }  # fmt: skip
    require_order(copy, checked)
    return copy if found else None


def _in_loops(graph: Graph, in_loop: bool = False) -> Iterator[Node]:
    for node in graph.nodes:
        if in_loop:
            yield node
        for inner in node.graphs.values():
            yield from _in_loops(inner, in_loop or node.op in LOOPS)
