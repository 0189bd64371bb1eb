"""Products of the rows of an array with a matrix, computed all at once before the loop.

    for i in range(n):  y = g(x[i] @ w, y)   ->   p = x @ w;  for i in range(n):  y = g(p[i], y)
    for row in x:  y = g(row @ w, y)         ->   p = x @ w;  for row in p:  y = g(row, y)

`np.matmul` multiplies the matrices of a stack one by one as it would each alone, so the results are
the same to the last bit. That holds for stacks of matrices; a row that is a vector is multiplied by
other code than a matrix of them. The loop must take every row, and be short of effects.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.types import ListType
from ..ops.control_flow import FOR_LOOP
from ..ops.indexing import VIEW
from ..ops.template import Slot
from ..ops.ufuncs import UFUNC
from .facts import Facts, seen, updated
from .rewriting import captured, constant, node_for, replace_values

# A product of more bytes is not kept.
_MOST_BYTES = 1 << 26


def row_products(graph: Graph) -> None:
    """Moves products of rows out of loops that take one row after the other."""
    facts = Facts(graph)
    _visit(graph, {}, facts, updated(graph, facts) | seen(graph, facts))


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
        for product, x in list(_products(node)):
            memory = {facts.buffer(value) for value in (x, *product.inputs, *product.outputs)}
            if private.isdisjoint(memory):
                _move(graph, node, product, x, owners)


def _products(loop: Node) -> Iterator[tuple[Node, Value]]:
    """The products of the body that are of a row of an array and of a matrix from outside."""
    body = loop.graphs['body']
    outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
    for node in body.nodes:
        if node.op is not UFUNC or node.attrs['ufunc'] != 'numpy.matmul':
            continue
        if node.attrs['arguments'].kwargs or node.inputs[1] not in outer:
            continue
        x = _source(loop, node) or _indexed(loop, node.inputs[0].node, outer)
        if x is not None and _is_stack(x, node):
            yield node, x


def _source(loop: Node, product: Node) -> Value | None:
    """The array that the loop runs over, if only the product reads its rows."""
    body, row, (kind, *parts) = loop.graphs['body'], product.inputs[0], loop.attrs['iterable']
    if kind != 'rows' or row is not body.own_params[0] or row in body.outputs:
        return None
    x = loop.inputs[parts[0]]
    is_sole = [node for node in body.nodes if row in node.inputs] == [product]
    return x if is_sole and not isinstance(x.type, ListType) else None


def _indexed(loop: Node, row: Node | None, outer: dict[Value, Value]) -> Value | None:
    """The array of which the row is `x[i]` for the counter of a loop that counts all of them."""
    kind, *parts = loop.attrs['iterable']
    if row is None or row.op is not VIEW or row.attrs['index'] != Slot(1) or kind != 'range':
        return None
    bounds = [constant(loop.inputs[part]) for part in parts]
    length = (row.inputs[0].type.shape or (None,))[0]
    is_counter = row.inputs[1] is loop.graphs['body'].own_params[0]
    takes_all = is_counter and bool(length) and bounds == [0, length, 1]
    return outer.get(row.inputs[0]) if takes_all else None


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
    graph: Graph, loop: Node, product: Node, x: Value, owners: dict[Graph, Node]
) -> None:
    body, (row, matrix), name = loop.graphs['body'], product.inputs, product.outputs[0].name
    outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
    whole = node_for(graph, UFUNC, [x, outer[matrix]], product.attrs, name, product.site)
    graph.nodes.insert(graph.nodes.index(loop), whole)
    position = body.nodes.index(product)
    if row.node is None:
        place = loop.attrs['iterable'][1]
        loop.inputs = (*loop.inputs[:place], whole.outputs[0], *loop.inputs[place + 1 :])
        part = body.param(product.outputs[0].type, name)
        body.params[body.params.index(row)] = body.params.pop()
        del body.nodes[position]
    else:
        stack = captured(whole.outputs[0], body, owners)
        inputs, attrs = [stack, row.node.inputs[1]], row.node.attrs
        body.nodes[position] = node_for(body, VIEW, inputs, attrs, name, product.site)
        part = body.nodes[position].outputs[0]
    replace_values(body, {product.outputs[0]: part})
