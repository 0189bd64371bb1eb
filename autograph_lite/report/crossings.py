"""In which order the items of each layer stand, so that few edges cross.

To begin with, what is connected stands together. Then each layer in turn is ordered by the middle
of what its items are connected to, downwards and upwards.
"""
from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Sequence

from .layers import Item

_SWEEPS = 16
_PATIENCE = 4


def order(rows: list[list[Item]]) -> None:
    """Orders every row."""
    found = [_improved(_depth_first(rows, upwards)) for upwards in (False, True)]
    rows[:] = min(found, key=crossings)


def _improved(rows: list[list[Item]]) -> list[list[Item]]:
    """The best order that some sweeps come to."""
    best, fewest, since = [list(row) for row in rows], crossings(rows), 0
    for sweep in range(_SWEEPS):
        if not fewest or since > _PATIENCE:
            break
        down = sweep % 2 == 0
        for fixed, row in itertools.pairwise(rows if down else reversed(rows)):
            _by_middle(fixed, row, down)
        found, since = crossings(rows), since + 1
        if found < fewest:
            best, fewest, since = [list(row) for row in rows], found, 0
    return best


def crossings(rows: Iterable[Sequence[Item]]) -> int:
    """How often edges cross."""
    count = 0
    for upper, lower in itertools.pairwise(rows):
        place = _places(lower)
        passed: list[int] = []
        for item in upper:
            ends = sorted(place[other] for other in item.below)
            count += sum(len(passed) - bisect.bisect_right(passed, end) for end in ends)
            for end in ends:
                bisect.insort(passed, end)
    return count


def _places(row: Sequence[Item]) -> dict[Item, int]:
    return {item: i for i, item in enumerate(row)}


def _depth_first(rows: Sequence[list[Item]], upwards: bool) -> list[list[Item]]:
    """What is connected stands together: what is below an item, and before it what is above."""
    seen: dict[Item, int] = {}
    pending = [item for row in reversed(rows) for item in reversed(row)]
    while pending:
        item = pending.pop()
        if item not in seen:
            seen[item] = len(seen)
            pending += reversed([*item.above, *item.below] if upwards else item.below)
    return [sorted(row, key=seen.__getitem__) for row in rows]


def _by_middle(fixed: Sequence[Item], row: list[Item], down: bool) -> None:
    place = _places(fixed)
    middles = {}
    for i, item in enumerate(row):
        near = [place[other] for other in (item.above if down else item.below)]
        middles[item] = sum(near) / len(near) if near else float(i)
    row.sort(key=middles.__getitem__)
