"""Rows chosen by a mask, in loops: `compress` copies whole rows, an index element by element.

    for ...:  y = x[mask]   ->   for ...:  y = x.compress(mask, axis=0)

The rows of `x` must lie one after the other: then those of the result do, either way. Arguments are
looked at for that before. Measured: 0.7 µs in the place of 1.6, for 150 rows of 4 numbers.
"""
from __future__ import annotations

from ..graph.graph import Graph, Node
from ..ops.indexing import GETITEM
from ..ops.template import Arguments, Slot
from .layouts import If, Layouts
from .ordered_methods import ordered_methods

_ARGUMENTS = Arguments((Slot(0), Slot(1)), (('axis', 0),))


def mask_rows(graph: Graph) -> Graph | None:
    """A copy of the graph that chooses rows by `compress`; None if it chooses none."""
    return ordered_methods(graph, 'mask_rows', _is_choice, _needed, 'compress', _ARGUMENTS)


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


def _needed(node: Node, layouts: Layouts) -> If:
    return layouts.of(node.inputs[0]).ordered
