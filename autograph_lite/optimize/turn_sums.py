"""Loops that do no more than add up integers compute many turns at once, on arrays.

    for i in range(n):              if many_turns(range(n), 2 ** 31):
        if i % 3 == 0:                  total = total + add_up(f_turns, range(n))
            total = total + i   ->  else:
                                        for i in range(n): ...

where `f_turns` gives what some turns add, `(i % 3 == 0) * i` of the array of their counters: see
`turn_arrays`. Elements of arrays may be compared and counted. Measured: fizzbuzz to 1000 takes 0.3
of the time, to count which of 1000 numbers are above a limit 0.25 of that with Python's numbers.
"""
from __future__ import annotations

import operator
from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, as_value, tracing_into
from ..graph.types import python_scalar
from ..ops.control_flow import COND, FOR_LOOP, TRY
from ..ops.turn_sums import LEAST, MANY_TURNS, TURN_SUMS
from .changes import note
from .cond_constant import cond_constant
from .guarded_loops import inside, move_loop
from .rewriting import constant, copy_graph, header, node_for, replace_values
from .turn_arrays import Reading, put_at
from .turn_values import Span, Turns, UnfitError, is_integer

# How large numbers may be, in bits: the first at which all fits is asked for.
_BITS = (31, 24, 20, 16)


def turn_sums(graph: Graph) -> Graph | None:
    """A copy of the graph whose loops that add up do so on arrays; None if there is none."""
    if not any(_turns(loop, is_inner) for _, loop, is_inner in _loops(graph)):
        return None
    copy = copy_graph(graph)
    owners = {inner: node for node in copy.walk() for inner in node.graphs.values()}
    for inner, loop, is_inner in list(_loops(copy)):
        turns = _turns(loop, is_inner)
        if turns is not None:
            note(copy, 'turn_sums', loop)
            turns.block.name = f'{graph.name}_turns'
            _put_before(inner, loop, turns, owners)
    cond_constant(copy)
    return copy


def _loops(graph: Graph, is_inner: bool = False) -> Iterator[tuple[Graph, Node, bool]]:
    """The loops, the graphs they stand in, and whether these are run again and again."""
    for node in graph.nodes:
        if node.op is FOR_LOOP:
            yield graph, node, is_inner
        if node.op is not TRY:
            again = is_inner or node.op not in (COND, TRY)
            for inner in node.graphs.values():
                yield from _loops(inner, again)


def _turns(loop: Node, is_inner: bool) -> Turns | None:
    span = _span(loop)
    if span is None or 'test' in loop.graphs or not loop.outputs:
        return None
    count = len(loop.outputs)
    states = loop.inputs[header(loop) - count : header(loop)]
    if not all(is_integer(value.type) for value in states):
        return None
    first, last = span.known
    if first is not None and last is not None and len(range(first, last, span.step)) < LEAST:
        return None
    # The test of a range that ends anywhere takes as long as some turns.
    if is_inner and (first if span.step > 0 else last) is None:
        return None
    far = max(abs(first or 0), abs(last or 0))
    for bits in (bits for bits in _BITS if far <= 1 << bits):
        try:
            return Reading(loop, span, bits).turns()
        except UnfitError:
            continue
    return None


def _span(loop: Node) -> Span | None:
    """What the loop counts, or the elements of which array it takes; None for anything else."""
    kind, *parts = loop.attrs['iterable']
    if kind == 'range':
        first, last, step = (loop.inputs[part] for part in parts)
        known = constant(step)
        is_known = isinstance(known, int) and known != 0
        are_integers = is_integer(first.type) and is_integer(last.type)
        return Span(first, last, known) if is_known and are_integers else None
    counts = kind == 'enumerate' and constant(loop.inputs[parts[1]]) == 0
    if counts:
        kind, *parts = parts[0]
    rows = loop.inputs[parts[0]] if kind == 'rows' else None
    if rows is None or not rows.type.shape or rows.type.shape[0] is None:
        return None
    return Span(0, rows.type.shape[0], 1, rows, counts)


def _put_before(graph: Graph, loop: Node, turns: Turns, owners: dict[Graph, Node]) -> None:
    """Makes the loop one way of a choice, and the sums the other."""
    position, step = graph.nodes.index(loop), turns.span.step
    bounds = [_bound(graph, x, position) for x in (turns.span.first, turns.span.last)]
    test = _test(graph, bounds, turns)
    cond = node_for(graph, COND, test.outputs, {'types': []}, site=loop.site)
    position = graph.nodes.index(loop)
    graph.nodes[position : position + 1] = [test, cond]
    true, false = (Graph(role, graph) for role in ('true', 'false'))
    cond.graphs.update(true=true, false=false)
    owners.update({true: cond, false: cond})
    sums, instead = (
        [inside(value, branch, owners) for value in values]
        for branch, values in ((true, [*bounds, *turns.inputs]), (false, loop.inputs)))
    first = len(loop.inputs) - len(loop.graphs['body'].captures) - len(loop.outputs)
    starts = [inside(value, true, owners) for value in loop.inputs[first:][: len(loop.outputs)]]
    node = node_for(true, TURN_SUMS, sums, {'step': step, 'block': turns.block}, site=loop.site)
    true.nodes.append(node)
    totals, count = iter(node.outputs), len(true.nodes)
    with tracing_into(true):
        true.outputs = [
            _sum(start, next(totals)) if is_added else start
            for start, is_added in zip(starts, turns.added, strict=True)
        ]
    put_at(loop.site, true.nodes[count:])
    cond.attrs = {'types': [value.type for value in loop.outputs]}
    cond.outputs = tuple(Value(graph, value.type, value.name, cond) for value in loop.outputs)
    replace_values(graph, dict(zip(loop.outputs, cond.outputs, strict=True)))
    move_loop(loop, false, instead)


def _bound(graph: Graph, x: Value | int, position: int) -> Value:
    if isinstance(x, Value):
        return x
    node = node_for(graph, CONSTANT, (), {'value': x, 'type': python_scalar(int)})
    graph.nodes.insert(position, node)
    return node.outputs[0]


def _test(graph: Graph, bounds: list[Value], turns: Turns) -> Node:
    """What tells whether the sums are faster, and fit."""
    step, known = turns.span.step, turns.span.known
    near, far = known if step > 0 else known[::-1]
    if near is not None and far is not None and not turns.numbers:
        return node_for(graph, CONSTANT, (), {'value': True, 'type': python_scalar(bool)})
    least = None if near is None or far is not None else near + LEAST * abs(step)
    attrs = {'step': step, 'least': least, 'bits': turns.bits}
    return node_for(graph, MANY_TURNS, [*bounds, *turns.numbers], attrs, 'many')


def _sum(start: Value, total: Value) -> Value:
    if constant(start) == 0 and start.type.weak:
        return total
    return as_value(operator.add(Tensor(start), Tensor(total)))
