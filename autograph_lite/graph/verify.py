"""The checks that every graph passes, after tracing and after every rewrite."""
from __future__ import annotations

from collections.abc import Mapping

from .graph import Graph, Node, Value


class InvalidGraphError(AssertionError):
    """A graph that no trace can make: a rewrite has a bug."""


def verify(graph: Graph) -> None:
    """Checks a graph and its subgraphs.

    Raises:
      InvalidGraphError: a value is used before it is defined, or captures or types disagree.
    """
    _check(graph.parent is None or not graph.captures, 'captures without an owner', graph)
    _verify(graph, {})


def _verify(graph: Graph, functions: Mapping[str, Graph]) -> None:
    """`functions` are those that a node of the graph can call."""
    defined: set[Value] = set()
    for param in graph.params:
        _define(param, graph, None, defined)
    for node in graph.nodes:
        for value in node.inputs:
            _check(value in defined, f'{node.op.name} reads {value.name} before it is made', graph)
        if node.graphs:
            _verify_owner(node, graph, functions)
        if node.op.name == 'recurse':
            _verify_call(node, functions.get(node.attrs['name']), graph)
        types = node.inferred_types()
        found = tuple(value.type for value in node.outputs)
        _check(found == types, f'{node.op.name} gives {types}, not {found}', graph)
        for value in node.outputs:
            _define(value, graph, node, defined)
    for value in graph.outputs:
        _check(value in defined, f'the output {value.name} is made nowhere', graph)


def _define(value: Value, graph: Graph, node: Node | None, defined: set[Value]) -> None:
    _check(value.graph is graph, f'{value.name} belongs to another graph', graph)
    _check(value.node is node, f'{value.name} belongs to another node', graph)
    _check(value not in defined, f'{value.name} is defined twice', graph)
    defined.add(value)


def _verify_owner(node: Node, graph: Graph, functions: Mapping[str, Graph]) -> None:
    name = node.op.name
    if 'function' in node.graphs:
        functions = {**functions, node.attrs['name']: node.graphs['function']}
    first = next(iter(node.graphs.values()))
    for role, inner in node.graphs.items():
        _check(inner.parent is graph, f'the parent of {name}.{role} is another graph', graph)
        _check(inner.captures == first.captures, f'{name}.{role}: its captures', graph)
        count = len(inner.captures)
        captured = node.inputs[len(node.inputs) - count :]
        _check(tuple(inner.captures) == captured, f'{name}.{role} captures other values', graph)
        params = inner.params[len(inner.params) - count :]
        for param, value in zip(params, captured, strict=True):
            _check(param.type == value.type, f'{name}.{role}: the type of {param.name}', graph)
        if role != 'test':
            _verify_results(node, role, inner)
        _verify(inner, functions)
    header = len(node.inputs) - len(first.captures)
    if 'body' in node.graphs:
        _verify_state(node, header)
    if 'function' in node.graphs:
        _check(not first.captures, f'{node.attrs["name"]} captures something', graph)
        _verify_call(node, first, graph)


def _verify_results(node: Node, role: str, inner: Graph) -> None:
    what = f'{node.op.name}.{role}'
    _check(len(inner.outputs) == len(node.outputs), f'{what}: the number of results', inner)
    for result, output in zip(inner.outputs, node.outputs, strict=True):
        same = (result.type.dtype, result.type.weak) == (output.type.dtype, output.type.weak)
        _check(same, f'{what} gives {result.type} for {output.name}: {output.type}', inner)


def _verify_state(node: Node, header: int) -> None:
    count = len(node.outputs)
    _check(node.attrs['state'] == count, f'{node.op.name}: the number of state values', None)
    for role, inner in node.graphs.items():
        own = inner.own_params
        state = own[len(own) - count :]
        _check(role == 'body' or state == own, f'{node.op.name}.{role}: its parameters', inner)
        for param, output in zip(state, node.outputs, strict=True):
            _check(param.type == output.type, f'{node.op.name}.{role}: {param.name}', inner)
    _check(header >= count, f'{node.op.name}: its state is missing', None)


def _verify_call(node: Node, function: Graph | None, graph: Graph) -> None:
    name = node.attrs['name']
    _check(function is not None, f'{name} is called outside of itself', graph)
    assert function is not None
    _check(len(node.inputs) == len(function.params), f'{name}: the number of arguments', graph)
    for value, param in zip(node.inputs, function.params, strict=True):
        same = (value.type.dtype, value.type.weak) == (param.type.dtype, param.type.weak)
        _check(same, f'{name} takes {param.type} for {param.name}, not {value.type}', graph)
    _check(len(node.outputs) == len(function.outputs), f'{name}: the number of results', graph)


def _check(holds: bool, problem: str, graph: Graph | None) -> None:
    if not holds:
        raise InvalidGraphError(f'{graph.name}: {problem}' if graph else problem)
