"""Large arrays that a turn of a loop makes and drops are written to memory that is kept.

    for ...:  y = a * b; z = f(y, z)   ->   y = scratch.take()
                                            for ...:  np.multiply(a, b, out=y); z = f(y, z)
                                            scratch.give(y)

Nobody may have the array, nor a part of it, when the turn is over. It must lie in memory as a new
one would: as an ordered one does. From 128 kilobytes on, C may give memory back to the system when
a turn has left it, which then makes it anew, page by page; of smaller arrays it is taken for the
next one. Measured in processes of their own: 0.5 to 0.7 of the time for loops over arrays of 300
kilobytes and of two megabytes; where C keeps the memory anyhow, 1.0.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.names import stored_name
from ..graph.types import TensorType
from ..ops.scratch import GIVE, TAKE, Scratch
from ..ops.template import Arguments, Slot
from .buffer_reuse import is_elementwise, is_large, write_to
from .changes import note
from .facts import LOOPS, Facts, given_away
from .layouts import Layouts
from .order_checks import require_order
from .rewriting import add_state, constant, copy_graph, node_for

_LEAST_BYTES = 1 << 17
# More than this a program does not keep.
_MOST_BYTES = 1 << 25


def scratch(graph: Graph) -> Graph | None:
    """A copy of the graph that keeps memory; None if there is none to keep."""
    if not any(True for _, loop in _loops(graph) for _ in _large(loop)):
        return None
    return _Keeping(copy_graph(graph)).rewritten()


def _loops(graph: Graph) -> Iterator[tuple[Graph, Node]]:
    """Every loop, and the graph that it stands in."""
    for node in graph.nodes:
        for inner in node.graphs.values():
            yield from _loops(inner)
        if node.op in LOOPS:
            yield graph, node


def _large(loop: Node) -> Iterator[Node]:
    """The nodes of a loop's body that make a large array."""
    for node in loop.graphs['body'].nodes:
        if len(node.outputs) == 1 and is_elementwise(node) and is_large(node.outputs[0]):
            if node.attrs['operator'] == 'pow' and not _is_square(node):
                continue
            if _LEAST_BYTES <= _size(node.outputs[0].type) <= _MOST_BYTES:
                yield node


def _is_square(node: Node) -> bool:
    """Whether this is `x ** 2`, which NumPy takes for `np.square(x)`; other powers it may not."""
    exponent = constant(node.inputs[1])
    return type(exponent) is int and exponent == 2 and node.inputs[0].type.dtype.kind in 'fc'


def _square(node: Node) -> None:
    node.inputs = node.inputs[:1]
    node.attrs = {
        'ufunc': 'numpy.square', 'arguments': Arguments((Slot(0),)), 'operator': ''}


def _size(type_: TensorType) -> int:
    return math.prod(n or 0 for n in type_.shape or ()) * type_.dtype.itemsize


class _Keeping:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._facts = Facts(graph)
        self._layouts = Layouts(graph)
        self._given_away = given_away(graph, self._facts)
        self._checked: set[Value] = set()
        self._names: dict[Value, list[Value]] = {}
        self._collect(graph)

    def _collect(self, graph: Graph) -> None:
        """Notes the names of each memory."""
        made = (value for node in graph.nodes for value in node.outputs)
        for value in (*graph.params, *made):
            self._names.setdefault(self._facts.buffer(value), []).append(value)
        for node in graph.nodes:
            for inner in node.graphs.values():
                self._collect(inner)

    def rewritten(self) -> Graph | None:
        """The graph, after its loops were looked at."""
        found = [(*place, self._temporaries(place[1])) for place in _loops(self._graph)]
        for graph, loop, nodes in found:
            if nodes:
                self._keep(graph, loop, nodes)
        require_order(self._graph, self._checked)
        return self._graph if any(nodes for _, _, nodes in found) else None

    def _temporaries(self, loop: Node) -> list[Node]:
        """The nodes of a loop's body whose large result no one has after the turn."""
        body, room = loop.graphs['body'], _MOST_BYTES
        found: list[Node] = []
        for node in _large(loop):
            value = node.outputs[0]
            needed = self._layouts.of(value).ordered
            if needed is not None and _size(value.type) <= room and self._ends(value, body):
                self._checked |= needed
                found.append(node)
                room -= _size(value.type)
        return found

    def _ends(self, value: Value, body: Graph) -> bool:
        """Whether the value's memory is the body's own, and known there only."""
        buffer = self._facts.buffer(value)
        roots = {self._facts.root(name) for name in self._names[buffer]}
        results = {self._facts.root(result) for result in body.outputs}
        return (
            buffer not in self._given_away
            and all(root.graph is body and root.node is not None for root in roots)
            and roots.isdisjoint(results)
        )

    def _keep(self, graph: Graph, loop: Node, nodes: list[Node]) -> None:
        """Has the loop write what the nodes make to memory that it has as state."""
        types = tuple(node.outputs[0].type for node in nodes)
        attrs = {'scratch': Scratch(types), 'types': types}
        take = node_for(graph, TAKE, (), attrs)
        results: list[Value] = []
        for node, memory in zip(nodes, take.outputs, strict=True):
            value = node.outputs[0]
            versions = list(_versions(value, loop.graphs['body']))
            memory.name = value.name = next(filter(None, map(_name, versions)), value.name)
            state, result = add_state(loop, graph, memory, versions[-1])
            state.name, value.name = value.name, state.name
            if node.attrs['operator'] == 'pow':
                _square(node)
            write_to(node, state)
            results.append(result)
            note(self._graph, 'scratch', node)
        position = graph.nodes.index(loop)
        give = node_for(graph, GIVE, results, {'scratch': attrs['scratch']})
        graph.nodes[position : position + 1] = [take, loop, give]


def _name(value: Value) -> str | None:
    """What the user calls an array."""
    return None if value.node is None else stored_name(value.node.site)


def _versions(value: Value, graph: Graph) -> Iterator[Value]:
    """The array as it is made, and after each node of the graph that writes to it."""
    yield value
    for node in graph.nodes:
        if node.op.updates and node.inputs[0] is value:
            value = node.outputs[0]
            yield value
