"""Members, functions and `None` in containers, of which a staged block puts others there.

    settings = {'mode': None}
    if x > 0:
        settings['mode'] = Mode.FAST
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..graph import nest
from .chosen_functions import are_functions, as_one_of, can_be_chosen, chosen_among
from .members import are_members, is_member, member
from .optional_nests import perhaps
from .restaging import Restage


def check_chosen(before: Any, after: Any) -> None:
    """What a block puts into a container is the function or member that was there before.

    Raises:
      Restage: it is another one, or only one of them is None.
    """
    (was, structure), (is_, form) = nest.flatten(before), nest.flatten(after)
    chosen = differing(was, is_) if structure == form else {}
    if chosen:
        raise Restage(lambda operands: with_chosen(operands, chosen))


def differing(leaves: Sequence[Any], others: Sequence[Any]) -> dict[int, tuple[Any, Any]]:
    """Where there are two members or functions, or one and None: both, by their places."""
    return {
        i: (one, other) for i, (one, other) in enumerate(zip(leaves, others, strict=True))
        if one is not other and _are_two(one, other)}


def _are_two(one: Any, other: Any) -> bool:
    if one is None or other is None:
        there = other if one is None else one
        return is_member(there) or can_be_chosen(there)
    return are_members(one, other) or are_functions(one, other)


def with_chosen(nested: Any, chosen: Mapping[int, tuple[Any, Any]]) -> Any:
    """A nest with members and functions by their number in these places."""
    leaves, structure = nest.flatten(nested)
    for i, pair in chosen.items():
        leaves[i] = _one_of_two(leaves[i], *pair)
    return nest.unflatten(structure, leaves)


def _one_of_two(x: Any, one: Any, other: Any) -> Any:
    """One of two in a form that they have in common."""
    there = next(each for each in (x, one, other) if each is not None)
    by_number = member(there) if is_member(there) else as_one_of(chosen_among(one, other), there)
    if one is not None and other is not None:
        return by_number
    return perhaps(None if x is None else by_number, by_number)
