"""Broadcasting of shapes of which some axes are unknown."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from ..graph.types import Shape


class BroadcastError(Exception):
    """Two axes that do not fit."""


def broadcast(shapes: Iterable[Shape | None]) -> Shape | None:
    """The shape that arrays of these shapes broadcast to.

    Raises:
      BroadcastError: two known lengths do not fit.
    """
    known = []
    for shape in shapes:
        if shape is None:
            return None
        known.append(tuple(reversed(shape)))
    axes = [_axis(lengths) for lengths in zip_longest(*known, fillvalue=1)]
    return tuple(reversed(axes))


def _axis(lengths: Sequence[int | None]) -> int | None:
    """An unknown length beside n > 1 must be n or 1, so the result is n; beside 1 it is unknown."""
    result: int | None = 1
    for length in lengths:
        if length is None:
            result = None if result == 1 else result
        elif length != 1:
            if result not in (1, None, length):
                raise BroadcastError
            result = length
    return result


def assume(shape: Shape | None) -> tuple[int, ...]:
    """The shape with ones for what is unknown, to show NumPy what is known to be wrong."""
    return tuple(1 if n is None else n for n in shape or ())
