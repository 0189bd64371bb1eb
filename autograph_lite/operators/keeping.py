"""What a block that raises has changed by then, and who keeps it for the handlers around it."""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..graph.graph import Graph, Op
from .holders import Holder
from .leaves import enclosing


class Keeping:
    """Keeps, in the block of a `try`, what its handlers need.

    Attributes:
      takes: whether the handlers find what these places hold where a block, of this graph, raises.
    """

    def __init__(self) -> None:
        self.takes: Callable[[Graph, Sequence[Holder]], bool] = lambda graph, places: False

    def __call__(self, graph: Graph, op: Op) -> None:
        """Before an operation is added to a graph in the block."""
        raise NotImplementedError


def are_kept(places: Sequence[Holder], containers: Collection[Any], graph: Graph) -> bool:
    """Whether all `try` statements around a block, which raises, keep what it has changed.

    Args:
      places: what holds something else than before.
      containers: the lists and dicts that it has modified.
      graph: its graph.

    Raises:
      MoreToKeep: one of them has to.
    """
    tries = sum(each.name == 'try' for each in enclosing(graph.parent))
    if not (places or containers) or not tries:
        return True
    around = [each for each in graph.keeping if isinstance(each, Keeping)]
    return not containers and len(around) == tries and all(
        each.takes(graph, places) for each in around)
