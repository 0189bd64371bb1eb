"""Loop-invariant code motion: what is the same every turn is computed once, before the loop.

    for i in range(9):  y = g(f(x), y)   ->   a = f(x);  for i in range(9):  y = g(a, y)

What may raise or warn is only moved out of a loop that surely makes a turn and has no effect; what
can do neither is moved out of any loop. Memory that somebody modifies or returns is made where it
was made.
"""
from __future__ import annotations

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL, VIEW_CALL
from ..ops.control_flow import FOR_LOOP
from ..ops.indexing import GETITEM, VIEW
from ..ops.ufuncs import UFUNC
from .facts import LOOPS, Facts
from .rewriting import captured, constant, node_for, replace_values

_MOVED = (UFUNC, CALL, VIEW_CALL, VIEW, GETITEM, DIM, SIZE)
# What neither raises nor warns.
_SURE = (DIM, SIZE, VIEW_CALL)


def loop_invariants(graph: Graph) -> None:
    """Moves what does not depend on the turn out of loops, innermost loops first."""
    _Motion(graph).visit(graph)


class _Motion:
    def __init__(self, graph: Graph) -> None:
        self._facts = Facts(graph)
        buffer = self._facts.buffer
        self._updated = {buffer(n.inputs[0]) for n in graph.walk() if n.op.updates}
        self._returned = {buffer(value) for value in graph.outputs}
        self._owners: dict[Graph, Node] = {}

    def visit(self, graph: Graph) -> None:
        """The loops of a graph and its subgraphs."""
        for node in list(graph.nodes):
            for inner in node.graphs.values():
                self._owners[inner] = node
            for inner in node.graphs.values():
                self.visit(inner)
            if node.op in LOOPS:
                self._empty(graph, node)

    def _empty(self, graph: Graph, loop: Node) -> None:
        """Moves nodes of the loop's body to the graph that the loop stands in."""
        body = loop.graphs['body']
        outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
        allowed = _MOVED if surely_turns(loop) and not body.effect else _SURE
        before: list[Node] = []
        gone: set[Node] = set()
        replaced: dict[Value, Value] = {}
        for node in body.nodes:
            if node.op not in allowed or not self._may_move(node, outer):
                continue
            constants = [value for value in node.inputs if value not in outer]
            for value in constants:
                assert value.node is not None
                before.append(node_for(graph, CONSTANT, (), value.node.attrs, value.name))
                outer[value] = before[-1].outputs[0]
            node.inputs = tuple(outer[value] for value in node.inputs)
            gone.add(node)
            before.append(node)
            for value in node.outputs:
                value.graph, value.name = graph, graph.unique(value.name)
                outer[value] = value
                replaced[value] = captured(value, body, self._owners)
        body.nodes = [node for node in body.nodes if node not in gone]
        replace_values(body, replaced)
        position = graph.nodes.index(loop)
        graph.nodes[position:position] = before

    def _may_move(self, node: Node, outer: dict[Value, Value]) -> bool:
        """Whether all that the node reads is there before the loop, and is the same all along."""
        if not any(value in outer for value in node.inputs):
            return False
        memory = {self._facts.buffer(v) for v in node.inputs if v.type.kind == 'array'}
        made = {self._facts.buffer(v) for v in node.outputs if v.type.kind == 'array'}
        return (
            all(value in outer or constant(value) is not None for value in node.inputs)
            and self._updated.isdisjoint(memory | made)
            and self._returned.isdisjoint(made)
        )


def surely_turns(loop: Node) -> bool:
    """Whether the loop makes a turn, whatever it is given."""
    if loop.op is not FOR_LOOP or 'test' in loop.graphs:
        return False
    kind, *parts = loop.attrs['iterable']
    if kind == 'range':
        bounds = [constant(loop.inputs[part]) for part in parts]
        return None not in bounds and bounds[2] != 0 and len(range(*bounds)) > 0
    shape = loop.inputs[parts[0]].type.shape if kind == 'rows' else None
    return bool(shape and shape[0])
