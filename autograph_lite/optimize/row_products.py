"""Products of the rows of an array with a matrix, computed all at once before the loop.

    for i in range(n):  y = g(x[i] @ w, y)   ->   p = x[:n] @ w;  for i in range(n):  y = g(p[i], y)
    for row in x:  y = g(row @ w, y)         ->   p = x @ w;  for row in p:  y = g(row, y)

`np.matmul` multiplies the matrices of a stack one by one as it would each alone, so the results are
the same to the last bit. That holds for stacks of matrices; a row that is a vector is multiplied by
other code than a matrix of them. The loop must take every row that is multiplied, and be short of
effects; the graph must not say itself that what NumPy warns of is raised.
"""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..graph.graph import Graph, Node, Value
from ..graph.types import ListType
from ..ops.calls import CALL
from ..ops.control_flow import FOR_LOOP
from ..ops.indexing import VIEW
from ..ops.template import Arguments, Sliced, Slot
from ..ops.ufuncs import UFUNC
from .changes import note
from .facts import Facts, seen, updated
from .iterables import Iterable, leaves, lengths, numbers
from .raising import warnings_raise
from .rewriting import captured, has_loops, header, loops, node_for, replace_values

# A product of more bytes is not kept.
_MOST_BYTES = 1 << 26
_OPERANDS = Arguments((Slot(0), Slot(1)))
_MATMUL = {'ufunc': 'numpy.matmul', 'arguments': _OPERANDS, 'operator': 'matmul'}


def row_products(graph: Graph) -> None:
    """Moves products of rows out of loops that take one row after the other."""
    move_products(graph, _is_product, 'row_products')


def move_products(graph: Graph, is_product: Callable[[Node], bool], rewrite: str) -> list[Node]:
    """Moves products of rows out of loops; the nodes that computed them there.

    Args:
      graph: the graph.
      is_product: whether a node gives, to the last bit, what `@` gives of its two inputs.
      rewrite: the name of the rewrite, for notes.
    """
    if not has_loops(graph) or warnings_raise(graph):
        return []
    motion = _Motion(graph, is_product)
    motion.visit(graph)
    for product in motion.moved:
        note(graph, rewrite, product)
    return motion.moved


def _is_product(node: Node) -> bool:
    is_matmul = node.op is UFUNC and node.attrs['ufunc'] == 'numpy.matmul'
    return is_matmul and node.attrs['arguments'] == _OPERANDS


class _Motion:
    def __init__(self, graph: Graph, is_product: Callable[[Node], bool]) -> None:
        self.moved: list[Node] = []
        self._is_product = is_product
        self._facts = Facts(graph)
        self._private = updated(graph, self._facts) | seen(graph, self._facts)
        self._owners: dict[Graph, Node] = {}

    def visit(self, graph: Graph) -> None:
        """The loops of a graph and its subgraphs."""
        for inner, loop in loops(graph, self._owners):
            if loop.op is not FOR_LOOP or 'test' in loop.graphs or loop.effect:
                continue
            for product in filter(self._is_product, list(loop.graphs['body'].nodes)):
                memory = {self._facts.buffer(v) for v in (*product.inputs, *product.outputs)}
                if self._private.isdisjoint(memory) and self._move(inner, loop, product):
                    self.moved.append(product)

    def _move(self, graph: Graph, loop: Node, product: Node) -> bool:
        """Moves a product, if it is one of a row and of a matrix from outside."""
        body = loop.graphs['body']
        outer = dict(zip(body.params[len(body.own_params) :], body.captures, strict=True))
        row, matrix = product.inputs
        place, taken = _place(loop, row), _taken(loop, row)
        if place is not None:
            x = loop.inputs[place]
        elif taken and row.node is not None and row.node.inputs[0] in outer:
            x = outer[row.node.inputs[0]]
        else:
            return False
        if matrix not in outer or not _is_stack(x, product):
            return False
        before: list[Node] = []
        if taken and taken != range((x.type.shape or ())[0] or 0):
            index = Sliced(taken.start or None, taken.stop, None)
            before = [node_for(graph, VIEW, [x], {'index': index}, x.name, product.site)]
            x = before[0].outputs[0]
        name, site = product.outputs[0].name, product.site
        attrs = product.attrs if product.op is UFUNC else _MATMUL
        whole = node_for(graph, UFUNC, [x, outer[matrix]], attrs, name, site)
        position = graph.nodes.index(loop)
        graph.nodes[position:position] = [*before, whole]
        if taken:
            stack = captured(whole.outputs[0], body, self._owners)
            result = _indexed(product, stack, taken.start)
        else:
            assert place is not None
            result = _iterated(loop, place, product, whole.outputs[0])
        whole.merged = [*product.merged, *(row.node.sites if row.node is not None else ())]
        body.nodes.remove(product)
        replace_values(body, {product.outputs[0]: result})
        return True


