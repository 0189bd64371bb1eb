"""A picture that is much higher than wide goes on in another column.

What the next column takes from the one before stands there once more. An input looks as before;
anything else has a number where it ends and where it goes on.
"""
from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from .diagram import Box, Diagram, Edge
from .layers import LAYERS, Levels, Size

_HIGH = 2400
# How much wider than high all columns together are to be, about.
_SHAPE = 1.5
# A column ends where no more values than these go on.
_FEW = 3
# It is at least so full, and the last one at most.
_FULL = 0.6
_FULLEST = 1.2


def columns(diagram: Diagram, size: Size, numbers: Iterator[int]) -> list[Diagram]:
    """The diagram in pieces, each of them a column; itself if it is not high."""
    level = Levels(diagram, size).level
    heights: Counter[int] = Counter()
    widths: Counter[int] = Counter()
    for box, at in level.items():
        heights[at] = max(heights[at], round(size(box)[1]) + LAYERS)
        widths[at] += round(size(box)[0])
    total = sum(heights.values())
    high = max(_HIGH, (total * max(widths.values(), default=0) / _SHAPE) ** 0.5)
    if total <= _FULLEST * high:
        return [diagram]
    piece: dict[int, int] = {}
    for at, levels in enumerate(_cut(heights, _passing(diagram, level), high)):
        piece.update(dict.fromkeys(levels, at))
    return _pieces(diagram, {box: piece[at] for box, at in level.items()}, numbers)


def _cut(heights: Counter[int], passing: Counter[int], high: float) -> Iterator[list[int]]:
    """The levels of each column, which ends where few values go on."""
    rest = sorted(heights)
    while True:
        tops = [0, *itertools.accumulate(heights[at] for at in rest)]
        if tops[-1] <= _FULLEST * high:
            break
        ends = range(1, len(rest))
        near = [i for i in ends if _FULL * high <= tops[i] <= high and passing[rest[i]] <= _FEW]
        far = [i for i in ends if tops[i] > high and passing[rest[i]] <= _FEW]
        if not near and not far:
            break
        end = min(reversed(near), key=lambda i: passing[rest[i]]) if near else far[0]
        yield rest[:end]
        rest = rest[end:]
    yield rest


def _passing(diagram: Diagram, level: dict[Box, int]) -> Counter[int]:
    """How many values are taken from above each level."""
    ends: dict[Box, int] = {}
    for edge in diagram.edges:
        if edge.source in level:
            ends[edge.source] = max(ends.get(edge.source, 0), level[edge.target])
    return Counter(at for box, end in ends.items() for at in range(level[box] + 1, end + 1))


def _pieces(diagram: Diagram, piece: dict[Box, int], numbers: Iterator[int]) -> list[Diagram]:
    """The diagram in pieces, given in which one each box is that takes something."""
    pieces = [Diagram() for _ in range(max(piece.values()) + 1)]
    twins: dict[tuple[Box, int], Box] = {}
    ends: dict[Box, tuple[int, Box]] = {}
    leaving: dict[Edge, None] = {}
    for edge in diagram.edges:
        at, source = piece[edge.target], edge.source
        if piece.setdefault(source, at) != at:
            if source.kind == 'input':
                twin = replace(source)
            else:
                if source not in ends:
                    number = next(numbers)
                    ends[source] = number, _mark(source, f'goes on at {number}')
                number, end = ends[source]
                leaving[Edge(source, end, edge.label)] = None
                twin = _mark(source, f'continues {number}')
            source = twins.setdefault((source, at), twin)
        pieces[at].edges.append(replace(edge, source=source))
    for (_, at), twin in twins.items():
        pieces[at].boxes.append(twin)
    for box in diagram.boxes:
        pieces[piece[box]].boxes.append(box)
    for source, (_, end) in ends.items():
        pieces[piece[source]].boxes.append(end)
    for edge in leaving:
        pieces[piece[edge.source]].edges.append(edge)
    return pieces


def _mark(box: Box, text: str) -> Box:
    """What stands where a box goes on in another column, and where it does."""
    return replace(box, kind='continued', name=box.name or box.shown, text=text, inner={})
