"""Chains of elementwise operations on large arrays, cut into blocks that fit into the cache.

    y = np.tanh(x) * 0.5 + x * 0.25   ->   y = in_blocks(f_block, x, results=[np.float64])

where `f_block` does the same to a block of the array, and writes to a block of the result; as many
blocks run at a time as there are idle cores. Every element is computed as before. What NumPy would
warn of, and arrays that do not lie in memory in order, make the call raise, and the graph as it was
runs: see `backends.numpy`.
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Attrs, Change, Graph, Node, Op, Value
from ..graph.tracing import CONSTANT
from ..graph.types import TensorType
from ..ops.calls import target
from ..ops.control_flow import TRY
from ..ops.ufuncs import UFUNC
from .buffer_reuse import buffer_reuse, write_to
from .facts import Facts
from .rewriting import copy_graph, node_for

# Of fewer bytes than all operations write, the cache of all cores keeps what they read again.
_LEAST_BYTES = 1 << 24
_LEAST_LENGTH = 1 << 18
_LEAST_NODES = 3
_MOST_RESULTS = 2


# Elements of a block: smaller ones cost more calls, larger ones leave the cache.
BLOCK = 1 << 16


def _results(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return tuple(attrs['types'])


# `attrs['block']` is the graph of one block; its expression is written by the backend.
BLOCKS = Op('blocks', _results)


def elementwise_blocks(graph: Graph) -> Graph | None:
    """A copy of the graph whose long chains are cut into blocks; None if there is none."""
    if graph.effect or not any(True for inner in _graphs(graph) for _ in _chains(inner)):
        return None
    copy = copy_graph(graph)
    for inner in list(_graphs(copy)):
        for chain in list(_chains(inner)):
            copy.changes += [
                Change('elementwise_blocks', node.op.name, node.site) for node in chain if node.site
            ]
            _cut(inner, chain, graph.name)
    return copy


def _graphs(graph: Graph) -> Iterator[Graph]:
    yield graph
    for node in graph.nodes:
        if node.op is not TRY:  # a handler might take what a block raises for its own
            for inner in node.graphs.values():
                yield from _graphs(inner)


def _chains(graph: Graph) -> Iterator[list[Node]]:
    """Runs of elementwise nodes on arrays of one shape, with what they need of constants."""
    chain: list[Node] = []
    for node in [*graph.nodes, None]:
        if node is not None and node.op is CONSTANT:
            continue
        if node is not None and _fits(node, chain):
            chain.append(node)
            continue
        if _is_worth_it(graph, chain):
            yield chain
        chain = [node] if node is not None and _fits(node, []) else []


def _fits(node: Node, chain: Sequence[Node]) -> bool:
    if node.op is not UFUNC or len(node.outputs) != 1 or node.attrs['arguments'].kwargs:
        return False
    ufunc = target(node.attrs['ufunc'])
    type_ = node.outputs[0].type
    shape = chain[0].outputs[0].type.shape if chain else type_.shape
    return (
        getattr(ufunc, 'signature', None) is None
        and type_.shape is not None
        and type_.shape == shape
        and None not in type_.shape
        and all(_is_part(value, type_) for value in node.inputs)
    )


def _is_part(value: Value, result: TensorType) -> bool:
    """Whether the value is a number, or an array of which a block takes a part."""
    if value.type.maybe or value.type.dtype.kind not in 'biufc':
        return False
    return value.type.kind != 'array' or value.type.shape == result.shape


def _is_worth_it(graph: Graph, chain: Sequence[Node]) -> bool:
    if len(chain) < _LEAST_NODES or len(_read_outside(graph, chain)) > _MOST_RESULTS:
        return False
    length = math.prod(n or 0 for n in chain[0].outputs[0].type.shape or ())
    written = length * sum(node.outputs[0].type.dtype.itemsize for node in chain)
    return length >= _LEAST_LENGTH and written >= _LEAST_BYTES


def _read_outside(graph: Graph, chain: Sequence[Node]) -> list[Value]:
    """The values of the chain that something else reads."""
    inside = set(chain)
    read = {value for node in graph.nodes if node not in inside for value in node.inputs}
    read.update(graph.outputs)
    return [node.outputs[0] for node in chain if node.outputs[0] in read]


def _cut(graph: Graph, chain: Sequence[Node], name: str) -> None:
    """Puts one node in the place of the chain."""
    results = _read_outside(graph, chain)
    block = Graph(f'{name}_block')
    known: dict[Value, Value] = {}
    inputs: list[Value] = []
    for node in chain:
        for value in node.inputs:
            if value in known or value.node in chain:
                continue
            source = value.node
            if source is not None and source.op is CONSTANT and value.type.weak:
                twin = block.add(CONSTANT, (), source.attrs, names=[value.name])
                known[value] = twin.outputs[0]
            else:
                inputs.append(value)
                known[value] = block.param(_part_type(value.type), value.name)
        args = [known[value] for value in node.inputs]
        output = node.outputs[0]
        twin = Node(UFUNC, tuple(args), node.attrs, site=node.site, merged=list(node.merged))
        part = Value(block, _part_type(output.type), block.unique(output.name), twin)
        twin.outputs = (part,)
        block.nodes.append(twin)
        known[output] = part
    for value in results:
        place = block.param(_part_type(value.type), 'out')
        source = known[value].node
        assert source is not None
        write_to(source, place)
    block = buffer_reuse(block) or block
    types = [value.type for value in results]
    attrs = {'block': block, 'types': types, 'scratch': _use_scratch(block, len(results))}
    whole = node_for(graph, BLOCKS, inputs, attrs, results[0].name, chain[-1].site)
    whole.absorb(*chain)
    for output, value in zip(results, whole.outputs, strict=True):
        value.name = graph.unique(output.name)
    position = graph.nodes.index(chain[-1])
    graph.nodes[position] = whole
    inside = set(chain)
    graph.nodes = [node for node in graph.nodes if node not in inside]
    replace = dict(zip(results, whole.outputs, strict=True))
    for node in graph.nodes:
        node.inputs = tuple(replace.get(value, value) for value in node.inputs)
        for inner in node.graphs.values():
            inner.captures = [replace.get(value, value) for value in inner.captures]
    graph.outputs = [replace.get(value, value) for value in graph.outputs]


def _use_scratch(block: Graph, results: int) -> list[np.dtype[Any]]:
    """Makes what is new in a block write to memory that is there; the types of what must be made.

    The system gives new memory a page at a time, which takes as long as to fill it. Best is the
    place of a result, before the result is written: what is used at all stays in the cache.
    """
    facts = Facts(block)
    last: dict[Value, int] = {}
    until: dict[Value, int] = {}
    for position, node in enumerate(block.nodes):
        for value in (*node.inputs, *node.outputs):
            until.setdefault(value, position)
            last[facts.buffer(value)] = position
    memory = block.params[-results:]
    ends = [-1] * results
    for position, node in enumerate(block.nodes):
        if node.op is not UFUNC or node.outputs[0].type.kind != 'array':
            continue
        type_ = node.outputs[0].type
        end = last[facts.buffer(node.outputs[0])]
        free = (
            i for i, value in enumerate(memory)
            if value.type == type_ and ends[i] < position and end <= until.get(value, end)
        )
        i = next(free, len(memory))
        if i == len(memory):
            memory.append(block.param(type_, 'scratch'))
            ends.append(0)
        ends[i] = end
        write_to(node, memory[i])
        node.attrs['reuses'] = True
    return [value.type.dtype for value in memory[results:]]


def _part_type(type_: TensorType) -> TensorType:
    """The type of a part of an array; the last one is shorter."""
    return TensorType(type_.dtype, (BLOCK,)) if type_.kind == 'array' else type_


