"""What tracing a block once tells of it, be it a branch or a turn of a loop."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..errors import Location
from ..graph import nest_contents
from ..graph.graph import Graph
from ..graph.storage import Storage
from .block_ways import Passed
from .leaves import Leaf
from .reachable import Reachable


@dataclass(frozen=True)
class TracedBlock:
    """A block that was traced: its graph, what it returned, and what it wrote.

    Attributes:
      graph: what it does.
      leaves: what it returned.
      written: the memory that it wrote, and where.
      modified: which of the containers that it was passed it modified, by number.
      held: these containers, and what they held before.
      passed: what it was called with.
      gave: what it returned, as it did.
      reached: what it could reach without being passed it.
      as_it_was: what stood for it before the block.
    """

    graph: Graph
    leaves: list[Leaf]
    written: dict[Storage, Location | None]
    modified: set[int] = field(default_factory=set)
    held: nest_contents.Contents = field(default_factory=list)
    passed: Any = None
    gave: Any = None
    reached: Reachable | None = None
    as_it_was: Passed | None = None

    def modified_here(self) -> set[int]:
        """By identity, the containers that it modified."""
        return {id(self.held[i][0]) for i in self.modified}

    def check_names(self) -> None:
        """What it modifies, all its names stand for.

        Raises:
          OwnershipError: another one does not.
        """
        if self.reached is not None:
            self.reached.check_names(self.modified_here())
