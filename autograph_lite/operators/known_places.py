"""What a staged block was found to change without being given it, kept while a trace lasts.

A loop is traced several times, until its types hold, and each time all blocks in it are. Found out
anew by each of them, and each time, what they change would take time that grows exponentially with
their nesting; so a block that is traced again is given at once what it was found to change before.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import unwrap
from typing import Any

from ..errors import is_internal
from ..graph.graph import Graph
from .holders import Held, Holder
from .leaves import enclosing


def note_places(block: Any, graph: Graph, places: Sequence[Holder]) -> None:
    """A block, maybe one that was given other places before, changes these."""
    code = getattr(unwrap(block), '__code__', None)
    if code is not None:
        found = _found(graph).setdefault(code, {})
        found.update((place.identity, tuple(o.identity for o in place.others)) for place in places)


def known_places(block: Any, graph: Graph, held: Iterable[Held]) -> list[Holder]:
    """The places that a block which has not been given any was found to change before.

    Args:
      block: the function.
      graph: what it is traced into.
      held: what it can reach now.
    """
    code = getattr(block, '__code__', None)
    if code is None or is_internal(code.co_filename):
        return []
    found = _found(graph).get(code)
    if not found:
        return []
    places = {place.identity: place for place in _places(held)}
    return [
        places[identity].together_with([places[other] for other in others])
        for identity, others in found.items()
        if identity in places and all(other in places for other in others)
    ]


def _places(held: Iterable[Held]) -> Iterator[Holder]:
    return (each.place(key) for each in held for key in each.content)


def _found(graph: Graph) -> dict[Any, dict[Any, tuple[Any, ...]]]:
    """By block, what identifies each place and the other places that hold the same object."""
    *_, outermost = enclosing(graph)
    return outermost.found
