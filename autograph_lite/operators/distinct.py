"""Arrays that surely are two, where each may be one of several.

    if c:                   x and y may each be either array, but never both the same
        x, y = y, x
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..graph import nest
from ..graph.storage import Memory
from ..graph.tensor import Tensor
from .chosen_arrays import ChosenArray, Origin
from .traced_block import TracedBlock

AreTwo = Callable[[int, int], bool]


def are_distinct(a: Tensor, b: Tensor) -> bool:
    """Whether two arrays, or the arrays of which they are views, surely are two."""
    a, b = a.root, b.root
    if not set(a.memory) & set(b.memory):
        return True
    if a is b:
        return False
    mine, others = a.chosen, b.chosen
    if mine is not None and others is not None and mine.condition is others.condition:
        return all(map(_differ, mine.ways, others.ways))
    return _is_never(mine, b) or _is_never(others, a)


def _differ(a: Origin | None, b: Origin | None) -> bool:
    """Whether two arrays are two on one way of a choice; what it makes is not there before it."""
    if a is None or b is None:
        return a is not b
    return are_distinct(a.root, b.root)


def _is_never(chosen: ChosenArray | None, x: Tensor) -> bool:
    """Whether an array is none of those that are chosen from, all of which are there before."""
    return chosen is not None and all(
        origin is not None and are_distinct(origin.root, x) for origin in chosen.ways)


def surely_two(arrays: Sequence[Any], memories: Sequence[Memory]) -> AreTwo:
    """Tells of two of some leaves, by their numbers, whether they surely share no memory.

    Args:
      arrays: the handles, as far as the leaves are arrays.
      memories: the memory of each leaf.
    """

    def are_two(i: int, j: int) -> bool:
        if not set(memories[i]) & set(memories[j]):
            return True
        if len(arrays) != len(memories):
            return False
        are_known = all(
            type(arrays[k]) is Tensor and arrays[k].memory == memories[k] for k in (i, j))
        return are_known and are_distinct(arrays[i], arrays[j])

    return are_two


def two_after(block: TracedBlock) -> AreTwo:
    """The same of the leaves that a block gives."""
    memories = [leaf.memory for leaf in block.leaves]
    return surely_two(nest.flatten(block.gave)[0], memories)
