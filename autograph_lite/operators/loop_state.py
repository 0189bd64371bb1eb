"""The state of a staged loop: its types, its handles, and who may modify the memory of which."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..errors import Location, UnboundError
from ..graph import nest
from ..graph.graph import Graph
from ..graph.tensor import Storage, Tensor, modified_elsewhere
from ..graph.types import TensorType
from .aliases import aliased
from .identity import Way, origins
from .leaves import Join, Leaf, join_leaves
from .lists import handle
from .reachable import Reachable
from .staging import identifier
from .unbound import Unbound

WAYS = ('before the loop', 'after a turn of it')


@dataclass
class Slot:
    """One leaf of the loop's state: what it was before, what holds at every turn, its handle."""

    name: str
    before: Leaf
    join: Join
    handle: Tensor | None = None
    reads: list[UnboundError] = field(default_factory=list)  # where it had no type yet

    @property
    def type(self) -> TensorType | None:
        return self.join.type

    def as_leaf(self) -> Leaf:
        """The state at the start of a turn, as a way to join with."""
        if self.type is None or self.handle is None:
            return Leaf(None, self.join.static, unbound=self.before.unbound)
        return Leaf(self.type, value=self.handle.read(), unbound=self.join.unbound)

    @property
    def memory(self) -> set[Storage]:
        """The memory that it names at the start of a turn."""
        return set() if self.handle is None else set(self.handle.memory)


@dataclass(frozen=True)
class Turn:
    """One traced turn: the body's graph, what it returned, and the memory that it wrote."""

    graph: Graph
    leaves: list[Leaf]
    written: dict[Storage, Location | None]
    modified: set[int] = field(default_factory=set)
    held: nest.Contents = field(default_factory=list)
    passed: Any = None
    gave: Any = None
    reached: Reachable | None = None

    def back(self, given: Any) -> Way:
        """What it did to what was given."""
        modified = {id(self.held[i][0]) for i in self.modified}
        if self.reached is None:
            return Way(self.gave, {}, modified, lambda _: ())
        modified |= self.reached.modified
        return Way(self.gave, origins(self.passed, given), modified, self.reached.holders)


def slot_of(name: str, before: Leaf) -> Slot:
    if before.type is None:
        return Slot(name, before, Join(None, before.static))
    return Slot(name, before, Join(before.type, unbound=before.unbound))


def settle(slots: list[Slot], returned: list[Leaf]) -> bool:
    """Joins the state with what a turn made of it; whether that changed a type."""
    changed = False
    for slot, leaf in zip(slots, returned, strict=True):
        join = join_leaves(slot.name, slot.as_leaf(), leaf, WAYS)
        if join.unbound is not None:
            # Only the running loop knows whether it made a turn.
            join = replace(join, unbound=Unbound(join.unbound.name))
        changed |= join.type != slot.type
        slot.join = join
    return changed


def as_it_was(slot: Slot) -> Leaf:
    """What stands for the state after a turn that never ends: nobody reads it."""
    if slot.type is None or slot.handle is None:
        return slot.as_leaf()
    return Leaf(slot.type, value=slot.handle.held, unbound=slot.join.unbound)


def operands_of(
    graph: Graph, structure: nest.Structure, slots: list[Slot], is_turn: bool = False
) -> Any:
    """The state as a turn sees it, with a parameter of the graph for each leaf that has a type."""
    leaves: list[Any] = []
    for slot in slots:
        slot.reads.clear()
        if slot.type is None:
            static = slot.join.static
            if is_turn and isinstance(static, Unbound):
                static = Unbound(static.name, static.why, reads=slot.reads)
            leaves.append(static)
            continue
        param = graph.param(slot.type, identifier(slot.name))
        slot.handle = handle(param, slot.before.memory or None)
        unbound = slot.join.unbound
        leaves.append(slot.handle if unbound is None else unbound.holding(slot.handle))
    return nest.unflatten(structure, leaves)


def check_reads(turn: Turn, graphs: dict[str, Graph]) -> None:
    """What a turn reads through a name that is not loop state, no turn may modify.

    Raises:
      OwnershipError: it does.
    """
    for graph in graphs.values():
        inside = [g for node in graph.walk() for g in node.graphs.values()]
        for read in (read for g in (graph, *inside) for read in g.reads):
            if read.graph in (turn.graph, graph, *inside):
                continue
            for storage in read.memory:
                if storage in turn.written:
                    raise modified_elsewhere(read, storage)


def check_state(turn: Turn, slots: list[Slot]) -> dict[Storage, Location | None]:
    """State that is modified must not overlap with other state, whatever way the turns move it.

    Returns:
      The memory that later turns write because the state's names trade places.

    Raises:
      OwnershipError: arrays of the state share memory, or trade places with one of the caller's.
    """
    moved: dict[Storage, Location | None] = {}
    if not turn.written:
        return moved
    pairs = [
        (slot, leaf)
        for slot, leaf in zip(slots, turn.leaves, strict=True)
        if slot.join.unbound is None or slot.join.unbound.name
    ]
    state = {storage for slot in slots for storage in slot.memory}
    where = next(iter(turn.written.values()))
    for slot, leaf in pairs:
        outer = {s for s in leaf.memory if s.graph is not turn.graph}
        if outer - slot.memory and (state & turn.written.keys()):
            moved |= dict.fromkeys((*slot.memory, *outer), where)
            if outer - state or any(storage.owner for storage in moved):
                raise aliased(slot.name)
    touched = turn.written.keys() | moved.keys()
    for i, (slot, leaf) in enumerate(pairs):
        for other, another in pairs[:i]:
            shared = set(leaf.memory) & set(another.memory)
            if shared and touched & (shared | slot.memory | other.memory):
                raise aliased(slot.name)
    return {storage: at for storage, at in moved.items() if storage.graph is not turn.graph}
