"""What arrays outside held before code went on that Python runs as it is."""
from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node
from ..graph.tracing import CONSTANT

Array = np.ndarray[Any, Any]


@dataclass
class NotedArrays:
    """The arrays that such code may change.

    Attributes:
      read: those that the graph reads, and what tells what they held.
      nodes: how many of the nodes of each graph were looked at for that.
      named: those that such code names, and what they held.
      latest: what those of them hold by now that such code has changed.
    """

    read: dict[int, tuple[Array, int]] = field(default_factory=dict)
    nodes: dict[Graph, int] = field(default_factory=dict)
    named: dict[int, tuple[Array, Array]] = field(default_factory=dict)
    latest: dict[int, Array] = field(default_factory=dict)

    def note_read(self, graph: Graph, is_any: bool) -> None:
        """Notes those that a graph reads so far: all of them, or those that such code names."""
        known = min(self.nodes.get(graph, 0), len(graph.nodes))
        self.nodes[graph] = len(graph.nodes)
        for array in map(read_by, graph.nodes[known:]):
            if array is not None and id(array) not in self.read and (
                is_any or id(array) in self.named
            ):
                self.read[id(array)] = array, _sum_of(array)

    def note_named(self, x: Any) -> None:
        """Notes it if it is an array."""
        if type(x) is np.ndarray and x.flags.writeable and id(x) not in self.named:
            self.named[id(x)] = x, x.copy('K')

    @property
    def changed_now(self) -> list[Array]:
        """Those that such code has changed since this was asked before."""
        found = [
            (key, array) for key, (array, held) in self.named.items()
            if not _are_same(array, self.latest.get(key, held))]
        self.latest.update((key, array.copy('K')) for key, array in found)
        return [array for _, array in found]

    @property
    def changed_after_read(self) -> set[int]:
        """Identifies those of which the graph would read something else than traced code has."""
        return {key for key, (array, held) in self.read.items() if _sum_of(array) != held}

    @property
    def changed(self) -> list[tuple[Array, Array]]:
        """Those that such code names and has changed, and what they held."""
        known = self.named.values()
        return [(array, held) for array, held in known if not _are_same(array, held)]


def read_by(node: Node) -> Array | None:
    """The array that a node reads when the graph runs."""
    value = node.attrs['value'] if node.op is CONSTANT else None
    return value if type(value) is np.ndarray and not value.dtype.hasobject else None


def _are_same(array: Array, held: Array) -> bool:
    """Whether an array holds what its copy does, to the bit."""
    if array.dtype.hasobject or not array.flags.forc:
        return array.tobytes() == held.tobytes()
    kind = np.uint8 if array.nbytes % 8 else np.uint64
    now, before = (x.ravel('K').view(np.uint8).view(kind) for x in (array, held))
    return np.array_equal(now, before)


def _sum_of(array: Array) -> int:
    """A number that tells what it holds."""
    return zlib.crc32(array.tobytes())
