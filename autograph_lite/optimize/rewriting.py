"""What rewrites do to a graph: replace values, drop what nobody reads, move nodes."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Attrs, Graph, Node, Op, Value
from ..graph.sites import Site
from ..graph.tracing import CONSTANT
from ..ops.control_flow import COND


def replace_values(graph: Graph, replaced: Mapping[Value, Value]) -> None:
    """Makes every reader in the graph read another value; subgraphs follow by their captures."""
    if not replaced:
        return
    for node in graph.nodes:
        if any(value in replaced for value in node.inputs):
            node.inputs = tuple(replaced.get(value, value) for value in node.inputs)
        for inner in node.graphs.values():
            inner.captures = [replaced.get(value, value) for value in inner.captures]
    graph.outputs = [replaced.get(value, value) for value in graph.outputs]


def with_numbers(
    graph: Graph, numbers: dict[Value, Any] | None = None
) -> Iterator[tuple[Graph, Node, dict[Value, Any]]]:
    """Every node, the graph that it stands in, and the numbers that are constants there."""
    numbers = {} if numbers is None else numbers
    for node in list(graph.nodes):
        if node.op is CONSTANT and not isinstance(node.attrs['value'], np.ndarray):
            numbers[node.outputs[0]] = node.attrs['value']
        yield graph, node, numbers
        for inner in node.graphs.values():
            captured = zip(inner.params[len(inner.own_params) :], inner.captures, strict=True)
            known = {param: numbers[value] for param, value in captured if value in numbers}
            yield from with_numbers(inner, known)


def constant(value: Value) -> Any:
    """The number that the value is known to be; None if it is not."""
    node = value.node
    if node is None or node.op is not CONSTANT or isinstance(node.attrs['value'], np.ndarray):
        return None
    return node.attrs['value']


def header(node: Node) -> int:
    """How many of a node's inputs are not captures."""
    inner = next(iter(node.graphs.values()), None)
    return len(node.inputs) - (len(inner.captures) if inner else 0)


def keep_captures(node: Node, kept: Sequence[int]) -> None:
    """Drops all captures of the node's subgraphs but those at these positions."""
    first = header(node)
    node.inputs = node.inputs[:first] + tuple(node.inputs[first + i] for i in kept)
    for graph in node.graphs.values():
        own = graph.own_params
        params = graph.params[len(own) :]
        graph.params = own + [params[i] for i in kept]
        graph.captures = [graph.captures[i] for i in kept]


def keep_outputs(node: Node, kept: Sequence[int]) -> None:
    """Drops all outputs of a control-flow node but those at these positions.

    A loop's state goes with its outputs; nothing may read the parameters that stand for it.
    """
    count = len(node.outputs)
    node.attrs = {**node.attrs, 'types': [node.attrs['types'][i] for i in kept]}
    node.outputs = tuple(node.outputs[i] for i in kept)
    if node.op is COND:
        for graph in node.graphs.values():
            graph.outputs = [graph.outputs[i] for i in kept]
        return
    node.attrs['state'] = len(kept)
    first = header(node) - count
    state = node.inputs[first : first + count]
    node.inputs = (
        node.inputs[:first] + tuple(state[i] for i in kept) + node.inputs[first + count :]
    )
    for role, graph in node.graphs.items():
        items = len(graph.own_params) - count
        params = graph.params
        graph.params = (
            params[:items] + [params[items + i] for i in kept] + params[items + count :]
        )
        if role == 'body':
            graph.outputs = [graph.outputs[i] for i in kept]


def add_state(loop: Node, graph: Graph, start: Value, end: Value) -> tuple[Value, Value]:
    """Gives a loop one more state value; what it is in the body, and after the loop.

    Args:
      loop: the loop.
      graph: the graph that it stands in.
      start: what it is before the loop.
      end: what it is at the end of a turn, in the body.
    """
    first = header(loop)
    loop.inputs = (*loop.inputs[:first], start, *loop.inputs[first:])
    types = [*loop.attrs['types'], start.type]
    loop.attrs = {**loop.attrs, 'types': types, 'state': loop.attrs['state'] + 1}
    for inner in loop.graphs.values():
        inner.param(start.type, start.name)
        inner.params.insert(len(inner.own_params) - 1, inner.params.pop())
    body = loop.graphs['body']
    body.outputs.append(end)
    result = Value(graph, start.type, graph.unique(start.name), loop)
    loop.outputs += (result,)
    return body.own_params[-1], result


def inline(node: Node, graph: Graph, into: Graph, args: Sequence[Value]) -> list[Value]:
    """Moves a subgraph's nodes into the graph that its owner stands in; what its outputs are there.

    Args:
      node: the owner, which goes.
      graph: one of its subgraphs; it is used up.
      into: the graph that the owner stands in.
      args: values of `into` for the subgraph's parameters.
    """
    known = dict(zip(graph.params, args, strict=True))
    replace_values(graph, known)
    position = into.nodes.index(node)
    into.nodes[position : position + 1] = graph.nodes
    for moved in graph.nodes:
        for inner in moved.graphs.values():
            inner.parent = into
        for value in moved.outputs:
            value.graph = into
            value.name = into.unique(value.name)
    return graph.outputs


def copy_graph(graph: Graph) -> Graph:
    """The same graph made of other nodes and values; attributes are shared."""
    copy = _copy(graph, None, {})
    copy.changes = list(graph.changes)
    return copy


def _copy(graph: Graph, parent: Graph | None, known: dict[Value, Value]) -> Graph:
    copy = Graph(graph.name, parent, names=dict(graph.names))
    for param in graph.params:
        known[param] = Value(copy, param.type, param.name)
    copy.params = [known[param] for param in graph.params]
    copy.captures = [known[value] for value in graph.captures]
    for node in graph.nodes:
        graphs = {role: _copy(inner, copy, known) for role, inner in node.graphs.items()}
        inputs = tuple(known[value] for value in node.inputs)
        twin = Node(
            node.op, inputs, dict(node.attrs), graphs=graphs, site=node.site,
            merged=list(node.merged))
        twin.outputs = tuple(Value(copy, v.type, v.name, twin) for v in node.outputs)
        known.update(zip(node.outputs, twin.outputs, strict=True))
        copy.nodes.append(twin)
    copy.outputs = [known[value] for value in graph.outputs]
    return copy


def captured(value: Value, graph: Graph, owners: Mapping[Graph, Node]) -> Value:
    """What stands in the graph for a value of an enclosing one, which is captured if need be.

    Args:
      value: the value.
      graph: the graph in which it is wanted.
      owners: the nodes that own the graph and those around it.
    """
    if value.graph is graph:
        return value
    assert graph.parent is not None, 'the value belongs to no enclosing graph'
    outer = captured(value, graph.parent, owners)
    for known, param in zip(graph.captures, graph.params[len(graph.own_params) :], strict=True):
        if known is outer:
            return param
    owner = owners[graph]
    owner.inputs += (outer,)
    for inner in owner.graphs.values():
        inner.captures.append(outer)
        inner.param(outer.type, outer.name)
    return graph.params[-1]


def node_for(
    graph: Graph,
    op: Op,
    inputs: Sequence[Value] = (),
    attrs: Attrs | None = None,
    name: str = '',
    site: Site | None = None,
) -> Node:
    """A node of the graph that does not stand in it yet."""
    graph.add(op, inputs, attrs, site=site, names=[name] if name else ())
    return graph.nodes.pop()
