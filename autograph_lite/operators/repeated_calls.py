"""Which call of a function, of those that are being traced, another call of it repeats."""
from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from .activations import (
    Activation,
    Again,
    Given,
    Known,
    Static,
    as_it_is,
    calls_of,
    given_by,
    is_kept,
)
from .references import Reference
from .restaging import can_change

# A function that was called so often, each time inside another staged block, is traced for what
# covers all that it was given; one that Python alone calls again and again, after more calls.
_LEVELS = 3
_PYTHON_LEVELS = 64
# One that is given no tensor Python's values may well end: after so many calls, in all or in
# blocks within each other, it is not known to be so, and to find out takes ever longer.
_UNROLLED_CALLS = 16
_UNROLLED_DEPTH = 24


def find(
    function: types.FunctionType, arguments: Mapping[str, Any], depth: int
) -> Activation | None:
    """The call that is repeated by calling its function with these; None if there is none.

    Raises:
      Again: there is one that has to be traced again for that.
    """
    same = calls_of(function)
    if not same:
        return None
    operands = same[-1].operands(arguments)
    given = given_by(operands, len(same[-1].places))
    for call in reversed(same):
        if call.definition is None and call.depth >= depth:
            continue
        own = given
        if call.places != same[-1].places:
            own = given_by(call.operands(arguments), len(call.places))
        if not call.given.covers(own):
            continue
        if call.definition is None:
            raise Again(call, call.given)
        return call
    if any(call.depth < depth and _refers_again(call.given, given) for call in same):
        raise _endless(function)
    same[0].repeated += 1
    if not given.has_tensors and same[0].repeated < _UNROLLED_CALLS and depth < _UNROLLED_DEPTH:
        return None
    if len(same) > _PYTHON_LEVELS:
        for call in same:
            if call.definition is None and call.given.covers(given):
                raise Again(call, call.given)
    if not is_kept(function):
        _stage_lists(same, operands, depth)
        _widen(same, given, depth)
    return None


def _refers_again(before: Given, now: Given) -> bool:
    """Whether a call is given names that may stand for the same as those of one around it.

    Which one each stands for, only the running graph knows: another call of it is no nearer to
    an end, and a function of the graph has no such arguments.
    """
    pairs = list(zip(before.leaves, now.leaves, strict=False))
    again = [_is_reference_again(a, b) for a, b in pairs]
    others = (a if is_again else b for is_again, (a, b) in zip(again, pairs, strict=True))
    return any(again) and before.covers(Given(now.structure, tuple(others)))


def _is_reference_again(a: Known, b: Known) -> bool:
    if not (isinstance(a, Static) and isinstance(b, Static)):
        return False
    one, other = a.value, b.value
    return isinstance(one, Reference) and isinstance(other, Reference) and (
        set(map(id, other.parts)) <= set(map(id, one.parts)))


def _endless(function: types.FunctionType) -> StagingError:
    return StagingError(describe(
        f'{function.__name__!r} calls itself with a list, dict or object of which only the running '
        'graph knows which one it is.',
        user_location(),
        'Give it a number that tells which, and what there is to choose from.'))


def _levels(same: list[Activation], depth: int) -> int:
    """In how many staged blocks around here the function was called."""
    return len({call.depth for call in same if call.depth < depth})


def _stage_lists(same: list[Activation], operands: Mapping[str, Any], depth: int) -> None:
    """Has a call traced again with a list of the graph for one that has another length by now."""
    if same[-1].definition is None and _levels(same, depth) < _LEVELS:
        return
    if _descends(same[-1], operands):
        return
    for call in same:
        if call.places == same[-1].places and can_change(call.taken, operands):
            raise Again(call, call.given, as_it_is(operands))


def _descends(call: Activation, operands: Mapping[str, Any]) -> bool:
    """Whether a call in it is given a part of a tree that it was given, which Python sees end."""
    before, now = call.given.structure, nest.flatten(operands)[1]
    return any(map(_is_part, now.children, before.children))


def _is_part(structure: nest.Structure, whole: nest.Structure) -> bool:
    within = whole.children
    return structure in within or any(_is_part(structure, part) for part in within)


def _widen(same: list[Activation], given: Given, depth: int) -> None:
    """Has a call traced again for what covers it and what a call inside it is given."""
    last = same[-1]
    if last.definition is not None:
        wider = last.given.widened(given)
        if wider is not None:
            raise Again(last, wider)
    if _levels(same, depth) < _LEVELS and len(same) <= _PYTHON_LEVELS:
        return
    first: Activation | None = None
    for call in reversed(same):
        if call.definition is not None:
            break
        wider = call.given.widened(given, weakly=True)
        if wider is not None:  # another one may have been given another flag
            first, given = call, wider
    if first is not None:
        raise Again(first, given)
