"""What a graph changes that lives on after a call, so that the call can be made once more."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .graph.graph import Graph
from .ops.random import is_generator
from .ops.variables import Cell

Snapshot = tuple[list[Any], list[Any]]


class LastingState:
    """The variables that a graph uses, and the random generators that it draws from.

    Args:
      graph: the graph.
      arguments: what it is called with.
    """

    def __init__(self, graph: Graph, arguments: Sequence[Any]) -> None:
        attrs = [value for node in graph.walk() for value in node.attrs.values()]
        cells = [value for value in attrs if isinstance(value, Cell)]
        generators = [value for value in (*attrs, *arguments) if is_generator(value)]
        self.cells = list({id(cell): cell for cell in cells}.values())
        self._generators = list({id(rng): rng for rng in generators}.values())

    def snapshot(self) -> Snapshot:
        """What it is now."""
        states = [_state(rng) for rng in self._generators]
        return [cell.value for cell in self.cells], [np.random.get_state(legacy=False), *states]

    def restore(self, snapshot: Snapshot) -> None:
        """Makes it what it was."""
        values, (of_numpy, *states) = snapshot
        for cell, value in zip(self.cells, values, strict=True):
            cell.initialize(value)
        np.random.set_state(of_numpy)
        for rng, state in zip(self._generators, states, strict=True):
            _bits(rng).state = state


def _bits(rng: Any) -> Any:
    return rng.bit_generator if isinstance(rng, np.random.Generator) else rng._bit_generator


def _state(rng: Any) -> Any:
    return _bits(rng).state
