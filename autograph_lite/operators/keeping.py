"""What a block that raises has changed by then, and who keeps it for the handlers around it."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..graph.graph import Graph, Op
from ..graph.nest_contents import Contents
from ..ops.left import LEAVE
from .holders import Holder
from .leaves import enclosing


class Leaving:
    """Notes, before each `raise`, what a call leaves in what it was given."""

    def __call__(self, graph: Graph, op: Op) -> None:
        """Before an operation is added to a graph of the trace."""
        raise NotImplementedError

    def notes(self, x: Any) -> bool:
        """Whether it notes what this container holds, which may stand for another in a block."""
        raise NotImplementedError

    def forget(self, graph: Graph) -> None:
        """Notes, in a graph, that nothing is left."""
        raise NotImplementedError

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to be noted by now."""
        raise NotImplementedError


def leaves_something(graph: Graph) -> bool:
    """Whether the function has by now changed what it was given, which is noted in this graph."""
    return any(isinstance(each, Leaving) and each.is_changed for each in graph.keeping)


def forget_left(tried: Iterable[Graph], graph: Graph) -> None:
    """At the start of a handler: what was noted where the block raised, no call leaves any more."""
    if any(node.op is LEAVE for each in tried for node in each.walk()):
        for leaving in graph.keeping:
            if isinstance(leaving, Leaving):
                leaving.forget(graph)


def not_left(modified: Contents, graph: Graph | None) -> list[Any]:
    """Of lists and dicts, those of which nothing notes what they hold where this graph raises."""
    around = [] if graph is None else [each for each in graph.keeping if isinstance(each, Leaving)]
    return [x for x, _ in modified if not any(each.notes(x) for each in around)]


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
