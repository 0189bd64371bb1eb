"""Fixed points over a graph whose facts are sets of bits, one integer for each point."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Transfer:
    """What a point makes of the facts that reach it: drops some, then adds some."""

    gen: int
    kill: int

    def __call__(self, facts: int) -> int:
        return facts & ~self.kill | self.gen


def solve(
    sources: Sequence[Sequence[int]], transfers: Sequence[Transfer], *, backward: bool
) -> tuple[list[int], list[int]]:
    """The facts that reach each point from its sources, and what it makes of them.

    Points are numbered in the order of the text, which is the order that information takes; a point
    waits at most once, and the one that comes first in that order goes first.
    """
    count = len(sources)
    users: list[list[int]] = [[] for _ in range(count)]
    for point, its_sources in enumerate(sources):
        for source in its_sources:
            users[source].append(point)
    rank = -1 if backward else 1
    reaching, made = [0] * count, [transfer(0) for transfer in transfers]
    waiting = sorted(rank * point for point in range(count))
    queued = [True] * count
    while waiting:
        point = rank * heappop(waiting)
        queued[point] = False
        facts = 0
        for source in sources[point]:
            facts |= made[source]
        reaching[point] = facts
        result = transfers[point](facts)
        if result != made[point]:
            made[point] = result
            for user in users[point]:
                if not queued[user]:
                    queued[user] = True
                    heappush(waiting, rank * user)
    return reaching, made


def union(facts: Sequence[int], points: Sequence[int]) -> int:
    """The facts that hold at any of some points."""
    found = 0
    for point in points:
        found |= facts[point]
    return found


@dataclass(frozen=True)
class Universe:
    """All names of a function; a set of them is an integer with one bit for each, in order."""

    names: tuple[QualName, ...]
    index: Mapping[QualName, int]
    inside: Mapping[QualName, int]

    @classmethod
    def of(cls, names: Iterator[QualName]) -> Universe:
        """The universe of these names and of the places they lie in."""
        index: dict[QualName, int] = {}
        inside: dict[QualName, int] = {}
        for name in names:
            if name not in index:
                for place in (*name.parents, name):
                    bit = index.setdefault(place, len(index))
                    inside.setdefault(place, 0)
                    inside[place] |= 1 << bit
                for parent in name.parents:
                    inside[parent] |= 1 << index[name]
        return cls(tuple(index), index, inside)

    def bit(self, name: QualName) -> int:
        """The set of this name alone; empty if the function never mentions it."""
        position = self.index.get(name)
        return 0 if position is None else 1 << position

    def whole(self, name: QualName) -> int:
        """The set of this name and of every place that lies in it."""
        return self.inside.get(name, 0)

    def whole_of(self, names: Iterable[QualName]) -> int:
        """The set of some names and of every place that lies in them."""
        bits = 0
        for name in names:
            bits |= self.whole(name)
        return bits

    def decode(self, bits: int) -> tuple[QualName, ...]:
        """The names of a set, in order of first appearance in the function."""
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self.names[lowest.bit_length() - 1])
            bits ^= lowest
        return tuple(found)


class NameSets(Mapping[Node, tuple[QualName, ...]]):
    """A table from nodes to names, kept as bits and spelled out when asked for."""

    def __init__(self, universe: Universe, bits: Mapping[Node, int]) -> None:
        self._universe = universe
        self._bits = bits

    def __getitem__(self, node: Node) -> tuple[QualName, ...]:
        return self._universe.decode(self._bits[node])

    def among(self, node: Node, names: Iterable[QualName]) -> tuple[QualName, ...]:
        """Those of the names that are in the node's set: quicker than spelling out a large one."""
        bits = self._bits[node]
        return tuple(name for name in names if bits & self._universe.bit(name))

    def __iter__(self) -> Iterator[Node]:
        return iter(self._bits)

    def __len__(self) -> int:
        return len(self._bits)
