"""Errors of what NumPy warns of come in the order of plain Python, too.

Under `np.errstate(all='raise')`, or where warnings are errors, any operation may raise; programs
are optimised as if it did not. Where one raises then, the graph as it was traced is run once more,
one operation after the other: what that raises is what plain Python raises first.
"""
from __future__ import annotations

from ..graph.graph import Graph
from ..ops.effects import ASSERT, END_WITH, RAISE, WITHS
from ..ops.kept import CELL, KEEP, KEPT
from ..ops.left import LEAVE
from ..ops.variables import READ, READ_ITEM
from ..optimize.facts import writes_outside

# Effects of which nobody can tell whether they came twice.
_REPEATABLE = (RAISE, ASSERT, *WITHS, END_WITH, CELL, KEEP, KEPT, LEAVE, READ, READ_ITEM)


def is_repeatable(graph: Graph) -> bool:
    """Whether nobody can tell that the graph has run before it raised."""
    effects = (node.op for node in graph.walk() if node.op.effect)
    return all(op in _REPEATABLE for op in effects) and not writes_outside(graph)
