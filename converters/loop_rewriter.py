"""Visiting loops whose flags are told apart by how deep the loops are."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter


class LoopRewriter(StatementRewriter):
    """Replaces loops.

    Attributes:
      depth: how many loops that need a flag there are around what is visited.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.depth = 0

    @contextmanager
    def inside(self, needs_flag: bool) -> Iterator[None]:
        """While what is in a loop is visited."""
        self.depth += needs_flag
        yield
        self.depth -= needs_flag
