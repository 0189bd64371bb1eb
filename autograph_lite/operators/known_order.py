"""The order of items that known parts of their keys tell: `sorted(arrays.items())`."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.orders import in_python


def known_order(
    keys: Sequence[Any], is_unknown: Callable[[Any], bool], reverse: bool, count: int | None
) -> list[int] | None:
    """The indices of the keys in their order; None where the graph has to compare some of them.

    Tuples and lists are compared up to the first part that differs: what is behind it is not asked.

    Args:
      keys: what is compared.
      is_unknown: whether Python cannot compare something while tracing, or must not.
      reverse: whether the largest come first.
      count: how many are asked of `heapq`; None for all.
    """
    try:
        return in_python([_known_parts(key, is_unknown) for key in keys], reverse, count)
    except _Asked:
        return None


class _Asked(Exception):
    """Something is compared that only the running graph knows."""


class _Unknown:
    """It stands in a key for what only the running graph knows."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def _ask(self, other: object) -> NoReturn:
        raise _Asked

    __eq__ = __lt__ = __gt__ = _ask


def _known_parts(key: Any, is_unknown: Callable[[Any], bool]) -> Any:
    """The key, with something that must not be asked in the place of what is unknown in it."""
    key = valued(key)
    for kind in (tuple, list):
        if isinstance(key, kind) and (type(key).__eq__, type(key).__lt__) == (
                kind.__eq__, kind.__lt__):
            return kind(_known_parts(part, is_unknown) for part in key)
    is_of_graph = isinstance(key, Tensor | nest.Nest | np.ndarray | dict)
    return _Unknown() if is_of_graph or is_unknown(key) else key
