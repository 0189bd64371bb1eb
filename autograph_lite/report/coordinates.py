"""Where the items of each layer stand, in their order: near to what they are connected to.

Each layer in turn takes its best place given the layers around it: where the squares of how far
its edges lead sideways are least. What would overlap moves together. Edges over many layers count
for more, and so do links of chains, so that they become straight.
"""
from __future__ import annotations

import itertools
from collections.abc import Sequence

from .layers import BETWEEN, Item

_ROUNDS = 24
_APART = 8  # labels


def place(rows: Sequence[Sequence[Item]]) -> float:
    """Sets every x; the width of all."""
    for row in rows:
        _spread(row, [(0.0, 1.0)] * len(row))
    for turn in range(_ROUNDS):
        for row in rows if turn % 2 == 0 else reversed(rows):
            _spread(row, [_wish(item) for item in row])
    for row in rows:
        _straighten(row)
    everything = [item for row in rows for item in row]
    left = min(item.x - max(item.width, item.label) / 2 for item in everything)
    for item in everything:
        item.x -= left
    return max(item.x + max(item.width, item.label) / 2 for item in everything)


def _wish(item: Item) -> tuple[float, float]:
    """Where an item is to be, and how much that matters."""
    near = [(other.x, _weight(other, item)) for other in item.above]
    near += [(other.x, _weight(item, other)) for other in item.below]
    total = sum(weight for _, weight in near)
    return (sum(x * weight for x, weight in near) / total, total) if near else (item.x, 1.0)


def _weight(upper: Item, lower: Item) -> float:
    if upper.box is None and lower.box is None:
        return 8.0
    # Edges that run together count as one.
    together = [upper.below] * (upper.box is None) + [lower.above] * (lower.box is None)
    if together:
        return 2.0 / len(together[0])
    return 4.0 if len(upper.below) == len(lower.above) == 1 else 1.0


def _straighten(row: Sequence[Item]) -> None:
    """What stands nearly below what it is connected to stands right below."""
    wishes = []
    for item in row:
        x = item.x
        nearest = min((other.x for other in item.above), key=lambda at: abs(at - x), default=x)
        wishes.append((nearest, 100.0) if abs(nearest - x) < BETWEEN else (x, 1.0))
    _spread(row, wishes)


def _spread(row: Sequence[Item], wishes: Sequence[tuple[float, float]]) -> None:
    """Moves a row to where it wants to be; what would overlap becomes one group, placed as one."""
    groups: list[tuple[float, float, int]] = []  # where the first wants to be, how much, how many
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        offsets.append(offsets[-1] + gap(left, right))
    for offset, (wish, weight) in zip(offsets, wishes, strict=True):
        first, total, count = wish - offset, weight, 1
        while groups and groups[-1][0] > first:
            before, much, many = groups.pop()
            first = (before * much + first * total) / (much + total)
            total, count = total + much, count + many
        groups.append((first, total, count))
    firsts = [first for first, _, count in groups for _ in range(count)]
    for item, first, offset in zip(row, firsts, offsets, strict=True):
        item.x = first + offset


def gap(left: Item, right: Item) -> float:
    """How far apart the middles of two neighbours are, at least."""
    space = sum(BETWEEN / 2 if item.box else BETWEEN / 4 for item in (left, right))
    return max((left.width + right.width) / 2 + space, (left.label + right.label) / 2 + _APART)
