"""What stands in a `with`, as a node that owns it: pictures draw it as they draw a loop."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..ops.effects import END_WITH, WITHS


def with_blocks(graph: Graph) -> list[Node]:
    """The nodes of a graph, those of each `with` gathered in one. The graph stays as it is."""
    last = {value: i for i, node in enumerate(graph.nodes) for value in node.inputs}
    last.update(dict.fromkeys(graph.outputs, len(graph.nodes)))
    found: list[Node] = []
    around: list[tuple[Node, list[Node]]] = []
    into = found
    for position, node in enumerate(graph.nodes):
        if node.op in WITHS and not node.graphs:
            around.append((node, into))
            into = []
        elif node.op is END_WITH:
            (begin, outer), inside = around.pop(), into
            into = outer
            if inside:
                into.append(_gathered(begin, inside, graph, position, last))
        elif node.op is CONSTANT:
            found.append(node)  # it may be used anywhere
        else:
            into.append(node)
    return found


def _gathered(
    begin: Node, inside: Sequence[Node], graph: Graph, end: int, last: Mapping[Value, int]
) -> Node:
    """A node that owns those of a `with`.

    Args:
      begin: where the `with` begins.
      inside: what stands in it.
      graph: what it stands in.
      end: its position there.
      last: for each value, the position at which it is read last.
    """
    made = dict.fromkeys(value for node in inside for value in node.outputs)
    used = dict.fromkeys(v for node in inside for v in node.inputs if v not in made)
    given = [value for value in used if value.node is None or value.node.op is not CONSTANT]
    results = [value for value in made if last.get(value, 0) > end]
    block = Graph('with', graph, given, given, list(inside), results)
    return Node(begin.op, tuple(given), begin.attrs, tuple(results), {'with': block}, begin.site)
