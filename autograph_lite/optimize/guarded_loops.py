"""Loops under a condition that says that they make a turn.

    while np.sum(x) > 1:  ...   ->   if np.sum(x) > 1:  while np.sum(x) > 1:  ...
    for i in range(n):  ...     ->   if 0 < n:  for i in range(n):  ...

What the loop computes in every turn can then stand before it, though it warn: see
`loop_invariants`. The first test is made twice, so it must be short and change nothing.
"""
from __future__ import annotations

import operator

from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL
from ..ops.control_flow import CAST, COND, NOT, WHILE_LOOP
from ..ops.indexing import GETITEM, VIEW
from ..ops.ufuncs import UFUNC
from ..ops.view_calls import VIEW_CALL
from .rewriting import captured, constant, copy_subgraph, header, inline, node_for, replace_values

_LONGEST = 12
_PURE = (CONSTANT, UFUNC, CALL, GETITEM, VIEW, VIEW_CALL, DIM, SIZE, CAST, NOT, COND)


def guarded(graph: Graph, loop: Node, owners: dict[Graph, Node]) -> Graph | None:
    """Puts a loop into a branch that is taken if it makes a turn; None if it is best left.

    Args:
      graph: the graph that the loop stands in.
      loop: the loop.
      owners: the nodes that own subgraphs, to which that of the branch comes.
    """
    test = _test(loop)
    if test is None:
        return None
    position = graph.nodes.index(loop)
    (condition,) = inline(loop, test, graph, loop.inputs[: len(test.params)])
    cond = node_for(graph, COND, [condition], {'types': []}, site=loop.site)
    graph.nodes.insert(position + len(test.nodes), cond)
    cond.graphs.update((role, Graph(role, graph)) for role in ('true', 'false'))
    true, false = cond.graphs.values()
    owners.update({true: cond, false: cond})
    first, count = header(loop), len(loop.outputs)
    inputs, instead = (
        [inside(value, branch, owners) for value in loop.inputs] for branch in (true, false))
    false.outputs = instead[first - count : first]
    cond.attrs = {'types': loop.attrs['types']}
    cond.outputs = tuple(Value(graph, value.type, value.name, cond) for value in loop.outputs)
    replace_values(graph, dict(zip(loop.outputs, cond.outputs, strict=True)))
    move_loop(loop, true, inputs)
    return true


def _test(loop: Node) -> Graph | None:
    """A graph that tells of the first inputs of a loop whether it makes a turn."""
    if loop.op is WHILE_LOOP:
        test = copy_subgraph(loop.graphs['test'])
        nodes = list(test.walk())
        is_pure = all(node.op in _PURE and not node.effect for node in nodes)
        return test if is_pure and len(nodes) <= _LONGEST else None
    kind, *parts = loop.attrs['iterable']
    if 'test' in loop.graphs or kind != 'range' or constant(loop.inputs[parts[2]]) != 1:
        return None
    test = Graph('test')
    bounds = [Tensor(test.param(loop.inputs[part].type, 'bound')) for part in parts[:2]]
    with tracing_into(test):
        test.outputs = [as_value(operator.lt(*bounds))]
    return test


def inside(value: Value, graph: Graph, owners: dict[Graph, Node]) -> Value:
    """A value of the graph around a branch, in the branch; a number is known there, too."""
    number = constant(value)
    if number is None:
        return captured(value, graph, owners)
    assert value.node is not None
    graph.nodes.append(node_for(graph, CONSTANT, (), value.node.attrs, value.name))
    return graph.nodes[-1].outputs[0]


def move_loop(loop: Node, branch: Graph, inputs: list[Value]) -> None:
    """Moves a loop, which has left its graph, to a branch in it."""
    inside = dict(zip(loop.inputs, inputs, strict=True))
    loop.inputs = tuple(inputs)
    for inner in loop.graphs.values():
        inner.parent = branch
        inner.captures = [inside[value] for value in inner.captures]
    for value in loop.outputs:
        value.graph, value.name = branch, branch.unique(value.name)
    branch.nodes.append(loop)
    branch.outputs = list(loop.outputs)
