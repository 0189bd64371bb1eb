"""Rows chosen by a mask, in loops: `compress` copies whole rows, an index element by element.

    for ...:  y = x[mask]   ->   for ...:  y = x.compress(mask, axis=0)

The rows of `x` must lie one after the other: then those of the result do, either way. Arguments are
looked at for that before. Measured: 0.7 µs in the place of 1.6, for 150 rows of 4 numbers.
"""
from __future__ import annotations

from collections.abc import Iterator

from ..graph.graph import Graph, Node, Value
from ..ops.calls import CALL
from ..ops.indexing import GETITEM
from ..ops.template import Arguments, Slot
from .changes import note
from .facts import LOOPS
from .layouts import Layouts
from .order_checks import require_order
from .rewriting import copy_graph

_ARGUMENTS = Arguments((Slot(0), Slot(1)), (('axis', 0),))


def mask_rows(graph: Graph) -> Graph | None:
    """A copy of the graph that chooses rows by `compress`; None if it chooses none."""
    if not any(True for _ in _choices(graph)):
        return None
    copy = copy_graph(graph)
    layouts = Layouts(copy)
    checked: set[Value] = set()
    found = False
    for node in _choices(copy):
        needed = layouts.of(node.inputs[0]).ordered
        if needed is None:
            continue
        found = True
        note(copy, 'mask_rows', node)
        checked |= needed
        types = tuple(value.type for value in node.outputs)
        node.op = CALL
        node.attrs = {
            'function': 'ndarray.compress', 'arguments': _ARGUMENTS, 'types': types, 'pick': ()
        }  # fmt: skip
    require_order(copy, checked)
    return copy if found else None


def _choices(graph: Graph, in_loop: bool = False) -> Iterator[Node]:
    for node in graph.nodes:
        if in_loop and _is_choice(node):
            yield node
        for inner in node.graphs.values():
            yield from _choices(inner, in_loop or node.op in LOOPS)


def _is_choice(node: Node) -> bool:
    """Whether this is `x[mask]` for a mask with one truth a row."""
    if node.op is not GETITEM or node.attrs['index'] != Slot(1):
        return False
    x, mask = (value.type for value in node.inputs)
    if x.kind != 'array' or mask.kind != 'array' or mask.dtype.kind != 'b':
        return False
    if x.shape is None or mask.shape is None or x.dtype.kind not in 'biufc':
        return False
    return len(x.shape) > 1 and x.shape[:1] == mask.shape and mask.shape != (None,)
