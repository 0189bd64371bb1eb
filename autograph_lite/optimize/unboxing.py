"""Unboxing: loops that compute with numbers do so with Python's own, which are faster.

    while n != 1:                      n = int(n)
        n = 3 * n + 1                  while n != 1:
                              ->           n = 3 * n + 1
                                           if abs(n) > 2 ** 53:
                                               raise OverflowError
                                       n = np.int64(n)

The graph that results gives the same or raises: where an integer might leave the range of int64,
and where a float overflows or is invalid, of which NumPy would warn. Whoever runs it runs the graph
as it was if it raises, so nothing in it may have an effect and no array from outside may change.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from ..graph.graph import Change, Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..graph.types import TensorType, python_scalar
from ..ops.calls import CALL
from ..ops.control_flow import CAST, COND, FOR_LOOP, MISSING, TRY
from ..ops.indexing import GETITEM, SETITEM
from ..ops.ufuncs import UFUNC
from ..ops.unboxed import (
    CHECK_FLOATS,
    CLEAR_FLOATS,
    ITEMS,
    READ,
    WRITE,
)
from .facts import LOOPS, writes_outside
from .integer_ranges import IntegerRanges
from .rewriting import captured, copy_graph, header, node_for
from .scalar_loops import BOOL, FLOAT, is_scalar_loop, python_ufunc


def unboxing(graph: Graph) -> Graph | None:
    """A copy of the graph that computes with Python's numbers in its loops; None if none does."""
    if not any(is_scalar_loop(node) for node in _outside_tries(graph) if node.op in LOOPS):
        return None
    if graph.effect or writes_outside(graph):
        return None
    copy = copy_graph(graph)
    loops = [node for node in copy.walk() if node.op in LOOPS and is_scalar_loop(node)]
    copy.changes += [Change('unboxing', loop.op.name, loop.site) for loop in loops if loop.site]
    _unbox(copy)
    return copy


def _outside_tries(graph: Graph) -> Iterator[Node]:
    for node in graph.nodes:
        yield node
        if node.op is not TRY:
            for inner in node.graphs.values():
                yield from _outside_tries(inner)


def _unbox(graph: Graph) -> None:
    for node in list(graph.nodes):
        if is_scalar_loop(node):
            _Region(graph, node).rewrite()
        elif node.op is not TRY:  # a handler might take what the checks raise for its own
            for inner in node.graphs.values():
                _unbox(inner)


