"""What a rewrite did to the nodes that stood in a graph before it, for people to see."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..graph.graph import Change, Graph, Node, Op
from ..graph.tracing import CONSTANT

# Of a graph: itself, its nodes, what each of them does, of what values, and the results.
Form = tuple[Graph, list[Node], list[Op], list[Any], list[Any]]


@dataclass
class State:
    """Every node of a graph, with the subgraph that it stands in and what it does.

    Attributes:
      form: what is in the graph and in each subgraph.
      used: what something uses.
      needed: what the results or an effect depend on.
    """

    form: list[Form]
    nodes: dict[Node, tuple[Graph, Op]] = field(default_factory=dict)
    used: set[Node | None] = field(default_factory=set)
    needed: set[Node | None] = field(default_factory=set)


def state_of(graph: Graph, before: State | None = None) -> State:
    """The state of a graph between two rewrites: the one before if nothing is different now."""
    form = list(_form(graph))
    if before is not None and form == before.form:
        return before
    state = State(form)
    _note(graph, state, is_needed=True)
    return state


def _form(graph: Graph) -> Iterator[Form]:
    nodes = graph.nodes
    yield (
        graph, list(nodes), [node.op for node in nodes], [node.inputs for node in nodes],
        list(graph.outputs))
    for owner in [node for node in nodes if node.graphs]:
        for inner in owner.graphs.values():
            yield from _form(inner)


def _note(graph: Graph, state: State, is_needed: bool) -> None:
    if is_needed:
        state.needed.update([value.node for value in graph.outputs])
        for node in reversed(graph.nodes):
            if node.effect or node in state.needed:
                state.needed.update([node, *(value.node for value in node.inputs)])
    state.used.update([value.node for value in graph.outputs])
    state.used.update([value.node for node in graph.nodes for value in node.inputs])
    state.nodes.update([(node, (graph, node.op)) for node in graph.nodes])
    for owner in [node for node in graph.nodes if node.graphs]:
        for inner in owner.graphs.values():
            _note(inner, state, owner in state.needed)


def changes(rewrite: str, before: State, after: State) -> Iterator[Change]:
    """What became of the nodes that are no more what or where they were, or that nobody uses."""
    if before is after:
        return
    copies = {(op, node.site) for node, (_, op) in after.nodes.items() if node not in before.nodes}
    for node, (owner, op) in before.nodes.items():
        if node.site is None or op is CONSTANT:
            continue
        graph, now = after.nodes.get(node, (None, op))
        if graph is None:
            changed = (op, node.site) not in copies
        elif node not in before.needed:
            continue  # that it goes is all the news there will be of it
        else:
            changed = now is not op or _is_inside(owner, graph)
            changed |= node in before.used and node not in after.used
        if changed:
            yield Change(rewrite, op.name, node.site)


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
