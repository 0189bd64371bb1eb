"""Products of the rows of an array with a matrix, computed all at once before the loop.

    for i in range(n):  y = g(x[i] @ w, y)   ->   p = x @ w;  for i in range(n):  y = g(p[i], y)

`np.matmul` multiplies the matrices of a stack one by one as it would each alone, so the results are
the same to the last bit. That holds for stacks of matrices; a row that is a vector is multiplied by
other code than a matrix of them. The loop must take every row, and be short of effects.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..ops.control_flow import FOR_LOOP
from ..ops.indexing import VIEW
from ..ops.template import Slot
from ..ops.ufuncs import UFUNC
from .facts import Facts
from .rewriting import captured, constant, node_for, replace_values

# A product of more bytes is not kept.
_MOST_BYTES = 1 << 26


def row_products(graph: Graph) -> None:
    """Moves products of rows out of loops that take one row after the other."""
    facts = Facts(graph)
    updated = {facts.buffer(n.inputs[0]) for n in graph.walk() if n.op.updates}
    returned = {facts.buffer(value) for value in graph.outputs}
    _visit(graph, {}, facts, updated | returned)


def _visit(
    graph: Graph, owners: dict[Graph, Node], facts: Facts, private: set[Value]
) -> None:
    for node in list(graph.nodes):
        for inner in node.graphs.values():
            owners[inner] = node
        for inner in node.graphs.values():
            _visit(inner, owners, facts, private)
        if node.op is not FOR_LOOP or 'test' in node.graphs or node.effect:
            continue
        for product, row in list(_products(node)):
            inputs = (row.inputs[0], product.inputs[1])
            memory = {facts.buffer(value) for value in (*inputs, *product.outputs)}
            if private.isdisjoint(memory):
                _move(graph, node, product, row, owners)


def _products(loop: Node) -> Iterator[tuple[Node, Node]]:
    """The products of the body that are of a row and of a matrix from outside."""
    body = loop.graphs['body']
    outside = body.params[len(body.own_params) :]
    for node in body.nodes:
        if node.op is not UFUNC or node.attrs['ufunc'] != 'numpy.matmul':
            continue
        row = node.inputs[0].node
        if row is None or row.op is not VIEW or node.attrs['arguments'].kwargs:
            continue
        invariant = node.inputs[1] in outside and row.inputs[0] in outside
        if invariant and _takes_all(loop, row) and _is_stack(row.inputs[0], node):
            yield node, row


def _takes_all(loop: Node, row: Node) -> bool:
    """Whether the row is `x[i]` for the counter of a loop that counts all of them."""
    kind, *parts = loop.attrs['iterable']
    if kind != 'range' or row.attrs['index'] != Slot(1):
        return False
    bounds = [constant(loop.inputs[part]) for part in parts]
    length = row.inputs[0].type.shape
    counter = loop.graphs['body'].own_params[0]
    return (
        row.inputs[1] is counter and length is not None and bool(length[0])
        and bounds == [0, length[0], 1]
    )  # fmt: skip


def _is_stack(x: Value, product: Node) -> bool:
    """Whether this is a stack of matrices times a matrix of the same type, not too large."""
    row, matrix = product.inputs
    result = product.outputs[0].type
    shapes = (x.type.shape, matrix.type.shape, result.shape)
    if any(shape is None or None in shape for shape in shapes):
        return False
    count = math.prod(n or 0 for n in (*(x.type.shape or ())[:1], *(result.shape or ())))
    return (
        len(row.type.shape or ()) == len(matrix.type.shape or ()) == 2
        and row.type.dtype == matrix.type.dtype == result.dtype
        and count * result.dtype.itemsize <= _MOST_BYTES
    )


def _move(
    graph: Graph, loop: Node, product: Node, row: Node, owners: dict[Graph, Node]
) -> None:
    body = loop.graphs['body']
    outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
    inputs = [outer[row.inputs[0]], outer[product.inputs[1]]]
    name = product.outputs[0].name
    whole = node_for(graph, UFUNC, inputs, product.attrs, name, product.site)
    graph.nodes.insert(graph.nodes.index(loop), whole)
    stack = captured(whole.outputs[0], body, owners)
    part = node_for(body, VIEW, [stack, row.inputs[1]], row.attrs, name, product.site)
    body.nodes[body.nodes.index(product)] = part
    replace_values(body, {product.outputs[0]: part.outputs[0]})
