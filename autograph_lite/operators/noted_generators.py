"""In which state random generators were before code went on that Python runs as it is."""
from __future__ import annotations

from typing import Any


class NotedGenerators:
    """What is known of random generators, in a trace.

    Attributes:
      known: those outside, and in which state they were.
      used: those that the graph draws from, and in which state they were when it was traced first.
      looked_at: how much of what lives outside was asked for such.
      begun: in which state those outside were when such code went on, in a staged block.
    """

    def __init__(self) -> None:
        self.known: dict[int, tuple[Any, bytes]] = {}
        self.used: dict[int, tuple[Any, bytes]] = {}
        self.looked_at = 0
        self.begun: dict[int, tuple[Any, bytes]] = {}
