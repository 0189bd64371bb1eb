"""Where the boxes of a diagram go: in layers from top to bottom, as Sugiyama drew graphs.

What is inside a box is laid out first and is then as large as it is. What is not connected is laid
out on its own and stands side by side.
"""
from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .coordinates import place
from .crossings import order
from .diagram import Box, Diagram, Edge
from .layers import BETWEEN, LAYERS, Item, Size, layered

CHARACTER = 6.7  # how wide a character of a label is, about
LINE = 15
PADDING = 10
HEADER = 26
ROLE = 18
# The least width of a box, and of a body, which has its role above it.
_NARROWEST = 44.0
# How much wider than high a picture of many parts is to be, about.
_SHAPE = 2.0


@dataclass
class Component:
    """What is connected: its items, the ways of its edges, and where it stands.

    Components stand on shelves, and there in columns, one below the other.
    """

    items: dict[Box, Item]
    ways: list[tuple[Edge, list[Item]]]
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    shelf: int = 0
    column: int = 0


@dataclass
class Layout:
    """The components of a diagram, and inner layouts by box and role."""

    components: list[Component]
    inner: dict[Box, dict[str, Layout]]
    width: float
    height: float


def layout(diagram: Diagram) -> Layout:
    """Finds a place for everything."""
    inner = {
        box: {role: layout(part) for role, part in box.inner.items()}
        for box in diagram.boxes
    }

    def size(box: Box) -> tuple[float, float]:
        return _size(box, inner.get(box, {}))

    placed = [_component(connected, size) for connected in _connected(diagram)]
    placed.sort(key=lambda component: -component.height)
    width, height = _shelve(placed)
    return Layout(placed, inner, max(width, _NARROWEST), height)


def _size(box: Box, inner: dict[str, Layout]) -> tuple[float, float]:
    label = max(columns_of(box.name), columns_of(box.shown)) * CHARACTER + 2 * PADDING
    if not inner:
        return max(label, _NARROWEST), LINE * bool(box.name) + LINE * bool(box.text) + PADDING
    widths = sum(part.width + 2 * PADDING for part in inner.values())
    heights = max(part.height for part in inner.values())
    title = columns_of(f'{box.shown} {box.gives}') * CHARACTER + 5 * PADDING
    width = max(widths + PADDING * (len(inner) + 1), title)
    return width, HEADER + ROLE + heights + 3 * PADDING


def columns_of(text: str) -> int:
    """How many columns a text takes; those of Chinese, Japanese and Korean take two each."""
    return sum(1 + (unicodedata.east_asian_width(character) in 'WF') for character in text)


def _connected(diagram: Diagram) -> Iterator[Diagram]:
    """The connected parts of a diagram, in the order of their first boxes."""
    near: dict[Box, list[Box]] = {box: [] for box in diagram.boxes}
    for edge in diagram.edges:
        near[edge.source].append(edge.target)
        near[edge.target].append(edge.source)
    number: dict[Box, int] = {}
    found: list[Diagram] = []
    for box in diagram.boxes:
        if box not in number:
            pending = [box]
            while pending:
                reached = pending.pop()
                if reached not in number:
                    number[reached] = len(found)
                    pending += near[reached]
            found.append(Diagram())
        found[number[box]].boxes.append(box)
    for edge in diagram.edges:
        found[number[edge.source]].edges.append(edge)
    yield from found


def _component(connected: Diagram, size: Size) -> Component:
    layers = layered(connected, size)
    order(layers.rows)
    width = place(layers.rows)
    height = _place_layers(layers.rows)
    items = {item.box: item for row in layers.rows for item in row if item.box is not None}
    return Component(items, layers.ways, width, height)


def _place_layers(rows: Sequence[Sequence[Item]]) -> float:
    """Sets every y; the height of all."""
    y = 0.0
    for row in rows:
        height = max(item.height for item in row)
        for item in row:
            if item.box is None:  # an edge passes the boxes of a layer straight
                item.height = height
            item.y = y + (height - item.height) / 2
            item.top, item.bottom = y, y + height
        y += height + LAYERS
    return y - LAYERS


def _shelve(components: Sequence[Component]) -> tuple[float, float]:
    """Sets the place of each component, the highest first; width and height of all."""
    area = sum((each.width + 2 * BETWEEN) * (each.height + LAYERS) for each in components)
    widest = max([(area * _SHAPE) ** 0.5, *(each.width for each in components)])
    shelf = column = 0
    x = y = filled = 0.0  # filled is what stands in the column
    right = width = 0.0  # the end of the column, of the widest shelf
    high = max([each.height for each in components[:1]], default=0.0)
    for each in components:
        if filled and (filled + each.height > high or x + each.width > widest):
            x, filled, column = right + 2 * BETWEEN, 0.0, column + 1
            if x + each.width > widest:
                x, right, shelf = 0.0, 0.0, shelf + 1
                y, high = y + high + LAYERS, 0.0
            high = max(high, each.height)
        each.x, each.y, each.shelf, each.column = x, y + filled, shelf, column
        filled += each.height + LAYERS
        right = max(right, x + each.width)
        width = max(width, right)
    return width, y + high
