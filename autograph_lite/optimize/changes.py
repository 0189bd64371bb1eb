"""What a rewrite did to the nodes that stood in a graph before it, for people to see."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..graph.graph import Change, Graph, Node, Op, Value
from ..graph.tracing import CONSTANT


@dataclass
class State:
    """Every node of a graph, with the subgraph that it stands in and what it does; what is used."""

    nodes: dict[Node, tuple[Graph, Op]] = field(default_factory=dict)
    used: set[Value] = field(default_factory=set)


def state_of(graph: Graph) -> State:
    """The state of a graph between two rewrites."""
    state = State()
    _note(graph, state)
    return state


def _note(graph: Graph, state: State) -> None:
    state.used.update(graph.outputs)
    for node in graph.nodes:
        state.nodes[node] = graph, node.op
        state.used.update(node.inputs)
        for inner in node.graphs.values():
            _note(inner, state)


def changes(rewrite: str, before: State, after: State) -> Iterator[Change]:
    """What became of the nodes that are no more what or where they were, or that nobody uses."""
    copies = {(op, node.site) for node, (_, op) in after.nodes.items() if node not in before.nodes}
    for node, (owner, op) in before.nodes.items():
        if node.site is None or op is CONSTANT:
            continue
        graph, now = after.nodes.get(node, (None, op))
        if graph is None:
            changed = (op, node.site) not in copies
        else:
            changed = now is not op or _is_inside(owner, graph)
            changed |= _is_used(node, before) and not _is_used(node, after)
        if changed:
            yield Change(rewrite, op.name, node.site)


def _is_used(node: Node, state: State) -> bool:
    return any(output in state.used for output in node.outputs)


def _is_inside(graph: Graph, outer: Graph) -> bool:
    """Whether a graph is part of a node of another."""
    parent = graph.parent
    while parent is not None and parent is not outer:
        parent = parent.parent
    return parent is not None


def note(graph: Graph, rewrite: str, node: Node) -> None:
    """Notes in a graph that a rewrite made another node of one of its nodes."""
    if node.site is not None:
        graph.changes.append(Change(rewrite, node.op.name, node.site))
