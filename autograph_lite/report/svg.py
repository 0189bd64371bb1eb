"""The picture of a graph as SVG, with control flow as boxes that hold other boxes.

It has colours of its own, unless a page around it sets the same custom properties.
"""
from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence

from ..graph.graph import Graph
from .correspondence import Place
from .diagram import ROLES, Box, Diagram, diagram
from .layers import Item
from .layout import HEADER, LINE, PADDING, ROLE, Component, Layout, layout

Point = tuple[float, float]
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
.ag-picture .folded > .part { display: none; }
.ag-picture .lit > rect { fill: var(--mark); }
.ag-picture .control.lit > rect { fill: var(--control); stroke: var(--lit, #c79a1b);
  stroke-width: 2.5; }
"""
# What a picture that is a file of its own begins with.
DEFAULTS = f'<style>{STYLE}</style>'


def svg(graph: Graph) -> str:
    """The picture, complete: a file of its own."""
    return picture(diagram(graph), graph.name, lambda places: '', DEFAULTS)


def picture(drawn: Diagram, name: str, mark: Mark, style: str = '') -> str:
    """The picture as a part of a page.

    Args:
      drawn: what is drawn.
      name: that of the function.
      mark: attributes for what came from these lines.
      style: what stands first in it.
    """
    placed = layout(drawn)
    width, height = placed.width + 2 * _MARGIN, placed.height + 2 * _MARGIN
    parts = ''.join(_layout(placed, (_MARGIN, _MARGIN), mark))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ag-picture" role="img"'
        f' aria-label="{html.escape(name)} as a graph" width="{width:.0f}"'
        f' height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">{style}{parts}</svg>'
    )


def _layout(placed: Layout, at: Point, mark: Mark) -> Iterator[str]:
    yield f'<g class="layout" transform="translate({at[0]:.1f} {at[1]:.1f})">'
    for component in placed.components:
        yield from _component(component, placed.inner, mark)
    yield '</g>'


def _component(
    component: Component, inner: dict[Box, dict[str, Layout]], mark: Mark
) -> Iterator[str]:
    """What is connected."""
    yield (
        f'<g class="component" data-shelf="{component.shelf}" data-column="{component.column}" '
        f'data-width="{component.width:.1f}" '
        f'transform="translate({component.x:.1f} {component.y:.1f})">'
    )
    numbers = {item: i for i, item in enumerate(component.items.values())}
    for _, way in component.ways:
        yield _way(way, f'{numbers[way[0]]} {numbers[way[-1]]}')
    labels = _labels(component)
    for box, item in component.items.items():
        yield from _box(box, item, inner.get(box, {}), labels.get(box, ()), mark)
    yield '</g>'


def _way(way: Sequence[Item], ends: str) -> str:
    """A smooth line from item to item, with a head; with what a page needs to draw it anew.

    It bends between the layers alone, where no box can be in its way.
    """
    first, *rest = way
    x, y = first.x, first.y + first.height
    path = f'M{x:.1f} {y:.1f}V{first.bottom:.1f}'
    y = first.bottom
    for item in rest:
        middle = (y + item.top) / 2
        path += f'C{x:.1f} {middle:.1f} {item.x:.1f} {middle:.1f} {item.x:.1f} {item.top:.1f}'
        x, y = item.x, item.bottom if item.box is None else item.y
        path += f'V{y:.1f}'
    passed = ' '.join(f'{item.row},{item.x:.1f}' for item in way)
    head = f'<path class="head" d="M0 0l-3.5 -7h7z" transform="translate({x:.1f} {y:.1f})"/>'
    return f'<g class="way" data-ends="{ends}" data-way="{passed}"><path d="{path}"/>{head}</g>'


def _labels(component: Component) -> dict[Box, tuple[str, ...]]:
    """The types of the values that a box makes, each once."""
    labels: dict[Box, dict[str, None]] = {}
    for edge, _ in component.ways:
        labels.setdefault(edge.source, {})[edge.label] = None
    return {box: tuple(found) for box, found in labels.items()}


def _box(
    box: Box, item: Item, inner: dict[str, Layout], labels: Sequence[str], mark: Mark
) -> Iterator[str]:
    left = item.x - item.width / 2
    radius = item.height / 2 if box.kind in ('input', 'output') else 6
    yield (
        f'<g class="box {box.kind}" data-row="{item.row}" data-x="{left:.1f}" '
        f'data-width="{item.width:.1f}" data-height="{item.height:.1f}" '
        f'transform="translate({left:.1f} {item.y:.1f})" {mark(box.places)}>'
        f'<title>{_escaped(_title(box))}</title>'
        f'<rect width="{item.width:.1f}" height="{item.height:.1f}" rx="{radius:.1f}"/>'
    )
    if inner:
        yield (
            f'<text class="title" x="{PADDING}" y="17">'
            f'<tspan class="name">{_escaped(box.shown)}</tspan>'
            f'<tspan class="text" dx="10">{_escaped(box.gives)}</tspan></text>'
        )
        yield from _inside(item, inner, mark)
    y = PADDING / 2 - 4.0
    for kind, text in () if inner else (('name', box.name), ('text', box.shown)):
        if text:
            y += LINE
            yield _text(kind, item.width / 2, y, text)
    yield f'<g class="labels" transform="translate({item.width / 2:.1f} {item.height:.1f})">'
    for row, label in enumerate(labels):
        yield _text('type', 0, 12 + 11 * row, label)
    yield '</g></g>'


def _inside(item: Item, inner: dict[str, Layout], mark: Mark) -> Iterator[str]:
    """The subgraphs of control flow, side by side."""
    height = max(part.height for part in inner.values()) + ROLE + PADDING
    needed = sum(part.width + 2 * PADDING for part in inner.values()) + PADDING * (len(inner) + 1)
    spare = (item.width - needed) / len(inner)
    x = float(PADDING)
    for role, part in inner.items():
        width = part.width + 2 * PADDING + spare
        yield (
            f'<g class="part" transform="translate({x:.1f} {HEADER})">'
            f'<rect class="inner" width="{width:.1f}" height="{height:.1f}" rx="5"/>'
            f'<text class="role" x="8" y="13">{ROLES.get(role, role)}</text>'
        )
        yield from _layout(part, ((width - part.width) / 2, ROLE), mark)
        yield '</g>'
        x += width + PADDING


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{_escaped(text)}</text>'


def _title(box: Box) -> str:
    where = ''.join(f'\nline {line}' for _, line in box.places[:1])
    return f'{box.name} = {box.text}{where}' if box.name and box.text else box.name + box.text


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)
