"""Where the values of a graph and of plain Python part: the user's line, and the two values.

A copy of the graph tells what becomes known as it runs, and plain Python is followed line by line.
The first thing that is told otherwise of one and the same place is where they part.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import Location
from .following import UNKNOWN, Event, Follower, Place
from .graph import nest
from .graph.graph import Graph
from .sameness import same
from .telling import Telling


@dataclass(frozen=True)
class Parting:
    """The first thing that is not the same.

    Attributes:
      name: the variable; RETURNED, LAMBDA, or empty for the way that a branch or a loop goes.
      location: the user's line.
      run: which run of the line it is, the first being 1.
      runs: how often plain Python runs it.
      values: what plain Python has there, and what the graph has.
    """

    name: str
    location: Location
    run: int
    runs: int
    values: tuple[Any, Any]


def find(
    graph: Graph, given: Sequence[Any], filename: str, plainly: Callable[[], Any],
    again: Callable[[], AbstractContextManager[Any]],
) -> tuple[Parting | None, Location | None]:
    """The first place where the two part, and where plain Python returned.

    Args:
      graph: the graph.
      given: the values of its parameters.
      filename: where the function stands.
      plainly: runs plain Python.
      again: what is around each run.
    """
    telling = Telling(graph)
    follower = Follower(filename, telling.locations)
    with again():
        follower.run(plainly)
    with again():
        told = telling.run(given)
    for alike, is_sure in ((_equal, True), (same, True), (_equal, False)):
        parting = _first(follower.events, told, telling, alike, is_sure)
        if parting is not None:
            return parting, follower.returned_at
    return None, follower.returned_at


def _first(
    events: Sequence[Event],
    told: dict[Place, list[Any]],
    telling: Telling,
    alike: Callable[[Any, Any], bool],
    is_sure: bool,
) -> Parting | None:
    """The first event of plain Python of which the graph tells otherwise.

    To be sure, only what is told as often as plain Python runs it is compared, or by one node; what
    unrolled loops tell may otherwise be of another turn.
    """
    runs = Counter(event.place for event in events)
    done: Counter[Place] = Counter()
    for event in events:
        place, run = event.place, done[event.place]
        done[place] += 1
        values = told[place]
        is_known = runs[place] == len(values) or telling.is_alone(place)
        if not is_known and (is_sure or not telling.has_each_turn(place, runs[place])):
            continue
        if run < len(values) and not _fits(alike, event.value, values[run]):
            location = telling.locations[place]
            if event.location is not None and event.location.line != place.line:
                location = event.location
            both = event.value, values[run]
            return Parting(place.name, location, run + 1, runs[place], both)
    return None


def _equal(x: Any, y: Any) -> bool:
    """Whether two values are the same, or numbers that are equal: one may have met the other's."""
    if same(x, y):
        return True
    numbers = all(isinstance(n, complex | int | float | np.number | np.bool_) for n in (x, y))
    return numbers and bool(x == y)


def _fits(alike: Callable[[Any, Any], bool], plain: Any, told: Any) -> bool:
    """Whether what the graph tells of a variable can be it, or one of the values that it holds."""
    if plain is UNKNOWN:
        return True
    if isinstance(told, list):
        return not isinstance(plain, list) or (
            len(plain) == len(told)
            and all(_fits(alike, x, y) for x, y in zip(plain, told, strict=True)))
    leaves = nest.flatten(plain)[0]
    if isinstance(told, bool) and not nest.is_leaf(plain):
        return True  # it may say whether there is a nest
    is_compared = bool(leaves) and all(isinstance(leaf, _COMPARED) for leaf in leaves)
    return not is_compared or any(alike(leaf, told) for leaf in leaves)


_COMPARED = np.ndarray | np.generic | str | complex | int | float
