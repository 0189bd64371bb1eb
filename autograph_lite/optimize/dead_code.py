"""Dead code: what nobody reads is not computed.

    y = f(x)                     ->                          if y is not read and f has no effect
    a, b = cond(p, t, f)         ->  a = cond(p, t', f')     if b is not read
    a, b = while_loop(...)       ->  a = while_loop(...)     if b is read neither after the loop
                                                             nor by what the loop needs otherwise
"""
from __future__ import annotations

from collections.abc import Iterable

from ..graph.graph import Graph, Node, Value
from ..ops.control_flow import COND, FUNCTION, TRY
from ..ops.raising import may_raise
from .rewriting import header, keep_captures, keep_outputs


def dead_code(graph: Graph) -> None:
    """Removes nodes, results of branches, loop state and captures that nothing needs.

    What is dropped may have been all that needed something in another block, so it goes on until
    nothing is found.
    """
    size = None
    while size != (size := _size(graph)):
        _sweep(graph)


def _size(graph: Graph) -> int:
    """How many nodes, inputs and results there are."""
    return sum(1 + len(node.inputs) + len(node.outputs) for node in graph.walk())


def _sweep(graph: Graph, is_tried: bool = False) -> None:
    """`is_tried` says that a `try` waits for what the nodes raise: those that may are needed."""
    live = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if not node.effect and live.isdisjoint(node.outputs):
            if not is_tried or not may_raise(node):
                continue
            node.attrs = {**node.attrs, 'effect': True}
        if is_tried or node.op in (TRY, FUNCTION):  # who calls a function again reads all results
            for role, inner in node.graphs.items():
                # A function that has a `try` may be called again in it.
                tries = role == 'try' or any(each.op is TRY for each in inner.walk())
                _sweep(inner, is_tried or tries)
        elif node.graphs:
            _prune(node, live)
        live.update(node.inputs)
        kept.append(node)
    graph.nodes = kept[::-1]


def _prune(node: Node, live: set[Value]) -> None:
    """Drops the outputs and captures that nothing needs, and what only they needed."""
    read = {i for i, output in enumerate(node.outputs) if output in live}
    if node.op is not COND:
        read = _needed_state(node, read)
    if len(read) < len(node.outputs):
        keep_outputs(node, sorted(read))
    for graph in node.graphs.values():
        _sweep(graph)
    first = header(node)
    used = [_needed(graph, graph.outputs) for graph in node.graphs.values()]
    captures = range(len(node.inputs) - first)
    kept = [
        i
        for i in captures
        if any(
            graph.params[len(graph.own_params) + i] in values
            for graph, values in zip(node.graphs.values(), used, strict=True)
        )
    ]
    if len(kept) < len(captures):
        keep_captures(node, kept)


def _needed_state(node: Node, read: set[int]) -> set[int]:
    """The state that is read after the loop, and the state that this state depends on."""
    body = node.graphs['body']
    count = len(node.outputs)
    items = len(body.own_params) - count
    test = node.graphs.get('test')
    asked = _needed(test, test.outputs) if test is not None else set()
    needed = read | {i for i in range(count) if test is not None and test.params[i] in asked}
    while True:
        values = _needed(body, [body.outputs[i] for i in sorted(needed)])
        more = {i for i in range(count) if body.params[items + i] in values} - needed
        if not more:
            return needed
        needed |= more


def _needed(graph: Graph, outputs: Iterable[Value]) -> set[Value]:
    """The values that these outputs, and the graph's effects, depend on."""
    needed = set(outputs)
    for node in reversed(graph.nodes):
        if node.effect or not needed.isdisjoint(node.outputs):
            needed.update(node.inputs)
    return needed
