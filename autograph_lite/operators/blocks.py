"""Tracing a staged block: one way through it, what it gives, and what it changes.

A block is a branch or the turn of a loop. It runs once, into a graph of its own. What it returns
and what it changes (places and arrays that are older than the block) is recorded; then everything
is rolled back, so that the next way starts where this one did.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ..errors import Location, OwnershipError, UnboundError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.tensor import IndexedByTensorError, Storage, Tensor
from ..graph.tracing import (
    Checkpoint,
    checkpoint,
    mark_written,
    note_writes,
    tracing_into,
    undo_writes,
    writes_since,
)
from .effects import raises_when_run
from .joining import Given, given
from .leaves import Leaf, enclosing
from .outside import is_stand_in, used
from .restaging import Restage, is_stageable, stage_list, stage_lists
from .state import ABSENT, WHOLE, Change, Place, Snapshot, is_attribute
from .tensor_array import TensorArray
from .unbound import NotYetError, Unbound
from .watched import check_watched, watch

Run = Callable[[], Any]


@dataclass
class Way:
    """One traced way through a block.

    Attributes:
      graph: its graph.
      returned: what it returned, by name; None if it raises.
      places: what the places hold at its end that it was told of or has changed.
      arrays: the same of arrays and staged lists that are older than the block, by identity.
      written: the memory that it wrote, and where.
      used_up: the TensorArrays whose contents it has given to others.
    """

    graph: Graph
    returned: list[Given] | None = None
    places: dict[Any, tuple[Change, Given]] = field(default_factory=dict)
    arrays: dict[int, tuple[Tensor, Leaf]] = field(default_factory=dict)
    written: dict[Storage, Location | None] = field(default_factory=dict)
    used_up: list[TensorArray] = field(default_factory=list)

    @property
    def raises(self) -> bool:
        """Whether it never comes to its end."""
        return self.returned is None


def trace_way(
    graph: Graph,
    outer: Graph,
    snapshot: Snapshot,
    run: Run,
    split: Callable[[Any], Sequence[Any]],
    enter: Callable[[], None] | None = None,
    known: Callable[[], Sequence[Change]] = tuple,
) -> Way:
    """Traces one way, and takes back what it changed.

    Args:
      graph: what it is traced into.
      outer: the graph around it.
      snapshot: what the block can reach, as it was before.
      run: runs the block.
      split: what the block returned, as one value a name.
      enter: gives arrays and places the values that they have where the way begins.
      known: the places that are recorded whether they changed or not.

    Raises:
      Restage: it changes lists, which are staged now; the block is to be traced once more.
      OwnershipError: it changes what a graph cannot change.
    """
    start = checkpoint()
    way = Way(graph)
    lists: list[Change] = []
    try:
        with tracing_into(graph):
            try:
                if enter is not None:
                    enter()
                returned = split(run())
                check_watched(graph)
                way.returned = [given(value, graph) for value in returned]
            except NotYetError as error:
                if enter is not None:
                    raise UnboundError(*error.args) from None
            except IndexedByTensorError as error:
                indexed = [x for x in snapshot.owners() if is_stageable(x)]
                if not indexed:
                    raise
                raise Restage(partial(_stage_all, indexed)) from error
            except Exception as error:
                raises_when_run(error, graph)
            changes = snapshot.changes()
            lists = [change for change in changes if change.place.key is WHOLE]
            if not lists and not way.raises:
                for change in (*known(), *map(_checked, _told(changes))):
                    recorded = change, given(change.after, graph)
                    way.places.setdefault(change.place.identity, recorded)
                way.arrays = _written(start, outer, graph)
                way.used_up = _used_up(start)
    finally:
        written = undo_writes(start)
        snapshot.rollback()
    if lists:
        raise Restage(lambda: stage_lists(lists))
    if not way.raises:
        way.written = written
    return way


def _used_up(start: Checkpoint) -> list[TensorArray]:
    targets: list[Any] = [target for target, *_ in writes_since(start)]
    return [target for target in targets if isinstance(target, TensorArray)]


def _stage_all(lists: Sequence[list[Any]]) -> None:
    for items in lists:
        stage_list(items)


def _told(changes: Sequence[Change]) -> list[Change]:
    """The changes but for those in which a list has become what it is anyway."""
    return [
        used(each) for each in changes
        if nest.actual(each.before) is not nest.actual(each.after)
        and not is_stand_in(each.before, each.after)
    ]


def _checked(change: Change) -> Change:
    """A change; an attribute that does not exist yet, or no more, is a name without a value.

    Raises:
      OwnershipError: an item does not exist any more.
    """
    if is_attribute(change.place):
        unbound = Unbound(change.place.name)
        return replace(
            change,
            before=unbound if change.before is ABSENT else change.before,
            after=unbound if change.after is ABSENT else change.after,
        )
    if change.after is ABSENT:
        raise exists_on_one_side(change.place)
    return change


def exists_on_one_side(place: Place) -> OwnershipError:
    """The error for an item or a variable that exists after one way through a block only."""
    return OwnershipError(
        describe(
            f'Only the running graph would know whether {place.name} exists after this block.',
            user_location(),
            f'Give {place.name} a value before the block, and keep it there.',
        )
    )


def _written(start: Checkpoint, outer: Graph, graph: Graph) -> dict[int, tuple[Tensor, Leaf]]:
    """The arrays and lists older than the block that it wrote, as it left them.

    A view by index is not among them: it is read anew from the array that it is of.
    """
    around = set(enclosing(outer))
    found: dict[int, tuple[Tensor, Leaf]] = {}
    seen: set[int] = set()
    for target, before, _ in writes_since(start):
        if not isinstance(target, Tensor) or id(target) in seen or target.place is not None:
            continue
        seen.add(id(target))
        if before.graph in around:
            value = graph.local(target.held)
            found[id(target)] = target, Leaf(value.type, value=value, memory=target.memory)
    return found


def watch_again(outer: Graph, ways: Sequence[Way]) -> None:
    """What may be one or two after something in a block may be that after the block too."""
    for way in ways:
        for x, _ in way.graph.watched:
            if not any(x is known for known, _ in outer.watched):
                watch(x)


def put_back(
    arrays: Iterable[tuple[Tensor, Value]],
    written: dict[Storage, Location | None],
    ways: Sequence[Way],
) -> None:
    """Lets arrays hold what a block gave them; other names for their memory are stale."""
    mark_written(written)
    for way in ways:
        for array_list in way.used_up:
            array_list.use_up()
    for array, value in arrays:
        note_writes(array.moved_to(value))
