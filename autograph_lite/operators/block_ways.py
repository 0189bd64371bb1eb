"""The ways through a staged block: what it is passed, and which of that it returns."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from .holders import Holder
from .nest_lists import NestList
from .optional_nests import Perhaps
from .other_names import is_place, is_reached
from .unbound import Unbound
from .watched import is_container, is_watched

Origins = dict[int, Any]


@dataclasses.dataclass(frozen=True)
class Way:
    """One way through a staged block.

    Attributes:
      returned: what it returned.
      origins: by the identities of what it was passed, what was given for it.
      modified: the identities of the lists, dicts and objects that it modified.
      reached: the places that hold something that was there before the block.
      changing: the identities of what it was passed that another turn may be passed something
        else for.
    """

    returned: Any
    origins: Origins
    modified: set[int]
    reached: Callable[[Any], Sequence[Holder]]
    changing: frozenset[int] = frozenset()

    def part(self, part: Any) -> Way:
        """The same way, of a part of what it returned."""
        return dataclasses.replace(self, returned=part)

    def containers(self) -> Iterator[Way]:
        """The same way, of each list, dict and object in what it returned."""
        if is_container(nest.actual(self.returned)):
            yield self
        for part in nest.children(self.returned):
            yield from self.part(part).containers()

    def origin(self) -> Any:
        """What was given for what it returned, or was there before; None for what is new."""
        returned = nest.actual(self.returned)
        given = self.origins.get(id(returned))
        if given is not None or not has_identity(returned):
            return returned if given is None and self.reached(returned) else given
        return returned if self.reached(returned) or is_reached(returned) else None

    def possible(self) -> list[Any]:
        """What was there before that it may have returned; under a flag, if it has at all."""
        noted = what_it_may_be(self.returned)
        if noted is not None:
            return [self.origins.get(id(one), one) for one in noted]
        origin = self.origin()
        if origin is None and is_watched(id(self.returned)):
            return [self.returned]
        is_unset = origin is None or (is_flagged(origin) and not is_watched(id(origin)))
        return [] if is_unset else [origin]

    def is_changing(self) -> bool:
        """Whether it returned what another turn may be passed something else for."""
        return id(nest.actual(self.returned)) in self.changing

    def only(self) -> Any:
        """What was there before that it has returned at every turn; None if there is nothing."""
        returned = nest.actual(self.returned)
        noted = what_it_may_be(returned)
        if any(id(one) in self.changing for one in noted or [returned]):
            return None
        possible = self.possible()
        return possible[0] if len(possible) == 1 else None

    def is_held(self, origin: Any, name: str) -> bool:
        """Whether something else than what has this name holds what was there before."""
        return any(
            self.is_held(place.owner, name) if isinstance(place.owner, Perhaps)
            else not is_place(place, name)
            for place in self.reached(origin))


class Passed:
    """What a block is passed for what it is given, as it is before the block changes it.

    Attributes:
      parts: by identity of what it is given, what it is passed for what can be changed in place.
      before: the same as it is passed, in containers of its own.
      origins: by identity of what it is passed, what it is given.
    """

    def __init__(self, given: Any, passed: Any) -> None:
        self._given = given
        self.parts = {id(one): other for one, other in _changeable(given, passed)}
        self.before = nest.map_leaves(lambda leaf: leaf, passed)
        self._passed = {id(one): other for one, other in _changeable(self.before, passed)}
        self.origins = _origins(passed, given) | _origins(self.before, given)

    def standing_for(self, before: Any) -> Any:
        """What it is passed, of which this is what it held then."""
        return self._passed.get(id(before), before)

    def is_twice(self, given: Any) -> bool:
        """Whether it was given this at two places, and so passed one for each."""
        return changeable(self._given).count(id(given)) > 1

    def changing(self, returned: Any) -> frozenset[int]:
        """Of what a turn is passed, by identity, what another turn may be passed another one for.

        In `prev, x = x, x + 1` that is both, also where `prev` is `x` before the loop.

        Args:
          returned: what the turn returned.
        """
        found: set[int] = set()
        places = list(_changeable(self._given, self.before, returned))
        while True:
            more = {
                id(one)
                for given, before, after in places
                if self.origins.get(id(after)) is not given or id(after) in found
                for one in (before, self.standing_for(before))
            }
            if more <= found:
                return frozenset(found)
            found |= more

    def rebound(self, returned: Any) -> set[int]:
        """Of what it is given, by identity, in whose place it returns something else."""
        return {
            id(one)
            for one, before, after in _changeable(self._given, self.before, returned)
            if after is not self.standing_for(before)
        }


def changeable(given: Any) -> list[int]:
    """The identities of what can be changed in place of a nest, in their order."""
    return [id(x) for (x,) in _changeable(given)]


def _changeable(given: Any, *others: Any) -> Iterator[tuple[Any, ...]]:
    """What can be changed in place of a nest, and what stands there in others."""
    given, others = nest.actual(given), tuple(map(nest.actual, others))
    if (isinstance(given, Tensor) and given.memory) or has_identity(given):
        yield given, *others
    for parts in zip(*map(nest.children, (given, *others)), strict=False):
        yield from _changeable(*parts)


def _origins(passed: Any, given: Any) -> Origins:
    """By the identities of what a block is passed, what was given for it."""
    found: Origins = {}
    passed, given = nest.actual(passed), nest.actual(given)
    if (isinstance(passed, Tensor) or has_identity(passed)) and type(passed) is type(given):
        found[id(passed)] = given
    for one, other in zip(nest.children(passed), nest.children(given), strict=False):
        found |= _origins(one, other)
    return found


def if_there(x: Any) -> Any:
    """What it is where it is not None."""
    x = nest.actual(x)
    return nest.actual(x.nest) if isinstance(x, Perhaps) else x


def has_identity(x: Any) -> bool:
    """Whether other names see how it changes: a list, dict or object, or a list of such."""
    return isinstance(x, NestList) or is_container(x)


def is_flagged(x: Any) -> bool:
    """Whether it may have no value, as what a `return` gives that is not always reached."""
    if nest.is_leaf(x):
        return isinstance(x, Unbound) and not x.name
    if isinstance(x, Perhaps):
        return is_flagged(x.present)  # parts of its own that may be None are no such flag
    # What a staged dict lacks, it lacks itself.
    return not isinstance(x, nest.Mutable) and any(map(is_flagged, nest.children(x)))


def returned_by_blocks() -> list[tuple[Any, list[Any]]]:
    """What blocks gave that may be one thing or another, and for each what of before it may be."""
    graph = current_graph()
    assert graph is not None, 'returned outside a trace'
    while graph.parent is not None:
        graph = graph.parent
    return graph.returned


def what_it_may_be(result: Any) -> list[Any] | None:
    """What of before them it may be that blocks gave; None where it is no such thing."""
    result = nest.actual(result)
    if result is None:
        return None
    return next((found for one, found in reversed(returned_by_blocks()) if one is result), None)


def in_tuples(value: Any) -> list[Any]:
    """What a place holds, in tuples or without, be it None or not."""
    value = nest.actual(value)
    if isinstance(value, (tuple, Perhaps)):
        return [x for part in nest.children(value) for x in in_tuples(part)]
    return [value]


def passed_for(value: Any, passed: Mapping[int, Any]) -> Any:
    """What a block is passed for what a place holds."""
    value = nest.actual(value)
    if isinstance(value, (tuple, Perhaps)):
        return nest.map_children(lambda part: passed_for(part, passed), value)
    return passed.get(id(value), value)
