"""What a staged block was found to change without being given it, kept while a trace lasts.

A loop is traced several times, until its types hold, and each time all blocks in it are. Found out
anew by each of them, and each time, what they change would take time that grows exponentially with
their nesting; so a block that is traced again is given at once what it was found to change before.
What is an object of its own each time is found by the way that leads to it.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from inspect import unwrap
from types import FunctionType
from typing import Any

from ..errors import is_internal
from ..graph.graph import Graph
from .activations import is_recursive
from .holders import Held, Holder
from .leaves import enclosing
from .outer_variables import VariablePlace, was_before_trace
from .recalled import Recalled, Way


def note_places(
    block: Any,
    graph: Graph,
    places: Sequence[Holder],
    held: Sequence[Held],
    recalled: Recalled | None,
) -> None:
    """A block, maybe one that was given other places before, changes these.

    Args:
      block: the function.
      graph: what it is traced into.
      places: what it changes.
      held: what it can reach.
      recalled: what was found of it before.
    """
    code = getattr(unwrap(block), '__code__', None)
    if code is None:
        return
    found = _found(graph).setdefault(code, {})
    found.update((place.identity, tuple(o.identity for o in place.others)) for place in places)
    if recalled is not None:
        recalled.note_places(code, filter(None, (way_to(place, held) for place in places)))


def known_places(
    block: Any, graph: Graph, held: Sequence[Held], recalled: Recalled | None
) -> list[Holder]:
    """The places that a block which has not been given any was found to change before.

    Args:
      block: the function.
      graph: what it is traced into, or what that stands in.
      held: what it can reach now.
      recalled: what was found of it before.
    """
    code = _code_of(block)
    if code is None:
        return []
    ways = recalled.places(code) if recalled is not None else ()
    known = {place.identity: place for place in places_at(ways, held)}
    found = None if is_internal(code.co_filename) else _found(graph).get(code)
    if not found:
        return list(known.values())
    places = {place.identity: place for place in _places(held)}
    return list(known.values()) + [
        places[identity].together_with([places[other] for other in others])
        for identity, others in found.items()
        if identity in places and identity not in known and all(o in places for o in others)
    ]


def are_places_known(block: Any, graph: Graph, recalled: Recalled) -> bool:
    """Whether a block may be one of which `known_places` gives some."""
    code = _code_of(block)
    return code is not None and (code in _found(graph) or bool(recalled.places(code)))


def _code_of(block: Any) -> Any:
    """The code of a block that has not been given any places."""
    return None if hasattr(block, '__wrapped__') else getattr(block, '__code__', None)


def way_to(place: Holder, held: Sequence[Held]) -> Way | Holder | None:
    """What leads to a place when it is traced again; None if nothing does.

    Args:
      place: a variable or a place in an object or container.
      held: what can be reached.
    """
    if isinstance(place, VariablePlace):
        return place if was_before_trace(place) and not is_recursive() else None
    owners = {id(each.owner): (each.path, type(each.owner)) for each in held}
    each = (place, *place.others)
    if type(place) is not Holder or not all(id(one.owner) in owners for one in each):
        return None
    return tuple((owners[id(one.owner)], one.key) for one in each)


def places_at(ways: Collection[Way | Holder], held: Sequence[Held]) -> Iterator[Holder]:
    """The places to which the same ways lead now as before.

    Args:
      ways: what `way_to` gave.
      held: what can be reached.
    """
    if not ways:
        return
    owners = {(each.path, type(each.owner)): each for each in reversed(held)}
    for way in ways:
        if isinstance(way, Holder):
            if not is_recursive():
                yield way
        elif all(owner in owners and _may_have(owners[owner], key) for owner, key in way):
            place, *others = (owners[owner].place(key) for owner, key in way)
            yield place.together_with(others)


def _may_have(held: Held, key: Any) -> bool:
    """Whether there can be such a place: another function may have fewer variables."""
    return key in held.content or not isinstance(held.owner, FunctionType)


def _places(held: Iterable[Held]) -> Iterator[Holder]:
    return (each.place(key) for each in held for key in each.content)


def _found(graph: Graph) -> dict[Any, dict[Any, tuple[Any, ...]]]:
    """By block, what identifies each place and the other places that hold the same object."""
    *_, outermost = enclosing(graph)
    return outermost.found
