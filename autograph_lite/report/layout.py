"""Where the boxes of a diagram go: in layers from top to bottom, crossings kept few.

The method of Sugiyama: boxes get layers, edges over several layers get a waypoint in each, the
layers are ordered by the middle of what they are connected to, and then moved towards it. What is
inside a box is laid out first and is then as large as it is.
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from .diagram import Box, Diagram, Edge

CHARACTER = 6.7  # how wide a character of a label is, about
LINE = 15
PADDING = 10
BETWEEN = 26  # boxes of a layer
LAYERS = 42
HEADER = 26
ROLE = 18
_SWEEPS = 8


@dataclass(eq=False)
class Item:
    """A box, or the waypoint of an edge; x and y are the middle of its top, `row` its layer."""

    width: float
    height: float
    box: Box | None = None
    x: float = 0.0
    y: float = 0.0
    row: int = 0
    above: list[Item] = field(default_factory=list)
    below: list[Item] = field(default_factory=list)


@dataclass
class Layout:
    """The places of a diagram's boxes, the ways of its edges, and inner layouts by box and role."""

    items: dict[Box, Item]
    ways: list[tuple[Edge, list[Item]]]
    inner: dict[Box, dict[str, Layout]]
    width: float
    height: float


def layout(diagram: Diagram) -> Layout:
    """Finds a place for everything."""
    inner = {
        box: {role: layout(part) for role, part in box.inner.items()} for box in diagram.boxes
    }
    items = {box: Item(*_size(box, inner[box]), box) for box in diagram.boxes}
    layers, chains = _layered(diagram, items)
    _order(layers)
    height = _place_layers(layers)
    width = _place_rows(layers)
    ways = list(zip(diagram.edges, chains, strict=True))
    return Layout(items, ways, inner, width, height)


def _size(box: Box, inner: dict[str, Layout]) -> tuple[float, float]:
    label = max(len(box.name), len(box.shown)) * CHARACTER + 2 * PADDING
    if not inner:
        return max(label, 44), LINE * bool(box.name) + LINE * bool(box.text) + PADDING
    widths = sum(part.width + 2 * PADDING for part in inner.values())
    heights = max(part.height for part in inner.values())
    title = len(f'{box.shown} {box.gives}') * CHARACTER + 5 * PADDING
    width = max(widths + PADDING * (len(inner) + 1), title)
    return width, HEADER + ROLE + heights + 3 * PADDING


# Layers.


def _layered(
    diagram: Diagram, items: dict[Box, Item]
) -> tuple[list[list[Item]], list[list[Item]]]:
    """The layers, with waypoints in them, and the items that each edge passes."""
    level: dict[Box, int] = dict.fromkeys(diagram.boxes, 0)
    follow: dict[Box, list[Box]] = {box: [] for box in diagram.boxes}
    for edge in diagram.edges:
        follow[edge.source].append(edge.target)
    for box in diagram.boxes:  # they stand in program order
        for target in follow[box]:
            level[target] = max(level[target], level[box] + 1)
    for box in reversed(diagram.boxes):
        if follow[box] and (box.kind == 'input' or not _has_inputs(box, diagram)):
            level[box] = min(level[target] for target in follow[box]) - 1
    layers: list[list[Item]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for box in diagram.boxes:
        layers[level[box]].append(items[box])
    chains = []
    for edge in diagram.edges:
        chain = [items[edge.source]]
        for between in range(level[edge.source] + 1, level[edge.target]):
            chain.append(Item(2, 0))
            layers[between].append(chain[-1])
        chain.append(items[edge.target])
        for upper, lower in itertools.pairwise(chain):
            upper.below.append(lower)
            lower.above.append(upper)
        chains.append(chain)
    return layers, chains


def _has_inputs(box: Box, diagram: Diagram) -> bool:
    return any(edge.target is box for edge in diagram.edges)


def _order(layers: Sequence[list[Item]]) -> None:
    """Orders each layer by the middle of the neighbours, downwards and upwards in turn."""
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            place = {
                item: i for row in layers for i, item in enumerate(row)
            } if len(layers) < 3 else _places(layers, layer, down)
            middle = {
                item: _mean([place[n] for n in (item.above if down else item.below)], place[item])
                for item in layer
            }
            layer.sort(key=middle.__getitem__)


def _places(layers: Sequence[list[Item]], layer: list[Item], down: bool) -> dict[Item, int]:
    """The places within their layers of a layer's items and of their neighbours."""
    i = next(i for i, row in enumerate(layers) if row is layer)
    near = [layer, layers[i - 1] if down and i else layers[min(i + 1, len(layers) - 1)]]
    return {item: place for row in near for place, item in enumerate(row)}


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


# Coordinates.


def _place_layers(layers: Sequence[list[Item]]) -> float:
    """Sets every y; the height of all."""
    y = 0.0
    for row, layer in enumerate(layers):
        height = max(item.height for item in layer)
        for item in layer:
            item.row = row
            if item.box is None:  # an edge passes the boxes of a layer straight
                item.height = height
            item.y = y + (height - item.height) / 2
        y += height + LAYERS
    return max(y - LAYERS, 0.0)


def _place_rows(layers: Sequence[list[Item]]) -> float:
    """Sets every x: as near to the neighbours as the row allows; the width of all."""
    for layer in layers:
        _spread(layer, [0.0] * len(layer))
    for sweep in range(2 * _SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            wanted = []
            for item in layer:
                first, second = (item.above, item.below) if down else (item.below, item.above)
                wanted.append(_mean([n.x for n in first or second], item.x))
            _spread(layer, wanted)
    left = min((item.x - item.width / 2 for row in layers for item in row), default=0.0)
    for item in (item for row in layers for item in row):
        item.x -= left
    return max((item.x + item.width / 2 for row in layers for item in row), default=0.0)


def _spread(layer: Sequence[Item], wanted: Sequence[float]) -> None:
    """Moves a row to where it wants to be; what would overlap becomes one group, placed as one."""
    groups: list[tuple[float, float, list[Item]]] = []  # the wish of its left end, width, items
    for item, wish in zip(layer, wanted, strict=True):
        gap = BETWEEN if item.box else BETWEEN / 2
        left, width, members = wish - item.width / 2, item.width + gap, [item]
        while groups and groups[-1][0] + groups[-1][1] > left:
            before, before_width, earlier = groups.pop()
            # Each wants its left end where its members on average want theirs.
            total = len(earlier) + len(members)
            left = (before * len(earlier) + (left - before_width) * len(members)) / total
            width, members = before_width + width, [*earlier, *members]
        groups.append((left, width, members))
    for left, _, members in groups:
        for item in members:
            item.x = left + item.width / 2
            left += item.width + (BETWEEN if item.box else BETWEEN / 2)