def _taken(loop: Node, row: Value) -> range | None:
    """The rows that a loop takes of an array, if this one is `x[i]` for its counter."""
    node, turns = row.node, numbers(loop)
    if node is None or node.op is not VIEW or node.attrs['index'] != Slot(1):
        return None
    shape = node.inputs[0].type.shape
    if node.inputs[1] is not loop.graphs['body'].own_params[0] or not shape:
        return None
    if not turns or abs(turns.step) != 1:
        return None
    first, last = sorted((turns[0], turns[-1]))
    return range(first, last + 1) if first >= 0 and last < (shape[0] or 0) else None


def _place(loop: Node, row: Value) -> int | None:
    """Which source of a loop the row is one of, if the loop takes all its rows."""
    items = loop.graphs['body'].own_params
    if row not in items:
        return None
    sources = dict(zip(items, leaves(loop.attrs['iterable']), strict=False))
    turns = lengths(loop)
    match sources.get(row):
        case ('rows', int(place)) if len(turns) == 1 and None not in turns:
            return None if isinstance(loop.inputs[place].type, ListType) else place
    return None


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


def _indexed(product: Node, stack: Value, first: int) -> Value:
    """The row of the products that `x[i]` has there; they begin with that of row `first`."""
    row, result = product.inputs[0].node, product.outputs[0]
    assert row is not None
    body, counter = result.graph, row.inputs[1]
    nodes: list[Node] = []
    if first:
        arguments = Arguments((Slot(0), first))
        attrs = {
            'function': 'operator.sub', 'arguments': arguments, 'types': (counter.type,), 'pick': ()
        }  # fmt: skip
        nodes = [node_for(body, CALL, [counter], attrs, counter.name, row.site)]
        counter = nodes[0].outputs[0]
    part = node_for(body, VIEW, [stack, counter], row.attrs, result.name, product.site)
    part.merged = [*product.merged, *row.sites]
    position = body.nodes.index(product)
    body.nodes[position:position] = [*nodes, part]
    return part.outputs[0]


def _iterated(loop: Node, place: int, product: Node, stack: Value) -> Value:
    """The row of the products in each turn, of which the loop takes one after the other.

    They come in the place of the rows if nothing else reads those, and otherwise beside them.
    """
    body, row = loop.graphs['body'], product.inputs[0]
    readers = [node for node in body.nodes if row in node.inputs]
    param = body.param(product.outputs[0].type, product.outputs[0].name)
    position = body.params.index(row)
    if readers == [product] and row not in body.outputs:
        inputs = list(loop.inputs)
        inputs[place] = stack
        loop.inputs = tuple(inputs)
        body.params[position] = body.params.pop()
        return param
    body.params.insert(position + 1, body.params.pop())
    first = header(loop) - len(loop.outputs)
    loop.inputs = (*loop.inputs[:first], stack, *loop.inputs[first:])
    loop.attrs = {**loop.attrs, 'iterable': _beside(loop.attrs['iterable'], place, first)}
    return param


def _beside(iterable: Iterable, place: int, new: int) -> Iterable:
    """The iterable with the rows of a new source after those of the source at a place."""
    if iterable == ('rows', place):
        return ('zip', iterable, ('rows', new))
    if iterable == ('reversed', ('rows', place)):
        return ('zip', iterable, ('reversed', ('rows', new)))
    kind, *parts = iterable
    found: list[Any] = []
    for part in parts:
        both = _beside(part, place, new) if isinstance(part, tuple) else part
        is_split = kind == 'zip' and both[0] == 'zip' != part[0]
        found += both[1:] if is_split else [both]
    return (kind, *found)
