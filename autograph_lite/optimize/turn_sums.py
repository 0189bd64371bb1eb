"""Loops that do no more than add up integers compute many turns at once, on arrays.

    for i in range(n):              if n >= 512 and many_turns(range(n), 2 ** 31):
        if i % 3 == 0:                  total = add_up(f_turns, range(n))
            total = total + i   ->  else:
                                        for i in range(n): ...

where `f_turns` gives what each turn adds, for the array of counters: see `turn_bodies`. Measured:
fizzbuzz to 1000 takes 0.3 of the time.
"""
from __future__ import annotations

import operator
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..graph.types import TensorType, python_scalar
from ..ops.control_flow import COND, FOR_LOOP
from ..ops.turn_sums import LEAST, MANY_TURNS, TURN_SUMS
from .changes import note
from .cond_constant import cond_constant
from .rewriting import captured, constant, copy_graph, header, node_for, replace_values
from .scalar_loops import INT
from .turn_bodies import Reading, UnfitError

# How large numbers may be, in bits: the first at which all fits is asked for.
_BITS = (31, 24, 20, 16)
_INTEGERS = (python_scalar(int), TensorType(INT, (), 'scalar'))


def turn_sums(graph: Graph) -> Graph | None:
    """A copy of the graph whose loops that add up do so on arrays; None if there is none."""
    if not any(_reading(loop) for _, loop in _loops(graph)):
        return None
    copy = copy_graph(graph)
    owners = {inner: node for node in copy.walk() for inner in node.graphs.values()}
    for inner, loop in list(_loops(copy)):
        reading = _reading(loop)
        if reading is not None:
            note(copy, 'turn_sums', loop)
            reading.block.name = f'{graph.name}_turns'
            _put_before(inner, loop, reading, owners)
    cond_constant(copy)
    return copy


def _loops(graph: Graph) -> Iterator[tuple[Graph, Node]]:
    """The loops that are not run again and again, and the graphs that they stand in."""
    for node in graph.nodes:
        if node.op is FOR_LOOP:
            yield graph, node
        elif node.op is COND:
            for inner in node.graphs.values():
                yield from _loops(inner)


def _reading(loop: Node) -> Reading | None:
    """The loop's body as a program on arrays; None if it is to run as it is."""
    if 'test' in loop.graphs or not loop.outputs:
        return None
    if not all(value.type in _INTEGERS for value in loop.outputs):
        return None
    for bits in _BITS:
        try:
            return Reading(loop, bits)
        except UnfitError:
            continue
    return None


# The program around the sums.


def _put_before(graph: Graph, loop: Node, reading: Reading, owners: dict[Graph, Node]) -> None:
    """Makes the loop one way of a choice, and the sums the other."""
    bounds = [_bound(graph, loop, x) for x in (reading.start, reading.stop)]
    test = _test(graph, bounds, reading)
    attrs = {'types': [value.type for value in loop.outputs]}
    cond = node_for(graph, COND, test.outputs, attrs, site=loop.site)
    position = graph.nodes.index(loop)
    graph.nodes[position : position + 1] = [test, cond]
    true, false = (Graph(role, graph) for role in ('true', 'false'))
    cond.graphs.update(true=true, false=false)
    owners.update({true: cond, false: cond})
    sums = [_inside(value, true, owners) for value in (*bounds, *reading.inputs)]
    instead = [_inside(value, false, owners) for value in loop.inputs]
    first = header(loop) - len(loop.outputs)
    starts = [_inside(value, true, owners) for value in loop.inputs[first : header(loop)]]
    block = {'step': reading.step, 'block': reading.block}
    node = node_for(true, TURN_SUMS, sums, block, site=loop.site)
    true.nodes.append(node)
    totals = iter(node.outputs)
    with tracing_into(true):
        true.outputs = [
            _sum(start, next(totals)) if is_added else start
            for start, is_added in zip(starts, reading.is_added, strict=True)
        ]
    cond.outputs = tuple(Value(graph, value.type, value.name, cond) for value in loop.outputs)
    replace_values(graph, dict(zip(loop.outputs, cond.outputs, strict=True)))
    _move_loop(loop, false, instead)


def _bound(graph: Graph, loop: Node, x: Value | int) -> Value:
    if isinstance(x, Value):
        return x
    node = node_for(graph, CONSTANT, (), {'value': x, 'type': python_scalar(int)})
    graph.nodes.insert(graph.nodes.index(loop), node)
    return node.outputs[0]


def _test(graph: Graph, bounds: list[Value], reading: Reading) -> Node:
    """What tells whether the sums are faster, and fit."""
    near, far = reading.known[:: 1 if reading.step > 0 else -1]
    if near is not None and far is not None and not reading.numbers:
        return node_for(graph, CONSTANT, (), {'value': True, 'type': python_scalar(bool)})
    least = None if near is None or far is not None else near + LEAST * abs(reading.step)
    attrs = {'step': reading.step, 'least': least, 'bits': reading.bits}
    return node_for(graph, MANY_TURNS, [*bounds, *reading.numbers], attrs, 'many')


def _inside(value: Value, graph: Graph, owners: dict[Graph, Node]) -> Value:
    """A value of the graph around a branch, in the branch; a number is known there, too."""
    if constant(value) is None:
        return captured(value, graph, owners)
    assert value.node is not None
    graph.nodes.append(node_for(graph, CONSTANT, (), value.node.attrs, value.name))
    return graph.nodes[-1].outputs[0]


def _move_loop(loop: Node, branch: Graph, inputs: list[Value]) -> None:
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


def _sum(start: Value, total: Value) -> Value:
    return total if constant(start) == 0 else as_value(operator.add(Tensor(start), Tensor(total)))
