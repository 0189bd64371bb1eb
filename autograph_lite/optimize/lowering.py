"""The rewrites that prepare a graph for its NumPy program, in their order.

Each takes a graph and gives a changed copy, or None where it finds nothing to do. The program of
what the speculative ones give may raise where the graph would not; then that of the graph as it was
before them runs.
"""
from __future__ import annotations

from collections.abc import Callable

from ..graph.graph import Graph
from .broadcasts import broadcasts
from .buffer_reuse import buffer_reuse
from .elementwise_blocks import elementwise_blocks
from .fixed_arrays import fixed_arrays
from .item_updates import item_updates
from .mask_rows import mask_rows
from .products import products
from .row_dots import row_dots
from .scratch import scratch
from .short_sums import short_sums
from .turn_sums import turn_sums
from .unboxing import unboxing

Lowering = Callable[[Graph], 'Graph | None']

EARLY: tuple[Lowering, ...] = (turn_sums,)
SPECULATIVE: tuple[Lowering, ...] = (
    unboxing,
    elementwise_blocks,
)
EXACT: tuple[Lowering, ...] = (
    fixed_arrays,
    item_updates,
    row_dots,
    products,
    mask_rows,
    short_sums,
    buffer_reuse,
    scratch,
    broadcasts,
)