class _Region:
    """One loop of a graph, and what is computed inside."""

    def __init__(self, graph: Graph, loop: Node) -> None:
        self._graph = graph
        self._loop = loop
        self._owners: dict[Graph, Node] = {}
        self._base: dict[Value, Value] = {}
        self._items: dict[Value, Node] = {}
        self._ranges = IntegerRanges(loop)
        self._floats = False

    def rewrite(self) -> None:
        """Converts what goes in, what is computed, and what comes out."""
        graph, loop = self._graph, self._loop
        before = self._unbox_inputs()
        self._base = {v: v for v in loop.inputs if v.type.kind == 'array'}
        results = self._box_outputs()
        self._inside(loop)
        if loop.op is FOR_LOOP:
            self._iterate_items()
        checks = self._ranges.checks(graph, loop, self._owners)
        before += [*self._items.values(), *checks]
        after = results
        if self._floats:
            before.append(node_for(graph, CLEAR_FLOATS))
            after = [node_for(graph, CHECK_FLOATS), *results]
        position = graph.nodes.index(loop)
        graph.nodes[position : position + 1] = [*before, loop, *after]

    # The border.

    def _unbox_inputs(self) -> list[Node]:
        """NumPy's scalars become Python numbers before the loop."""
        loop, made = self._loop, {}
        for value in loop.inputs:
            if value.type.kind == 'scalar' and value not in made:
                made[value] = self._cast(value, _unboxed(value.type), value.name)
                self._ranges.numpys(made[value].outputs[0])
        if not made:
            return []
        inputs = [made[v].outputs[0] if v in made else v for v in loop.inputs]
        loop.inputs = tuple(inputs)
        first = header(loop)
        for inner in loop.graphs.values():
            inner.captures = inputs[first:]
        return list(made.values())

    def _box_outputs(self) -> list[Node]:
        """What the loop gives becomes NumPy's again after it."""
        made: dict[Value, Value] = {}
        nodes = []
        for output in self._loop.outputs:
            if output.type.kind == 'scalar':
                type_ = output.type
                output.type = _unboxed(type_)
                nodes.append(self._cast(output, type_, output.name))
                made[output] = nodes[-1].outputs[0]
                self._ranges.numpys(output)
        position = self._graph.nodes.index(self._loop)
        for node in self._graph.nodes[position + 1 :]:
            node.inputs = tuple(made.get(value, value) for value in node.inputs)
            for inner in node.graphs.values():
                inner.captures = [made.get(value, value) for value in inner.captures]
        self._graph.outputs = [made.get(value, value) for value in self._graph.outputs]
        return nodes

    def _cast(self, value: Value, type_: TensorType, name: str) -> Node:
        return node_for(self._graph, CAST, [value], {'type': type_}, name, self._loop.site)

    def _iterate_items(self) -> None:
        """A loop over an array takes its elements as Python numbers."""
        count = len(self._loop.graphs['body'].captures) + len(self._loop.outputs)
        first = len(self._loop.inputs) - count
        sources = [
            self._items_of(value) if value.type.kind == 'array' else value
            for value in self._loop.inputs[:first]
        ]
        self._loop.inputs = (*sources, *self._loop.inputs[first:])

    # Inside.

    def _inside(self, node: Node) -> None:
        """Converts a loop or cond, with what it owns."""
        node.attrs = {**node.attrs, 'types': [_unboxed(type_) for type_ in node.attrs['types']]}
        for graph in node.graphs.values():
            self._owners[graph] = node
        first = header(node)
        if node.op in LOOPS:
            count = len(node.outputs)
            state = node.inputs[first - count : first]
            for graph in node.graphs.values():
                self._relate(state, graph.own_params[len(graph.own_params) - count :])
            self._relate(state, node.outputs)
        for graph in node.graphs.values():
            self._relate(node.inputs[first:], graph.params[len(graph.own_params) :])
        if node.op in LOOPS:
            self._ranges.enter_loop(node)
        for graph in node.graphs.values():
            for param, outer in zip(
                graph.params[len(graph.own_params) :], graph.captures, strict=True
            ):
                self._ranges.same(param, outer)
            for param in graph.params:
                self._retype(param)
            for inner in list(graph.nodes):
                self._node(graph, inner)
        if node.op is COND:
            for i, output in enumerate(node.outputs):
                results = [graph.outputs[i] for graph in node.graphs.values()]
                self._relate(results[:1], [output])
                self._ranges.choice(output, results)
        for output in node.outputs:
            self._retype(output)

    def _relate(self, values: Iterable[Value], params: Iterable[Value]) -> None:
        for value, param in zip(values, params, strict=True):
            if value in self._base:
                self._base[param] = self._base[value]
                self._ranges.array(param, self._base[value])

    def _retype(self, value: Value) -> None:
        if value.type.kind == 'scalar':
            self._ranges.numpys(value)
            value.type = _unboxed(value.type)

    def _node(self, graph: Graph, node: Node) -> None:
        if node.graphs:
            self._inside(node)
            return
        self._ranges.visit(node)
        if node.op is UFUNC:
            self._floats |= node.outputs[0].type.dtype == FLOAT
            _to_python(node)
        elif node.op is CONSTANT and isinstance(node.attrs['value'], np.generic):
            type_ = _unboxed(node.outputs[0].type)
            node.attrs = {'value': node.attrs['value'].item(), 'type': type_}
        elif node.op in (CAST, MISSING):
            node.attrs = {**node.attrs, 'type': _unboxed(node.attrs['type'])}
        elif node.op is GETITEM:
            items = self._items_in(graph, node.inputs[0])
            node.op, node.inputs = READ, (items, *node.inputs[1:], node.inputs[0])
        elif node.op is SETITEM:
            self._base[node.outputs[0]] = self._base[node.inputs[0]]
            self._ranges.array(node.outputs[0], self._base[node.inputs[0]])
            items = self._items_in(graph, node.inputs[0])
            node.op, node.inputs = WRITE, (*node.inputs, items)
        for output in node.outputs:
            self._retype(output)

    def _items_in(self, graph: Graph, array: Value) -> Value:
        return captured(self._items_of(self._base[array]), graph, self._owners)

    def _items_of(self, array: Value) -> Value:
        if array not in self._items:
            self._items[array] = node_for(self._graph, ITEMS, [array], {}, f'{array.name}_items')
        return self._items[array].outputs[0]


def _unboxed(type_: TensorType) -> TensorType:
    """The Python type in the place of NumPy's scalar."""
    if type_.kind != 'scalar':
        return type_
    python = python_scalar({FLOAT: float, BOOL: bool}.get(type_.dtype, int))
    return replace(python, maybe=type_.maybe)


def _to_python(node: Node) -> None:
    """A ufunc of numbers becomes Python's own operator."""
    function, _ = python_ufunc(node.attrs['ufunc'])
    types = tuple(_unboxed(value.type) for value in node.outputs)
    node.op = CALL
    node.attrs = {
        'function': function,
        'arguments': node.attrs['arguments'],
        'types': types,
        'pick': (),
    }

