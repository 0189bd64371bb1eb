"""The picture of a graph as SVG, with control flow as boxes that hold other boxes.

It has colours of its own, unless a page around it sets the same custom properties.
"""
from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence

from ..graph.graph import Graph
from .diagram import Box, Edge, diagram
from .layout import HEADER, LINE, PADDING, ROLE, Item, Layout, Point, layout
from .lines import Place

# What a page puts on what came from the user's lines.
Mark = Callable[[Sequence[Place]], str]
_MARGIN = 14

STYLE = """
.ag-picture { color-scheme: light dark; font: 11px ui-monospace, Menlo, Consolas, monospace;
  --box: light-dark(#ffffff, #1d2430); --edge: light-dark(#97a3b4, #66738a);
  --ink: light-dark(#1f2733, #dde4ee); --faint: light-dark(#5f6b7c, #98a5b8);
  --input: light-dark(#e3f0fd, #17324d); --output: light-dark(#e2f5e7, #16382a);
  --control: light-dark(#f6f3fc, #211e30); --control-edge: light-dark(#a58fd8, #7d68b5);
  --inner: light-dark(#ffffffb0, #00000030); --mark: light-dark(#ffe9a8, #5d4a12); }
.ag-picture text { fill: var(--ink); text-anchor: middle; }
.ag-picture .name { font-weight: 600; }
.ag-picture .text, .ag-picture .type, .ag-picture .role { fill: var(--faint); }
.ag-picture .type { font-size: 9.5px; paint-order: stroke; stroke: var(--ground, var(--box));
  stroke-width: 3px; stroke-linejoin: round; }
.ag-picture .title, .ag-picture .role { text-anchor: start; }
.ag-picture rect { fill: var(--box); stroke: var(--edge); }
.ag-picture .input > rect { fill: var(--input); }
.ag-picture .output > rect { fill: var(--output); }
.ag-picture .control > rect { fill: var(--control); stroke: var(--control-edge); }
.ag-picture rect.inner { fill: var(--inner); stroke: none; }
.ag-picture path { fill: none; stroke: var(--edge); stroke-width: 1.2; }
.ag-picture .head { fill: var(--edge); stroke: none; }
.ag-picture .lit > rect:first-of-type { fill: var(--mark); }
"""


def svg(graph: Graph) -> str:
    """The picture, complete: a file of its own."""
    return picture(graph, lambda places: '', f'<style>{STYLE}</style>')


def picture(graph: Graph, mark: Mark, style: str = '') -> str:
    """The picture as a part of a page.

    Args:
      graph: the graph.
      mark: attributes for what came from these lines.
      style: what stands first in it.
    """
    placed = layout(diagram(graph))
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    parts = ''.join(_layout(placed, (_MARGIN, _MARGIN), mark))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ag-picture" role="img"'
        f' aria-label="{html.escape(graph.name)} as a graph" width="{width:.0f}"'
        f' height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">{style}{parts}</svg>'
    )


def _layout(placed: Layout, at: Point, mark: Mark) -> Iterator[str]:
    yield f'<g transform="translate({at[0]:.1f} {at[1]:.1f})">'
    for _, way in placed.ways:
        yield _way(way)
    for box, item in placed.items.items():
        yield from _box(box, item, placed.inner[box], mark)
    yield from _labels(placed.ways)
    yield '</g>'


def _way(way: Sequence[Point]) -> str:
    """A smooth line through the points, with a head."""
    (x, y), *rest = way
    path = f'M{x:.1f} {y:.1f}'
    for to_x, to_y in rest:
        middle = (y + to_y) / 2
        path += f'C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} {to_x:.1f} {to_y:.1f}'
        x, y = to_x, to_y
    return (
        f'<path d="{path}"/><path class="head" d="M{x:.1f} {y:.1f}l-3.5 -7h7z"/>'
    )


def _labels(ways: Sequence[tuple[Edge, list[Point]]]) -> Iterator[str]:
    """The type of each value, once, under the box that makes it."""
    seen: dict[tuple[Box, str], int] = {}
    rows: dict[Box, int] = {}
    for edge, (start, *_) in ways:
        if (edge.source, edge.label) in seen:
            continue
        row = rows.get(edge.source, 0)
        rows[edge.source] = row + 1
        seen[edge.source, edge.label] = row
        x, y = start[0], start[1] + 12 + 11 * row
        yield _text('type', x, y, edge.label)


def _box(box: Box, item: Item, inner: dict[str, Layout], mark: Mark) -> Iterator[str]:
    left = item.x - item.width / 2
    radius = item.height / 2 if box.kind in ('input', 'output') else 6
    yield f'<g class="{box.kind}" {mark(box.places)}><title>{_escaped(_title(box))}</title>'
    yield (
        f'<rect x="{left:.1f}" y="{item.y:.1f}" width="{item.width:.1f}" '
        f'height="{item.height:.1f}" rx="{radius:.1f}"/>'
    )
    if not inner:
        y = item.y + PADDING / 2 - 3
        for kind, text in (('name', box.name), ('text', box.text)):
            if text:
                y += LINE
                yield _text(kind, item.x, y - 1, text)
        yield '</g>'
        return
    yield (
        f'<text class="title" x="{left + PADDING:.1f}" y="{item.y + 17:.1f}">'
        f'<tspan class="name">{_escaped(box.text)}</tspan>'
        f'<tspan class="text" dx="10">{_escaped(box.name)}</tspan></text>'
    )
    yield from _inside(item, left, inner, mark)
    yield '</g>'


def _inside(item: Item, left: float, inner: dict[str, Layout], mark: Mark) -> Iterator[str]:
    """The subgraphs of control flow, side by side."""
    height = max(part.height for part in inner.values()) + ROLE + PADDING
    needed = sum(part.width + 2 * PADDING for part in inner.values()) + PADDING * (len(inner) + 1)
    spare = (item.width - needed) / len(inner)
    x, y = left + PADDING, item.y + HEADER
    for role, part in inner.items():
        width = part.width + 2 * PADDING + spare
        yield (
            f'<rect class="inner" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{height:.1f}" rx="5"/>'
        )
        yield f'<text class="role" x="{x + 8:.1f}" y="{y + 13:.1f}">{_ROLES.get(role, role)}</text>'
        yield from _layout(part, (x + (width - part.width) / 2, y + ROLE), mark)
        x += width + PADDING


_ROLES = {'true': 'then', 'false': 'else', 'test': 'while', 'body': 'do'}


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{_escaped(text)}</text>'


def _title(box: Box) -> str:
    where = ''.join(f'\nline {line}' for _, line in box.places)
    return f'{box.name} = {box.text}{where}' if box.name and box.text else box.name + box.text


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
