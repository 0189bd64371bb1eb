"""What the handlers of a `try` were found to need, for when the statement is traced again.

Found anew each time, what a block changes before something that may raise would have it traced
several times more, and so would each `try` in it: that multiplies with their nesting.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from ..graph import nest
from .holders import Holder, walk
from .kept_variables import KeptVariable
from .known_places import places_at, way_to
from .owners import by_place
from .recalled import Recalled


def note_kept(
    recalled: Recalled, body: Callable[..., Any], variables: Sequence[KeptVariable], shared: int
) -> None:
    """Notes what is known by now.

    Args:
      recalled: what is known of the statement.
      body: the block.
      variables: what is kept; first the variables that are shared.
      shared: how many these are.
    """
    held = list(walk(('', body))) if any(x.own is None for x in variables[shared:]) else []
    lent = [each for each in variables[shared:] if each.operand is not None]
    ways = (way_to(each.holder, held) for each in lent)
    recalled.lent = [way for way in ways if way is not None]
    for i, each in enumerate(variables):
        if each in lent:
            continue
        way = way_to(each.holder, held) if i >= shared and each.own is None else None
        which: Hashable = way.identity if isinstance(way, Holder) else way
        if i < shared or each.own is not None or way is not None:
            recalled.kept[i if i < shared else None, each.own, which] = each.own, way, each.known()


def recall_kept(
    recalled: Recalled,
    body: Callable[..., Any],
    shared: Sequence[KeptVariable],
    given: tuple[Any, ...],
) -> Iterator[KeptVariable]:
    """What was found to be kept besides the variables that are shared; these begin as they ended.

    Args:
      recalled: what is known of the statement.
      body: the block.
      shared: the variables that are shared.
      given: what the block is given.
    """
    if not recalled.kept:
        return
    owners, held = by_place(given), list(walk(('', body)))
    for (number, *_), (own, way, known) in recalled.kept.items():
        if number is not None:
            shared[number].begin_with(known)
            continue
        if own is not None:
            places = [owners[own[0]].place(own[1])] if own[0] in owners else []
        else:
            places = list(places_at([way], held))
        for place in places:
            variable = KeptVariable(place, own)
            variable.begin_with(known)
            yield variable


def recall_lent(recalled: Recalled, body: Callable[..., Any]) -> list[Holder]:
    """The places of lists and dicts that the block was found to need, besides what it is given."""
    found: list[Holder] = []
    held = list(walk(('', body))) if recalled.lent else []
    for way in recalled.lent:
        places = list(places_at([way], held))
        if not places or not isinstance(nest.actual(places[0].read()), (list, dict)):
            break  # what is kept is told by the numbers of those before it
        found += places
    return found
