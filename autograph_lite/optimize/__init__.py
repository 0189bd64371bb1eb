"""The rewrites of a graph, one file each, and the loop that applies them in order."""
from __future__ import annotations

from collections.abc import Callable

from ..graph.graph import Graph
from ..pyct.garbage import uncollected
from .changes import changes, state_of
from .common_subexpressions import common_subexpressions
from .cond_constant import cond_constant
from .constant_folding import constant_folding
from .dead_code import dead_code
from .identities import identities
from .item_rows import item_rows
from .known_present import known_present
from .loop_invariants import loop_invariants
from .reductions import reductions
from .rewriting import copy_graph, has_loops
from .row_products import row_products
from .spelled_out import spelled_out
from .strength_reduction import strength_reduction
from .transposes import transposes

Rewrite = Callable[[Graph], None]

REWRITES: tuple[Rewrite, ...] = (
    constant_folding,
    cond_constant,
    known_present,
    identities,
    transposes,
    reductions,
    spelled_out,
    item_rows,
    strength_reduction,
    common_subexpressions,
    loop_invariants,
    row_products,
    dead_code,
)


def optimize(graph: Graph) -> Graph:
    """Applies every rewrite to the graph, in place; the graph itself.

    A rewrite leaves a valid graph that gives the same results, in which it finds nothing to do.
    What each did is in the graph's `changes`.
    """
    with uncollected():
        # Only in loops are operations moved.
        graph.unmoved = copy_graph(graph) if has_loops(graph) else None
        before = state_of(graph)
        for rewrite in REWRITES:
            rewrite(graph)
            after = state_of(graph, before)
            graph.changes += changes(rewrite.__name__, before, after)
            before = after
    return graph
