"""What a block that raises has changed by then, and who keeps it for the handlers around it."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from ..graph.graph import Graph, Op
from ..graph.nest_contents import Contents
from .holders import Holder
from .leaves import enclosing


class Keeping:
    """Keeps, in the block of a `try`, what its handlers need.

    Attributes:
      takes: whether the handlers find what these places, and these lists and dicts, hold where a
        block, of this graph, raises.
    """

    def __init__(self) -> None:
        self.takes: Callable[[Graph, Sequence[Holder], Contents], bool] = lambda *given: False

    def __call__(self, graph: Graph, op: Op) -> None:
        """Before an operation is added to a graph in the block."""
        raise NotImplementedError


def are_kept(places: Sequence[Holder], containers: Contents, graph: Graph) -> bool:
    """Whether all `try` statements around a block, which raises, keep what it has changed.

    Args:
      places: what holds something else than before.
      containers: the lists and dicts that it has modified, and what they held before.
      graph: its graph.

    Raises:
      MoreToKeep: one of them has to.
      Restage: the same, of a list that grows.
    """
    tries = sum(each.name == 'try' for each in enclosing(graph.parent))
    if not (places or containers) or not tries:
        return True
    around = [each for each in graph.keeping if isinstance(each, Keeping)]
    return len(around) == tries and all(each.takes(graph, places, containers) for each in around)
