"""What a `for_loop` runs over: see `ops.control_flow` for how its `iterable` tells."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..graph.graph import Node
from .rewriting import constant

Iterable = tuple[Any, ...]


def leaves(iterable: Sequence[Any]) -> Iterator[Iterable | None]:
    """For each item of a turn what it is taken from; None for what just counts on."""
    kind, *parts = iterable
    if kind in ('range', 'rows'):
        yield (kind, *parts)
        return
    if kind == 'enumerate':
        yield None
        del parts[1:]
    for part in parts:
        yield from leaves(part)


def lengths(loop: Node) -> set[int | None]:
    """How many items there are in what a loop runs over at once; None for what is not known."""
    return {_length(loop, *leaf) for leaf in leaves(loop.attrs['iterable']) if leaf is not None}


def _length(loop: Node, kind: str, *parts: int) -> int | None:
    if kind == 'rows':
        shape = loop.inputs[parts[0]].type.shape
        return shape[0] if shape else None
    turns = _range(loop, parts)
    return None if turns is None else len(turns)


def numbers(loop: Node) -> range | None:
    """The numbers that a loop counts, where it counts some that are known."""
    kind, *parts = loop.attrs['iterable']
    return _range(loop, parts) if kind == 'range' else None


def _range(loop: Node, parts: Sequence[int]) -> range | None:
    bounds = [constant(loop.inputs[part]) for part in parts]
    return range(*bounds) if None not in bounds and bounds[2] else None
