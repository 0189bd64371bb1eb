"""The rewrites of a graph, one file each, in their order, and the loop that applies them."""
from __future__ import annotations

from collections.abc import Callable

from ..graph.graph import Graph
from .broadcasts import broadcasts
from .buffer_reuse import buffer_reuse
from .changes import changes, state_of
from .common_subexpressions import common_subexpressions
from .cond_constant import cond_constant
from .constant_folding import constant_folding
from .dead_code import dead_code
from .elementwise_blocks import elementwise_blocks
from .fixed_arrays import fixed_arrays
from .identities import identities
from .item_rows import item_rows
from .item_updates import item_updates
from .known_present import known_present
from .loop_invariants import loop_invariants
from .mask_rows import mask_rows
from .products import products
from .row_products import row_products
from .scratch import scratch
from .short_sums import short_sums
from .spelled_out import spelled_out
from .strength_reduction import strength_reduction
from .turn_sums import turn_sums
from .unboxing import unboxing

Rewrite = Callable[[Graph], None]
# Gives a changed copy, or None where it finds nothing to do.
Lowering = Callable[[Graph], 'Graph | None']

REWRITES: tuple[Rewrite, ...] = (
    constant_folding,
    cond_constant,
    known_present,
    identities,
    spelled_out,
    item_rows,
    strength_reduction,
    common_subexpressions,
    loop_invariants,
    row_products,
    dead_code,
)
# What prepares a graph for its NumPy program, in this order. The program that the speculative ones
# lead to may raise where the graph would not; then that of the graph as it was before them runs.
EARLY: tuple[Lowering, ...] = (turn_sums,)
SPECULATIVE: tuple[Lowering, ...] = (unboxing, elementwise_blocks)
EXACT: tuple[Lowering, ...] = (
    fixed_arrays,
    item_updates,
    products,
    mask_rows,
    short_sums,
    buffer_reuse,
    scratch,
    broadcasts,
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
