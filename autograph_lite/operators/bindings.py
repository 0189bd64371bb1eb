"""At which points of a trace a variable outside holds the same list.

    if x > 3:
        self.batch = []
    self.batch.append(x)

Where branches and loops set it to lists, only the running graph knows which list that is: each
read of the variable finds it there. A name of the traced code stands for it until the variable is
set again.
"""
from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Any

from ..graph.graph import Graph
from .anew import TracedAnew, note_late
from .in_place import is_block_of_turns, is_repeated


@dataclass(eq=False)
class Binding:
    """What a variable holds from one point of a trace on.

    Attributes:
      is_from_before: whether that may be what it held when the graph began.
      is_list: whether it is a list, if the function has set it.
      stand_in: what stands for it in the traced code.
    """

    is_from_before: bool
    is_list: bool = True
    stand_in: Any = None


class Bindings:
    """The variables that the running graph finds lists in, and when it sets them.

    Args:
      expected: says which ones.

    Attributes:
      read: those of which what they held when the graph began was read or changed.
      others: the lists outside that the graph sets each of them to.
      made: the containers that it sets them to, by identity, and what the user calls the variable.
    """

    def __init__(self, expected: Collection[Hashable]) -> None:
        self._expected = expected
        self._last: dict[tuple[Graph, Hashable], Binding] = {}
        self.read: set[Hashable] = set()
        self.others: dict[Hashable, list[Any]] = {}
        self.made: dict[int, tuple[Any, str]] = {}

    def are_of(self, where: Hashable) -> bool:
        """Whether the running graph finds a list in this variable."""
        return ('held', where) in self._expected and not self.cannot_be_of(where)

    def cannot_be_of(self, where: Hashable) -> bool:
        """Whether it was found to hold what the graph cannot find there."""
        return ('never held', where) in self._expected

    def now(self, where: Hashable, graph: Graph) -> Binding:
        """What the variable holds at this point of the trace.

        A turn of a loop that sets it may begin with what the one before it has left.
        """
        known = self._last.get((graph, where))
        if known is not None:
            return known
        if graph.parent is None:
            known = Binding(is_from_before=True)
        else:
            known = self.now(where, graph.parent)
            if not (is_block_of_turns(graph) and ('in turns', where) in self._expected):
                return known
            known = Binding(known.is_from_before)
        self._last[graph, where] = known
        return known

    def has_list(self, where: Hashable, graph: Graph) -> bool:
        """Whether the running graph finds a list in the variable at this point of the trace."""
        return self.are_of(where) and self.now(where, graph).is_list

    def begin(self, where: Hashable, graph: Graph, is_list: bool = True) -> None:
        """The variable is set here; around the block that does so, it perhaps is.

        Raises:
          TracedAnew: what it holds then, no graph finds.
        """
        if is_repeated(graph) and ('in turns', where) not in self._expected:
            note_late(('in turns', where))
        around = graph.parent
        while around is not None:
            known = self.now(where, around)
            if not (is_list and known.is_list):
                raise TracedAnew(('never held', where))
            self._last[around, where] = Binding(known.is_from_before)
            around = around.parent
        self._last[graph, where] = Binding(False, is_list)
