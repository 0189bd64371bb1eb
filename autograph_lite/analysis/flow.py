"""The points of a control-flow graph while it is being built.

A point is a stretch of accesses that are made one after the other. The frontier is the set of
points that go on to whatever comes next; a jump puts the frontier aside until its goal is built.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node

Frontier = list[int]


class Jump(Enum):
    """The ways to leave a statement other than by its end."""

    BREAK = 'break'
    CONTINUE = 'continue'
    RETURN = 'return'
    RAISE = 'raise'


def no_jumps() -> dict[Jump, Frontier]:
    """Points that have jumped, by kind: none yet."""
    return {jump: [] for jump in Jump}


@dataclass(frozen=True)
class Mark:
    """A node that was begun, and how many accesses had been made by then."""

    node: Node
    start: int


class Flow:
    """Points, the edges between them, where building stands, and where the tree's nodes lie."""

    def __init__(self) -> None:
        self.accesses: list[Access] = []
        self.starts: list[int] = []
        self.successors: list[list[int]] = []
        self.held: list[frozenset[QualName]] = []
        self.reachable: list[bool] = []
        self.frontier: Frontier = []
        self.jumps = no_jumps()
        self.before: dict[Node, list[int]] = {}
        self.after: dict[Node, list[int]] = {}
        self.turns: dict[Node, list[int]] = {}
        self.spans: dict[Node, tuple[int, int]] = {}
        self.guards = 0  # how many `try` statements of this function stand around this place
        self.holding: frozenset[QualName] = frozenset()
        self._open = False
        self._forks: list[Frontier] = []
        self._loops: list[int] = []

    def point(self) -> int:
        """Begin a new point after the frontier."""
        index = len(self.starts)
        self.starts.append(len(self.accesses))
        self.successors.append([])
        self.held.append(self.holding)
        # Links that are added later lead back to where they came from, and change nothing in this.
        self.reachable.append(index == 0 or any(self.reachable[each] for each in self.frontier))
        self.link(self.frontier, index)
        self.frontier = [index]
        self._open = True
        if self.guards:  # any point may raise; outside every `try` nobody here would notice
            self.jumps[Jump.RAISE].append(index)
        return index

    def link(self, sources: Iterable[int], target: int) -> None:
        """Let the sources go on to the target."""
        for source in dict.fromkeys(sources):
            self.successors[source].append(target)

    def end_point(self) -> None:
        """Let the next access begin a new point."""
        self._open = False

    def emit(self, kind: Kind, name: QualName, node: Node) -> None:
        """Record an access at the place where building stands."""
        if not self._open or (self.guards and kind in CHANGES):
            self.point()  # what comes before a change may raise, and leaves the old value
        self.accesses.append(Access(kind, name, node))
        if kind is Kind.HOLD:
            self.holding |= {name}
            self.held[-1] = self.holding

    def leave(self, jump: Jump) -> None:
        """Jump from here: nothing comes next."""
        self.jumps[jump] += self.frontier
        self.resume([])

    def resume(self, frontier: Frontier) -> None:
        """Go on from other points."""
        self.frontier = list(dict.fromkeys(frontier))
        self._open = False

    def fork(self, stays: Frontier, leaves: Frontier) -> None:
        """Go on from where the flow stays; where it leaves, it skips what follows up to `join`."""
        self._forks.append(leaves)
        self.resume(stays)

    def optional(self) -> None:
        """What follows, up to `join`, may be left out."""
        self.fork(self.frontier, self.frontier)

    def otherwise(self) -> None:
        """What follows, up to `join`, happens where the flow left at `fork`."""
        self.fork(self._forks.pop(), self.frontier)

    def join(self) -> None:
        """The ways that `fork` parted meet."""
        self.resume(self.frontier + self._forks.pop())

    def begin_repeat(self) -> None:
        """What follows, up to `end_repeat`, may happen any number of times."""
        self.optional()
        self._loops.append(self.point())

    def repeat(self, sources: Frontier) -> None:
        """Let the sources begin the next turn at once, or end the repetition."""
        self.link(sources, self._loops[-1])
        self._forks[-1] = self._forks[-1] + sources

    def end_repeat(self) -> None:
        """Close what `begin_repeat` opened."""
        self.repeat(self.frontier)
        self._loops.pop()
        self.join()

    def begin(self, node: Node) -> Mark:
        """Begin a node of the tree at a point of its own."""
        self.before.setdefault(node, []).append(self.point())
        return Mark(node, len(self.accesses))

    def end(self, mark: Mark) -> None:
        """End a node at the one point where its ways have met."""
        if len(self.frontier) != 1:
            self.point()
        self.after.setdefault(mark.node, []).append(self.frontier[0])
        self.span(mark)

    def close(self, mark: Mark) -> None:
        """End a node that has blocks, at a point of its own."""
        self.point()
        self.end(mark)

    def span(self, mark: Mark) -> None:
        """End a node whose ways do not meet."""
        self.spans.setdefault(mark.node, (mark.start, len(self.accesses)))
        self.end_point()

    def turn(self, loop: Node) -> int:
        """Begin the point at which a loop decides on another turn."""
        head = self.point()
        self.turns.setdefault(loop, []).append(head)
        self.end_point()
        return head
