"""A staged block is traced again, with what it was found to change as state of it."""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import place_in_users_code
from ..graph.checkpoints import checkpoint, undo
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from .blocks_around import BecomesAnother, blocks_around
from .holders import Holder
from .reachable_errors import changes
from .recalled import Recalled
from .view_bases import bases_again, bases_of_views, bases_replaced


class Reaches(BaseException):
    """A staged block changes places that it was not given; it can be traced again with them.

    Attributes:
      places: what it changes.
      depth: how many blocks there are around the one that is to be traced again.
      replaced: identifies those of the places that are arrays in whose place it may give another.
      has_failed: whether with these it could not be traced the time before.
    """

    def __init__(
        self,
        places: Sequence[Holder],
        depth: int,
        replaced: Collection[int] = (),
        has_failed: bool = False,
    ) -> None:
        super().__init__()
        self.places = places
        self.depth = depth
        self.replaced = replaced
        self.has_failed = has_failed

    @property
    def is_for_others(self) -> bool:
        """Whether it is not for what is staged here, but for a block around it."""
        return self.depth != len(blocks_around())

    def not_among(self, lent: Collection[Any]) -> Sequence[Holder]:
        """The places, for the block that is staged here.

        Args:
          lent: identifies the places that it was given before.

        Raises:
          Reaches: it is for a block around that one.
          Exception: what it came of, where the block was given them all before.
        """
        if self.is_for_others:
            raise self
        if all(place.identity in lent for place in self.places):
            came_of = self.__context__  # of a signal that only staging knows, it is refused
            raise came_of if isinstance(came_of, Exception) else self from None
        return self.places


def check_views(
    operands: Any,
    written: Collection[Storage],
    known: Sequence[Tensor],
    kept: Collection[int] | None = None,
) -> None:
    """The views that a block is given are of bases that are state of it, or it only reads them.

    Args:
      operands: what it is given.
      written: the memory that it wrote.
      known: the bases that are state of it already.
      kept: where known, the identities of the arrays that it gives again: what it has written to
        the others is in them, too.

    Raises:
      Reaches: that is not so.
    """
    bases = bases_of_views(operands, written, known)
    if bases:
        raise Reaches(bases, len(blocks_around()))
    if kept is not None and (bases := bases_replaced(operands, written, known, kept)):
        raise Reaches(bases, len(blocks_around()), {id(base.owner) for base in bases})


class NotedViews:
    """A block is known to have to be traced again, with the bases of views as state of it.

    Args:
      recalled: what is known of the block.
      operands: what it is given.
      places: what it changes; where some are no bases, `known_places` tells of them.
      replaced: as in `Reaches`.

    Attributes:
      has_failed: whether it cannot be traced with them.
    """

    def __init__(
        self,
        recalled: Recalled,
        operands: Any,
        places: Sequence[Holder],
        replaced: Collection[int] = (),
    ) -> None:
        self.has_failed = False
        bases = bases_again(places, operands)
        if bases is None:
            return

        def again(operands: Any) -> Reaches:
            found = bases(operands)
            others = {id(x.owner) for x in found if replaced}
            return Reaches(found, len(blocks_around()), others, self.has_failed)

        recalled.note(again)


def with_whole_lists(places: Sequence[Holder], stage: Callable[[Sequence[Holder]], Any]) -> Any:
    """Stages a block that changes places: lists of which it changes any item are given as a whole.

    Args:
      places: what it was found to change; in the first turn of a loop an index may be known.
      stage: stages it with such places as state of it.
    """
    start = checkpoint()
    try:
        return stage(places)
    except BecomesAnother as another:
        others = [place for place in places if place.owner is not another.items]
        if len(others) == len(places):
            raise
        undo(start)
        whole = another.places
    return with_whole_lists([*others, *whole], stage)


@contextmanager
def refusing_the_rest() -> Iterator[None]:
    """Stands around a trace: what a block changes and can be given by none around it is refused.

    Raises:
      OwnershipError: a block changes such a place.
    """
    try:
        yield
    except Reaches as reaches:
        raise changes(reaches.places[0], place_in_users_code(reaches)) from None
    except BecomesAnother as another:
        raise changes(another.places[0], place_in_users_code(another)) from None
