"""The rewrites of a graph, one file each, and the loop that applies them in order."""
from __future__ import annotations

from collections.abc import Callable

from ..graph.graph import Graph
from .changes import changes, state_of
from .common_subexpressions import common_subexpressions
from .cond_constant import cond_constant
from .constant_folding import constant_folding
from .dead_code import dead_code
from .identities import identities
from .loop_invariants import loop_invariants
from .row_products import row_products
from .strength_reduction import strength_reduction

Rewrite = Callable[[Graph], None]

REWRITES: tuple[Rewrite, ...] = (
    constant_folding,
    cond_constant,
    identities,
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
    before = state_of(graph)
    for rewrite in REWRITES:
        rewrite(graph)
        after = state_of(graph)
        graph.changes += changes(rewrite.__name__, before, after)
        before = after
    return graph
