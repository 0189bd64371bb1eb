"""Loop-invariant code motion: what is the same every turn is computed once, before the loop.

    for i in range(9):  y = g(f(x), y)   ->   a = f(x);  for i in range(9):  y = g(a, y)

What may raise or warn is only moved out of a loop that surely makes a turn and has no effect, and
past nothing that may raise itself; what can do neither is moved out of any loop. Where a short test
tells whether there is a turn, that is asked before: see `guarded_loops`. Memory that
somebody modifies or returns is made where it was made.
"""
from __future__ import annotations

from collections.abc import Sequence

from ..graph.graph import Graph, Node, Op, Value
from ..graph.tracing import CONSTANT
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL
from ..ops.control_flow import FOR_LOOP
from ..ops.indexing import GETITEM, VIEW
from ..ops.ufuncs import UFUNC
from ..ops.view_calls import VIEW_CALL
from .facts import Facts, seen, updated
from .guarded_loops import guarded
from .iterables import lengths
from .raising import may_raise, warnings_raise
from .rewriting import captured, constant, has_loops, loops, node_for, replace_values

_MOVED = (UFUNC, CALL, VIEW_CALL, VIEW, GETITEM, DIM, SIZE)
# What neither raises nor warns.
_SURE = (DIM, SIZE, VIEW_CALL)


def loop_invariants(graph: Graph) -> None:
    """Moves what does not depend on the turn out of loops, innermost loops first."""
    if has_loops(graph):
        _Motion(graph).visit(graph)


class _Motion:
    def __init__(self, graph: Graph) -> None:
        self._facts = Facts(graph)
        self._updated = updated(graph, self._facts)
        self._seen = seen(graph, self._facts)
        self._owners: dict[Graph, Node] = {}
        self._warnings_raise = warnings_raise(graph)

    def visit(self, graph: Graph) -> None:
        """The loops of a graph and its subgraphs."""
        for inner, loop in loops(graph, self._owners):
            self._empty(inner, loop)

    def _empty(self, graph: Graph, loop: Node) -> None:
        """Moves nodes of the loop's body out of it."""
        has_effect = loop.graphs['body'].effect
        is_sure = surely_turns(loop) and not has_effect
        self._move(graph, loop, self._invariants(loop, _MOVED if is_sure else _SURE))
        if is_sure or has_effect or self._warnings_raise:
            return
        nodes = self._invariants(loop, _MOVED)
        if any(_is_worth_a_test(node) for node in nodes):
            branch = guarded(graph, loop, self._owners)
            if branch is not None:
                self._move(branch, loop, nodes)

    def _invariants(self, loop: Node, allowed: Sequence[Op]) -> list[Node]:
        """Those nodes of the loop's body that may stand before it."""
        body = loop.graphs['body']
        outside = set(body.params[len(body.own_params) :])
        found: list[Node] = []
        is_after_raising = False
        for node in body.nodes:
            raises = self._may_raise(node, loop)
            overtakes = raises and is_after_raising
            if node.op in allowed and not overtakes and self._may_move(node, outside):
                found.append(node)
                outside.update(node.outputs)
            else:
                is_after_raising |= raises
        return found

    def _move(self, graph: Graph, loop: Node, nodes: list[Node]) -> None:
        """Moves nodes of the loop's body to the graph that the loop stands in."""
        body = loop.graphs['body']
        outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
        before: list[Node] = []
        replaced: dict[Value, Value] = {}
        for node in nodes:
            for value in [value for value in node.inputs if value not in outer]:
                assert value.node is not None
                before.append(node_for(graph, CONSTANT, (), value.node.attrs, value.name))
                outer[value] = before[-1].outputs[0]
            node.inputs = tuple(outer[value] for value in node.inputs)
            before.append(node)
            for value in node.outputs:
                value.graph, value.name = graph, graph.unique(value.name)
                outer[value] = value
                replaced[value] = captured(value, body, self._owners)
        gone = set(nodes)
        body.nodes = [node for node in body.nodes if node not in gone]
        replace_values(body, replaced)
        position = graph.nodes.index(loop)
        graph.nodes[position:position] = before

    def _may_raise(self, node: Node, loop: Node) -> bool:
        if node.op in (CONSTANT, *_SURE):
            return False
        return self._warnings_raise or may_raise(node, loop)

    def _may_move(self, node: Node, outside: set[Value]) -> bool:
        """Whether all that the node reads is there before the loop, and is the same all along."""
        memory = {self._facts.buffer(v) for v in node.inputs if v.type.kind == 'array'}
        made = {self._facts.buffer(v) for v in node.outputs if v.type.kind == 'array'}
        return (
            all(value in outside or constant(value) is not None for value in node.inputs)
            and self._updated.isdisjoint(memory | made)
            and self._seen.isdisjoint(made)
        )


def _is_worth_a_test(node: Node) -> bool:
    """Whether it takes longer than a short test."""
    types = [value.type for value in (*node.inputs, *node.outputs)]
    return node.op in (UFUNC, CALL) and any(type_.kind == 'array' for type_ in types)


def surely_turns(loop: Node) -> bool:
    """Whether the loop makes a turn, whatever it is given."""
    if loop.op is not FOR_LOOP or 'test' in loop.graphs:
        return False
    return lengths(loop).isdisjoint((None, 0))
