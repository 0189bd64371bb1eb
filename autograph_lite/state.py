"""What a graph changes that lives on after a call, so that the call can be made once more."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .graph.graph import Graph
from .operators.in_place import fill
from .operators.outer_calls import Changing, copied
from .ops.outer_variables import OuterVariable
from .ops.random import is_generator
from .ops.variables import Cell

Snapshot = tuple[list[Any], list[Any], list[Any], list[Any], list[Any]]


class LastingState:
    """The variables and containers that a graph sets, and the random generators that it draws from.

    Args:
      graph: the graph.
      arguments: what it is called with.
      arrays: those outside of it that it modifies.
    """

    def __init__(
        self, graph: Graph, arguments: Sequence[Any], arrays: Sequence[np.ndarray[Any, Any]]
    ) -> None:
        attrs = [value for node in graph.walk() for value in node.attrs.values()]
        cells = [value for value in attrs if isinstance(value, Cell)]
        variables = [value for value in attrs if isinstance(value, OuterVariable)]
        outer = [each for each in variables if not each.is_of_graph]
        generators = [value for value in (*attrs, *arguments) if is_generator(value)]
        changed = [value.container for value in attrs if isinstance(value, Changing)]
        containers = [each for each in changed if not isinstance(each, OuterVariable)]
        self.containers = list({id(each): each for each in containers}.values())
        self.arrays = arrays
        self.cells = list({id(cell): cell for cell in cells}.values())
        self.outer = list({variable.where: variable for variable in outer}.values())
        self._generators = list({id(rng): rng for rng in generators}.values())

    def snapshot(self) -> Snapshot:
        """What it is now."""
        states = [_state(rng) for rng in self._generators]
        values = [cell.value for cell in self.cells]
        arrays = [array.copy() for array in self.arrays]
        outer = [variable.get() for variable in self.outer]
        containers = list(map(copied, self.containers))
        return values, [np.random.get_state(legacy=False), *states], arrays, outer, containers

    def restore(self, snapshot: Snapshot) -> None:
        """Makes it what it was."""
        values, (of_numpy, *states), arrays, outer, containers = snapshot
        for cell, value in zip(self.cells, values, strict=True):
            cell.initialize(value)
        for array, before in zip(self.arrays, arrays, strict=True):
            array[...] = before
        for variable, value in zip(self.outer, outer, strict=True):
            variable.value = value
        for container, held in zip(self.containers, containers, strict=True):
            fill(container, held)
        np.random.set_state(of_numpy)
        for rng, state in zip(self._generators, states, strict=True):
            _bits(rng).state = state


def _bits(rng: Any) -> Any:
    return rng.bit_generator if isinstance(rng, np.random.Generator) else rng._bit_generator


def _state(rng: Any) -> Any:
    return _bits(rng).state
