"""An array that is one of those before a choice, or a new one: they have what is written to it.

    if c:                   where c is false, x is the array that it was, by whichever name, and
        x = x * 2           the next line writes to that; where c is true, it does not
    x[0] = 7
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..graph import nest
from ..graph.graph import Value
from ..graph.ownership import NotOwnedError
from ..graph.storage import Memory, Place
from ..graph.tensor import Tensor
from ..graph.tracing import note_writes, rewrite
from .block_ways import Way
from .branches import Branch
from .leaves import enclosing
from .reentry import cond
from .staging import graph_now


@dataclass(frozen=True, eq=False)
class Origin:
    """An array before a choice, or a view of it.

    Attributes:
      root: the array.
      places: the views that lead from there.
    """

    root: Tensor
    places: Sequence[Place]

    def array(self) -> Tensor:
        """The view, or the array itself."""
        array = self.root
        for place in self.places:
            array = place.of(array)
        return array


@dataclass(frozen=True, eq=False)
class ChosenArray:
    """What an array is on the two ways of a choice.

    Attributes:
      condition: what chooses.
      ways: what it is where that is true, and where it is false; None for a new array.
    """

    condition: Value
    ways: tuple[Origin | None, Origin | None]

    def is_in(self, memory: Sequence[Any]) -> bool:
        """Whether memory is that of the arrays before the choice."""
        known = [each for origin in self.ways if origin for each in origin.root.memory]
        return all(each in known for each in memory)

    def is_new_or(self, x: Tensor) -> bool:
        """Whether it is a new array on one way, and this one itself on the other."""
        found = [each for each in self.ways if each]
        return len(found) == 1 and found[0].root is x and not found[0].places

    def load(self, x: Tensor) -> Value:
        """What it is now, by what they are now."""
        true, false = (origin.array().read() if origin else x.held for origin in self.ways)
        return self._either(true, false)

    def pass_on(self, x: Tensor) -> None:
        """Gives the array on each way what was written to `x`, where it is that one.

        Raises:
          NotOwnedError: it is of a block around this one.
        """
        now, graph = x.held, graph_now()
        roots = [origin.root for origin in self.ways if origin]
        for root in roots:
            if root.graph is not graph:
                raise NotOwnedError(root)
        for origin, is_true in zip(self.ways, (True, False), strict=True):
            if origin is None:
                continue
            is_within = set(origin.root.memory).issubset(x.memory)
            _share(origin.root, () if is_within else x.memory)
            array = origin.array()
            before = array.read()
            either = self._either(now, before) if is_true else self._either(before, now)
            rewrite(array, either)
        for written in (*roots, x):
            note_writes(written.go_on(written.memory))

    def _either(self, true: Value, false: Value) -> Value:
        ways = Tensor(true, ()), Tensor(false, ())
        chosen = cond(Tensor(self.condition, ()), lambda: ways[0], lambda: ways[1])
        value: Value = chosen.read()
        return value


def _share(x: Tensor, memory: Memory) -> None:
    """Gives an array memory that may be its own, and so what that may be of before a choice."""
    note_writes(x.go_on((*x.memory, *memory)))
    if memory and x.chosen is not None:
        for origin in filter(None, x.chosen.ways):
            _share(origin.root, memory)


def note_chosen(
    results: Any, condition: Value, true: Branch, false: Branch, bases: Sequence[Tensor]
) -> None:
    """Notes of each array that a choice gives which one of before it is on each way.

    Args:
      results: what the choice gives.
      condition: what chooses.
      true: the branch where that is true.
      false: the other one.
      bases: the arrays that hold what the branches have written to them once it is put there.
    """
    leaves, structure = nest.flatten(results)
    gave = [nest.flatten(way.gave) for way in (true, false)]
    if any(form != structure for _, form in gave):
        return  # an optional value on one way only
    given = (true.back(), false.back())
    for i, result in enumerate(leaves):
        if type(result) is not Tensor or not result.memory or result.place is not None:
            continue
        origins = [_origin(found[i], way) for (found, _), way in zip(gave, given, strict=True)]
        are_known = (
            origin is not None or _is_new(way.leaves[i].memory, way)
            for origin, way in zip(origins, (true, false), strict=True))
        are_there = all(each is None or _is_known(each.root, bases) for each in origins)
        if all(are_known) and any(origins) and are_there and not _is_one(origins, result):
            result.chosen = ChosenArray(condition, (origins[0], origins[1]))


def kept_arrays(true: Branch, false: Branch) -> set[int]:
    """The identities of the arrays before a choice that it gives again, whichever way it takes."""
    ways = [way for way in (true, false) if not way.diverges]
    found = [
        [way.back().origins.get(id(x)) for x in nest.flatten(way.gave)[0]] for way in ways]
    return {id(each[0]) for each in zip(*found, strict=False) if all(x is each[0] for x in each)}


def _is_new(memory: Memory, way: Branch) -> bool:
    """Whether a branch made an array."""
    return not any(each.around(way.graph) for each in memory)


def _is_known(x: Tensor, bases: Sequence[Tensor]) -> bool:
    """Whether an array of before a choice holds after it what that is by then."""
    return not x.is_stale or any(x is base for base in bases)


def _is_one(origins: Sequence[Origin | None], result: Tensor) -> bool:
    return any(origin is not None and origin.root is result for origin in origins)


def _origin(x: Any, way: Way) -> Origin | None:
    """The array before the choice that it is, or in which it lies; None if it may be another."""
    places: list[Place] = []
    graph = graph_now()
    while type(x) is Tensor and x.memory:
        known = way.origins.get(id(x), x)
        if known.place is None:
            is_there = known is not x or any(known.graph is each for each in enclosing(graph))
            return Origin(known, places) if is_there else None
        place = known.place
        if not place.is_view or any(each.held.graph is not graph for each in place.reads):
            return None
        places.insert(0, place)
        x = place.base
    return None
