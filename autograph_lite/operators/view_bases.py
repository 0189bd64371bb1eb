"""What a staged block writes through a view: the array in which it lies is state of the block.

    v = x[1:]
    if v[0] < 0:
        v[0] = 0

The handle of that array, the base, holds what the block makes of it while the block is traced, and
the block is given its views themselves, which are taken from it wherever they are read. After the
block the base holds what the block gives.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import OwnershipError
from ..graph import nest
from ..graph.checkpoints import Checkpoint, undo
from ..graph.names import variable_of
from ..graph.ownership import NotOwnedError
from ..graph.storage import LentStorage, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import note_writes, rewrite
from ..ops.flat import Flat
from .aliases import CONTENTS
from .holders import Holder
from .outside import arrays_standing_for
from .staging import graph_now


class _Contents(Tensor):
    """What a base is when a block begins: what the block has written to it is no other array."""

    __slots__ = ()


@dataclass(frozen=True, eq=False)
class Base(Holder):
    """An array, the `owner`, as state of a block that writes to views of it."""

    @property
    def identity(self) -> tuple[int, Any]:
        return id(self.owner), Base

    def held(self) -> Any:
        """What it is now, under a handle of its own."""
        for place in arrays_standing_for({id(self.owner)}):
            place.held()  # where what reads a captured array was taken back, it is again
        return _Contents(self.owner.read(), self.owner.memory)

    def holds(self, value: Any) -> bool:
        return self.owner.held is value.held

    def put(self, value: Any) -> None:
        """Lets it hold what a block is given, or what a block gives that has written to it.

        Raises:
          NotOwnedError: it is of no graph that this may change.
        """
        graph = graph_now()
        if graph is self.owner.graph:
            if self.owner.is_stale:
                note_writes(self.owner.follow(value))
            return
        if graph.parent is not self.owner.graph:
            raise NotOwnedError(self.owner)
        # In other memory: views of it, which were of what it was before, are taken anew.
        own = [graph.lent.setdefault(each, LentStorage(graph)) for each in value.memory
               if not isinstance(each, LentStorage)]
        memory = (*value.memory, *own)
        note_writes(self.owner.follow(Tensor(value.read(), memory)))

    def put_back(self, values: Sequence[Any]) -> None:
        """Nothing: what a block writes is taken back when it has been traced."""


def bases_of_views(
    operands: Any, written: Collection[Storage], known: Sequence[Tensor]
) -> list[Base]:
    """The bases of the views among the operands of a block that have to be state of it.

    Args:
      operands: what the block was given.
      written: the memory that it wrote; what is `x.flat` is of use only as a view of such a base.
      known: the bases that are state of it already.
    """
    flat = [x.of for x in nest.flatten(operands)[0] if isinstance(x, Flat)]
    views = [x for x in _arrays(operands) if x.place is not None]
    memory = {*written, *(each for x in flat for each in x.memory)}
    return _bases([*flat, *views], memory, known)


def bases_replaced(
    operands: Any, written: Collection[Storage], known: Sequence[Tensor], kept: Collection[int]
) -> list[Base]:
    """The arrays among the operands to which a block has written, and in whose place it gives more.

    Args:
      operands: what the block was given.
      written: the memory that it wrote.
      known: the bases that are state of it already.
      kept: the identities of the arrays that it gives again, whichever way it takes.
    """
    arrays = [x for x in _arrays(operands) if x.place is None and id(x) not in kept]
    return _bases(arrays, written, known)


def bases_after(
    error: OwnershipError, start: Checkpoint, operands: Any, known: Sequence[Tensor]
) -> list[Base]:
    """Takes back what a block did until it raised; which arrays and views it had written to.

    Args:
      error: what it raised.
      start: where it began.
      operands: what it was given.
      known: the bases that are state of it already.

    Returns:
      Their bases: as state of the block, they may be written and read by whichever view.
    """
    error.written |= undo(start).keys()
    if isinstance(error, NotOwnedError):
        return []
    return _bases(_arrays(operands), error.written, known)


def bases_again(
    places: Sequence[Holder], operands: Any
) -> Callable[[Any], list[Base]] | None:
    """The bases among the operands of a block, of others of the same form; None if there are more.

    Args:
      places: the bases.
      operands: what the block was given.
    """
    numbers = {
        id(x.root): i for i, x in enumerate(nest.flatten(operands)[0])
        if _is_array(x) and x.is_taken_anew}
    if not all(isinstance(place, Base) and id(place.owner) in numbers for place in places):
        return None
    found = [numbers[id(place.owner)] for place in places]

    def again(operands: Any) -> list[Base]:
        leaves = nest.flatten(operands)[0]
        return [_base(leaves[i].root) for i in found]

    return again


def bases_of(x: Tensor) -> list[Base]:
    """The base of an array, as state of a block; none for one that is perhaps a copy."""
    return _bases([x], x.memory, ())


def write_through(view: Tensor, result: Tensor) -> None:
    """Puts what a block has made of a view that is perhaps a copy to where that lies.

    The block wrote to no other array in that memory: it would have been an error.

    Raises:
      NotOwnedError: the view is of a block around this one.
    """
    root, x = view.root, view
    if root.graph is not graph_now():
        raise NotOwnedError(root)
    note_writes(root.go_on(result.memory))
    while x.place is not None:
        note_writes(x.go_on(root.memory))
        x = x.place.base
    rewrite(view, result.read())


def views_of(bases: Sequence[Tensor], operands: Any) -> list[Any]:
    """What a block is given as it is: the bases that are state of it, and what lies in them."""
    arrays = ((x, x.of if isinstance(x, Flat) else x) for x in nest.flatten(operands)[0])
    return [
        x for x, array in arrays
        if _is_array(array) and array.is_taken_anew and any(array.root is base for base in bases)]


def bases_in(places: Iterable[Holder]) -> list[Tensor]:
    """The arrays among the places that are state of a block."""
    return [place.owner for place in places if isinstance(place, Base)]


def _bases(
    arrays: Iterable[Tensor], written: Collection[Storage], known: Sequence[Tensor]
) -> list[Base]:
    found = {
        id(x.root): x.root for x in arrays
        if x.is_taken_anew and any(each in written for each in x.memory)
        and all(x.root is not other for other in known)}
    return list(map(_base, found.values()))


def _base(x: Tensor) -> Base:
    return Base(x, None, variable_of(x.held) + CONTENTS)


def _arrays(operands: Any) -> Iterator[Tensor]:
    return filter(_is_array, nest.flatten(operands)[0])


def _is_array(x: Any) -> bool:
    return type(x) is Tensor and bool(x.memory)
