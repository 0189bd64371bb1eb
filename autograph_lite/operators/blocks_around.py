"""The staged blocks that are being traced, one in the other, and what values are to them."""
from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from ..errors import Location, StagingError, describe, user_location
from ..graph import nest
from ..keys import is_container
from .holders import MOST, Holder, put_into, walk
from .live_types import live_might_help
from .outside import is_anothers, is_given, lives_outside, world_now
from .outside_errors import modifies_outside
from .progress import Collection as Standing
from .reachable_errors import cannot_change
from .watched import is_watched

if TYPE_CHECKING:
    from .reachable import Reachable


class _Tracing(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Reachable] = []


_tracing = _Tracing()


def blocks_around() -> list[Reachable]:
    """The blocks that are being traced, the outermost first."""
    return _tracing.blocks


def with_places(
    places: Sequence[Holder], function: Callable[..., Any], args: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """Runs a block while places hold something else: until it is checked what it changed.

    Args:
      places: what it was not given.
      function: the block.
      args: what it is called with; behind that, what the places hold meanwhile.

    Returns:
      What the block returns, and what the places held at its end.
    """
    given, values = args[: -len(places)], args[-len(places) :]
    before = [place.held_by_each() for place in places]
    put_into(places, values)
    block = blocks_around()[-1]
    block.lent += zip(places, before, values, strict=True)
    returned = function(*given)
    for x in (place.owner for place in places):
        if isinstance(x, list) and nest.actual(x) is not x and (held_by := block.places_of(x)):
            raise BecomesAnother(x, held_by)
    return returned, [place.read() for place in places]


class BecomesAnother(BaseException):
    """A list of which a block is given items becomes one of the graph: the block needs all of it.

    Attributes:
      items: the list.
      places: the places that hold it.
    """

    def __init__(self, items: list[Any], places: Sequence[Holder]) -> None:
        super().__init__()
        self.items = items
        self.places = places


def check_taken(iterable: Any) -> None:
    """No staged block takes from one of Python's iterators that was there before it.

    Tracing would take once, for all turns; and once more where it has to begin anew.

    Raises:
      OwnershipError: one does.
    """
    for block in blocks_around():
        for held in block.held:
            if held.owner is iterable and isinstance(iterable, Iterator):
                outside = lives_outside(iterable)
                raise modifies_outside(iterable) if outside else cannot_change(held)


def may_be_reached(x: Any) -> bool:
    """Whether the block that is traced may come to a container that it was not given."""
    held = blocks_around()[-1].held
    return len(held) >= MOST or any(each.owner is x for each in held)


def is_from_around(x: Any) -> bool:
    """Whether an object was there before a block that is traced."""
    return any(each.owner is x for block in blocks_around() for each in block.held)


def stands_for_anothers(x: Any) -> bool:
    """Whether a block was passed it for what is not the function's, by way of those around."""
    *_, known = _identities(x)
    return is_anothers(known)


def stands_for_given(x: Any) -> bool:
    """Whether it is a container that the function was given, or a block was passed it for one."""
    *_, known = _identities(x)
    return is_given(known)


def note_told_apart(x: Any) -> None:
    """Something is found to be another one than something else: no call gives both as one."""
    *_, known = _identities(x)
    if is_given(known):
        world_now().told_apart.add(known)


def given_in(*values: Any) -> Any:
    """The first container in these of which each call is given another; None where there is none.
    """
    owners = (held.owner for held in walk(*(('', value) for value in values)))
    return next(filter(_is_of_call, owners), None)


def _is_of_call(x: Any) -> bool:
    """Whether it is a container that the function is given, which is told by what it holds.

    For a frozen dataclass an equal one does as well.
    """
    if not stands_for_given(x) or not (is_container(x) or isinstance(x, Standing | nest.Mutable)):
        return False
    kind: Any = type(x)
    return not (is_dataclass(x) and kind.__dataclass_params__.frozen)


def stands_for_another(x: Any) -> bool:
    """Whether a block was passed it for something of the code around it."""
    return any(known != id(x) for known in _identities(x))


def stands_for_watched(x: Any) -> bool:
    """Whether it, or what a block was passed it for, may have another name."""
    return any(map(is_watched, _identities(x)))


def before_blocks(x: Any) -> Any:
    """What there was before all blocks for what they are passed; that may not be so at each turn.

    A loop that gives a later turn something else for it is refused (see `check_told_apart`).
    """
    for block in reversed(blocks_around()):
        if id(x) in block.origins:
            x = block.origins[id(x)]
            block.told_apart.append((id(x), user_location()))
    return nest.actual(x)


def standing_now(x: Any) -> Any:
    """What the innermost block is passed for what there was before all blocks."""
    for block in blocks_around():
        x = block.passed.get(id(nest.actual(x)), x)
    return x


def check_told_apart(block: Reachable, changing: Collection[int]) -> None:
    """What a turn or a test of a loop has told from others is the same at every turn.

    Args:
      block: the turn, or the test.
      changing: by identity, what before the loop later turns may be passed something else for.

    Raises:
      StagingError: it may be another one.
    """
    for given, where in block.told_apart:
        if given in changing:
            raise unknown_identity(where=where)


def unknown_identity(
    what: str = 'Whether the two are one object,', where: Location | None = None
) -> StagingError:
    """The error for `is` and the like where only the running graph knows which object it is."""
    live_might_help()
    what = f'{what} only the running graph knows.'
    fix = 'Compare what they hold, or keep a variable that tells which of them it is.'
    return StagingError(describe(what, where or user_location(), fix))


def _identities(x: Any) -> Iterator[int]:
    """Those of a container, and of what it stands for in the blocks around this one."""
    known = id(x)
    yield known
    for block in reversed(blocks_around()):
        if known in block.origins:
            known = id(block.origins[known])
        yield known
