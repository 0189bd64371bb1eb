"""In which layer of a picture each box stands, and where edges pass the layers between.

A box stands below what it takes. No layer grows wider than a page if that can be helped: what finds
no room begins a new one below all others, as words begin a new line. An input stands right above
what takes it, and once more where that is far away, so that no edge runs through the whole picture.
"""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from .diagram import Box, Diagram, Edge

BETWEEN = 26  # boxes of a layer
LAYERS = 42
_CHARACTER = 5.8  # how wide a character of a type is, about
_WIDEST = 1500
# So many layers below what takes an input first, the input stands once more.
_FAR = 2
# The edges to a box that takes more values run together.
_MANY = 8

# Width and height of a box.
Size = Callable[[Box], tuple[float, float]]


@dataclass(eq=False)
class Item:
    """A box, or the waypoint of edges; x and y are the middle of its top.

    Attributes:
      label: the width of the types that stand below it.
      row: its layer, which reaches from `top` to `bottom`.
      above, below: what edges join it with in the layers next to its own.
    """

    width: float
    height: float
    box: Box | None = None
    row: int = 0
    label: float = 0.0
    x: float = 0.0
    y: float = 0.0
    top: float = 0.0
    bottom: float = 0.0
    above: list[Item] = field(default_factory=list)
    below: list[Item] = field(default_factory=list)


@dataclass
class Layers:
    """The items from top to bottom, and for each edge those that it passes."""

    rows: list[list[Item]]
    ways: list[tuple[Edge, list[Item]]]


def layered(diagram: Diagram, size: Size) -> Layers:
    """The layers of a diagram; the order within them is still to be found."""
    levels = Levels(diagram, size)
    edges = levels.with_inputs()
    top = min(levels.level.values())
    items = {box: Item(*size(box), box, level - top) for box, level in levels.level.items()}
    for edge in edges:
        items[edge.source].label = max(items[edge.source].label, len(edge.label) * _CHARACTER)
    rows: list[list[Item]] = [[] for _ in range(max(levels.level.values()) - top + 1)]
    for item in items.values():
        rows[item.row].append(item)
    return Layers(rows, list(zip(edges, _ways(edges, items, rows), strict=True)))


class Levels:
    """The layer of each box, counted from the inputs, which are at 0 or lower down."""

    def __init__(self, diagram: Diagram, size: Size) -> None:
        self._diagram = diagram
        self._size = size
        self._above: dict[Box, list[Box]] = {box: [] for box in diagram.boxes}
        self._below: dict[Box, list[Edge]] = {box: [] for box in diagram.boxes}
        for edge in diagram.edges:
            self._above[edge.target].append(edge.source)
            self._below[edge.source].append(edge)
        self._taken: Counter[int] = Counter()
        self.level: dict[Box, int] = {}
        self._go_down()
        self._come_closer()

    def _is_source(self, box: Box) -> bool:
        return bool(self._below[box]) and not self._above[box]

    def _go_down(self) -> None:
        """As high as what a box takes allows; where that layer is full, below all there is."""
        floor = 0
        for box in self._diagram.boxes:  # they stand in program order
            if not self._is_source(box):
                above = [self.level[b] for b in self._above[box] if b in self.level]
                level = max(above, default=0) + 1
                if not self._has_room(level, box):
                    level = max(level, floor + 1)
                if not self._has_room(level, box):
                    # The layer between is for inputs.
                    floor = max(self.level.values()) + (len(above) < len(self._above[box]))
                    level = floor + 1
                self._put(box, level)

    def _come_closer(self) -> None:
        """What is taken more often than it takes goes down to where it is taken."""
        for box in reversed(self._diagram.boxes):
            takes = sum(b in self.level for b in self._above[box])
            if box in self.level and len(self._below[box]) > takes:
                level = self._first(self._below[box]) - 1
                while level > self.level[box] and not self._has_room(level, box):
                    level -= 1
                self._taken[self.level[box]] -= self._width(box)
                self._put(box, level)

    def with_inputs(self) -> list[Edge]:
        """Finds a place for what takes nothing; the edges, from the input that is near."""
        near: dict[Edge, Box] = {}
        for box in filter(self._is_source, self._diagram.boxes):
            for i, edges in enumerate(self._groups(box)):
                twin = replace(box) if i else box
                self.level[twin] = self._first(edges) - 1
                near.update(dict.fromkeys(edges, twin))
        return [replace(edge, source=near.get(edge, edge.source)) for edge in self._diagram.edges]

    def _groups(self, box: Box) -> Iterator[list[Edge]]:
        """The edges of a box that takes nothing, by how far down they go."""
        if box.kind != 'input':
            yield self._below[box]
            return
        group: list[Edge] = []
        for edge in sorted(self._below[box], key=lambda edge: self.level[edge.target]):
            if group and self.level[edge.target] - self.level[group[0].target] > _FAR:
                yield group
                group = []
            group.append(edge)
        yield group

    def _first(self, edges: Sequence[Edge]) -> int:
        return min(self.level[edge.target] for edge in edges)

    def _width(self, box: Box) -> int:
        return round(self._size(box)[0]) + BETWEEN

    def _has_room(self, level: int, box: Box) -> bool:
        return not self._taken[level] or self._taken[level] + self._width(box) <= _WIDEST

    def _put(self, box: Box, level: int) -> None:
        self.level[box] = level
        self._taken[level] += self._width(box)


def _ways(
    edges: Sequence[Edge], items: dict[Box, Item], rows: Sequence[list[Item]]
) -> Iterator[list[Item]]:
    """The items that each edge passes; edges of one value share their waypoints."""
    arriving = Counter(edge.target for edge in edges)
    shared: dict[object, Item] = {}
    joined: set[tuple[Item, Item]] = set()
    for edge in edges:
        source, target = items[edge.source], items[edge.target]
        trunk = edge.target if arriving[edge.target] > _MANY else (edge.source, edge.label)
        way = [source]
        for row in range(source.row + 1, target.row):
            if (trunk, row) not in shared:
                shared[trunk, row] = Item(2, 0, row=row)
                rows[row].append(shared[trunk, row])
            way.append(shared[trunk, row])
        way.append(target)
        for upper, lower in itertools.pairwise(way):
            if (upper, lower) not in joined:
                joined.add((upper, lower))
                upper.below.append(lower)
                lower.above.append(upper)
        yield way
