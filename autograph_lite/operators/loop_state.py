"""The state of a staged loop: its types, its handles, and who may modify the memory of which."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

from ..errors import AutographError, Location, OwnershipError, UnboundError
from ..graph import nest
from ..graph.graph import Graph
from ..graph.ownership import modified_elsewhere
from ..graph.storage import ELEMENT, Memory, Storage
from ..graph.tensor import Tensor
from ..graph.types import ListType, TensorType
from .aliases import CONTENTS, aliased, becomes_anothers
from .block_ways import Way
from .distinct import AreTwo
from .handles import handle
from .leaves import Join, Leaf, join_leaves
from .recalled import Recalled
from .staging import identifier
from .traced_block import TracedBlock
from .unbound import NOTHING, Unbound

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

    @property
    def is_untold(self) -> bool:
        """Whether it is a name of whose value nothing tells whether the name has it."""
        unbound = self.join.unbound if self.type is not None else self.join.static
        if not isinstance(unbound, Unbound) or not unbound.name:
            return False
        return unbound.optional if self.type is not None else unbound.there is not NOTHING

    @property
    def is_contents(self) -> bool:
        """Whether it is what an array holds, which all names for that read: see `view_bases`."""
        return self.name.endswith(CONTENTS)

    def as_leaf(self) -> Leaf:
        """The state at the start of a turn, as a way to join with."""
        if self.type is None or self.handle is None:
            return self.before if self.before.type is None else Leaf(None, self.join.static)
        return Leaf(self.type, value=self.handle.read(), unbound=self.join.unbound)

    @property
    def memory(self) -> set[Storage]:
        """The memory that it names at the start of a turn."""
        return set() if self.handle is None else set(self.handle.memory)


class Turn(TracedBlock):
    """One traced turn of a loop."""

    def rebound(self) -> set[int]:
        """Of what can be changed in place, by identity, what has a name that now has another."""
        assert self.reached is not None
        assert self.as_it_was is not None
        return self.reached.named & self.as_it_was.rebound(self.gave)

    def changing(self) -> set[int]:
        """By identity, what before the loop later turns may be passed something else for."""
        assert self.as_it_was is not None
        origins = self.as_it_was.origins
        return {id(origins[x]) for x in self.as_it_was.changing(self.gave) if x in origins}

    def back(self) -> Way:
        """What it did to what was given."""
        assert self.reached is not None
        assert self.as_it_was is not None
        modified = self.modified_here() | self.reached.modified
        changing = self.as_it_was.changing(self.gave)
        return Way(self.gave, self.as_it_was.origins, modified, self.reached.holders, changing)


def slot_of(name: str, before: Leaf) -> Slot:
    """The state in one leaf, of which nothing is known but what it is before the loop."""
    if before.type is None:
        return Slot(name, before, Join(None, before.static))
    return Slot(name, before, Join(before.type, unbound=before.unbound))


def begin_with(recalled: Recalled, form: nest.Structure, slots: Sequence[Slot]) -> None:
    """The types that hold at every turn may be known from when the loop was traced before."""
    joins = recalled.joins(form, [slot.before for slot in slots])
    for slot, join in zip(slots, joins, strict=True):
        if join is not None and join.type is not None:
            slot.join = join


def note_types(recalled: Recalled, form: nest.Structure, slots: Sequence[Slot]) -> None:
    """What is known by now of the types that hold at every turn."""
    befores, joins = [slot.before for slot in slots], [slot.join for slot in slots]
    recalled.note_joins(form, befores, joins)


def settle(slots: list[Slot], returned: list[Leaf]) -> bool:
    """Joins the state with what a turn made of it; whether that changed what is known of it."""
    changed = False
    for slot, leaf in zip(slots, returned, strict=True):
        join = join_leaves(slot.name, slot.as_leaf(), leaf, WAYS)
        if join.unbound is not None:
            # Only the running loop knows whether it made a turn.
            join = replace(join, unbound=join.unbound.untold())
        changed |= join.type != slot.type or _flags(join) != _flags(slot.join)
        slot.join = join
    return changed


def _flags(join: Join) -> tuple[bool, bool]:
    """Whether what is there, where there is something, may be None, and may have another name."""
    unbound = join.unbound
    return (False, False) if unbound is None else (unbound.optional, unbound.shared)


def joined_by_turns(
    slots: Sequence[Slot], error: BaseException
) -> list[tuple[str, TensorType, TensorType]]:
    """The state that may be why a turn raises a TypeError: its type is not that before the loop.

    Returns:
      Its names, with both types.
    """
    if not isinstance(error, TypeError) or isinstance(error, AutographError):
        return []
    typed = ((slot.name, slot.before.type, slot.type) for slot in slots)
    return [(name, a, b) for name, a, b in typed if a is not None and b is not None and a != b]


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
        held = handle(param, slot.before.memory or None)
        if is_turn:
            slot.handle = held
        unbound = slot.join.unbound
        leaves.append(held if unbound is None else unbound.holding(held))
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


def _outer(storage: Storage, turn: Turn) -> frozenset[Storage]:
    """What memory may be of what is there before a turn."""
    return frozenset([storage]) if storage.owner == ELEMENT else storage.around(turn.graph)


def _one_after_a_turn(slot: Slot, other: Slot, turn: Turn) -> OwnershipError:
    """The error for state that after a turn may be other state, one of which turns modify."""
    is_modified = not slot.memory.isdisjoint(turn.written)
    names = (other.name, slot.name) if is_modified else (slot.name, other.name)
    return aliased(*names, 'list' if isinstance(slot.type, ListType) else 'array')


def _trades(
    turn: Turn, pairs: Iterable[tuple[Slot, Leaf]]
) -> Iterator[tuple[str, set[Storage]]]:
    """The names that get memory from before the loop in a turn, with theirs and what they get."""
    for slot, leaf in pairs:
        outer = {s for each in leaf.memory for s in _outer(each, turn)}
        if not outer.issubset(slot.memory):
            yield slot.name, outer.union(slot.memory)


def _reached(
    trades: list[tuple[str, set[Storage]]], written: set[Storage]
) -> Iterator[tuple[str, set[Storage]]]:
    """Those of the trades by which what is written comes to have another name, turn by turn."""
    while True:
        reached = [trade for trade in trades if trade[1] & written]
        if not reached:
            return
        yield from reached
        trades = [trade for trade in trades if trade not in reached]
        written = written.union(*(memory for _, memory in reached))


def memories_after(turn: Turn, slots: Sequence[Slot], has_turns: bool) -> list[Memory]:
    """The memory that the state may have after a loop, as what is around it and a turn see it.

    Args:
      turn: a turn.
      slots: the state.
      has_turns: whether the loop surely makes a turn: then what a turn makes is what there is.
    """
    return [
        leaf.memory if has_turns and _is_made(leaf, turn) else slot.before.memory + leaf.memory
        for leaf, slot in zip(turn.leaves, slots, strict=True)]


def _is_made(leaf: Leaf, turn: Turn) -> bool:
    """Whether a turn makes an array."""
    return bool(leaf.memory) and not any(_outer(each, turn) for each in leaf.memory)


def check_state(
    turn: Turn, slots: list[Slot], are_two: AreTwo
) -> dict[Storage, Location | None]:
    """State that is modified must not overlap with other state, whatever way the turns move it.

    Args:
      turn: a turn.
      slots: the state.
      are_two: tells of two leaves after the turn, by number, whether they surely share no memory.

    Returns:
      The memory that later turns write because the state's names trade places.

    Raises:
      OwnershipError: arrays of the state share memory, or trade places with one of the caller's.
    """
    moved: dict[Storage, Location | None] = {}
    if not turn.written:
        return moved
    pairs = {
        i: (slot, leaf)
        for i, (slot, leaf) in enumerate(zip(slots, turn.leaves, strict=True))
        if (unbound := slot.join.unbound) is None or unbound.name or unbound.optional
    }
    state = {storage for slot in slots for storage in slot.memory}
    where = next(iter(turn.written.values()))
    for name, memory in _reached(list(_trades(turn, pairs.values())), state & turn.written.keys()):
        moved |= dict.fromkeys(memory, where)
        for storage in (*memory, *moved):
            if storage not in state or storage.owner:
                raise becomes_anothers(name, storage)
    touched = turn.written.keys() | moved.keys()
    arrays = [(i, slot, leaf) for i, (slot, leaf) in pairs.items() if leaf.memory]
    for (i, slot, leaf), (j, other, another) in combinations(arrays, 2):
        # What a turn itself makes, it writes before two names of the next turn have it.
        shared = {s for s in leaf.memory if s in another.memory and _outer(s, turn)}
        is_known = slot.is_contents and other.is_contents  # of one written, the other is taken anew
        touches = touched & (shared | slot.memory | other.memory)
        if touches and not is_known and not are_two(i, j):
            raise _one_after_a_turn(slot, other, turn)
    return {storage: at for storage, at in moved.items() if storage.graph is not turn.graph}
