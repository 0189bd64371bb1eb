"""Which list, dict, object or array the results of a staged block are.

A block works on copies of its own. Where it only changed what they hold, its result is what it was
given, with the new contents: every name for that sees them. Where a result may be one thing or
another, as in

    best = row if x > 0 else other

it is a new one, and neither it nor what it may be is modified from then on (see `watched`).
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph import nest
from ..graph.tensor import NotOwnedError, Tensor
from ..graph.tracing import current_graph, note_writes
from .holders import Holder, has_other_name, root_of
from .nest_lists import NestList
from .outside import is_outside
from .tensor_array import TensorArray
from .unbound import Unbound
from .watched import is_container, modified_one_of_two, watch

Origins = dict[int, Any]


@dataclasses.dataclass(frozen=True)
class Way:
    """One way through a staged block.

    Attributes:
      returned: what it returned.
      origins: by the identities of what it was passed, what was given for it.
      modified: the identities of the lists, dicts and objects that it modified.
      reached: the places that hold something that was there before the block.
    """

    returned: Any
    origins: Origins
    modified: set[int]
    reached: Callable[[Any], Sequence[Holder]]

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
        return returned if given is None and self.reached(returned) else given

    def is_held(self, origin: Any, root: str) -> bool:
        """Whether something else than the variable holds what was there before."""
        return any(root_of(place.name) != root for place in self.reached(origin))


def origins(passed: Any, given: Any) -> Origins:
    """By the identities of what a block is passed, what was given for it."""
    found: Origins = {}
    passed, given = nest.actual(passed), nest.actual(given)
    if (isinstance(passed, Tensor) or _is_container(passed)) and type(passed) is type(given):
        found[id(passed)] = given
    for one, other in zip(nest.children(passed), nest.children(given), strict=False):
        found |= origins(one, other)
    return found


def kept_each(results: Any, names: Sequence[str], *ways: Way) -> Any:
    """`kept`, of the results with these names."""
    if len(names) == 1:
        return kept(results, names[0], *ways)
    return type(results)(
        kept(result, name, *(way.part(nest.children(way.returned)[i]) for way in ways))
        for i, (result, name) in enumerate(zip(results, names, strict=True))
    )


def kept(result: Any, name: str, *ways: Way) -> Any:
    """The result of a staged block, as what was given where the ways only changed what it holds.

    Args:
      result: what the block gave.
      name: the user's name for it.
      *ways: the ways through it.

    Raises:
      NotOwnedError: it changed something of a block around this one.
    """
    if isinstance(result, Tensor):
        kept_one = _kept_tensor(result, ways)
        if kept_one is result:
            _watch(result, name, ways)
        return kept_one
    parts = [way.returned for way in ways]
    if isinstance(result, TensorArray):
        return result  # it has one name
    if any(nest.flatten(part)[1] != nest.flatten(result)[1] for part in parts):
        if not any(map(_is_flagged, parts)):
            _watch(result, name, tuple(inner for way in ways for inner in way.containers()))
        return result
    result = nest.map_children(
        lambda part, *returned: kept(
            part, name, *(way.part(one) for way, one in zip(ways, returned, strict=True))
        ),
        result,
        *parts,
    )
    if not _is_container(result):
        return result
    found = [way.origin() for way in ways]
    same = found[0]
    if same is None or any(each is not same for each in found) or type(same) is not type(result):
        _watch(result, name, ways)
        return result
    return _put_into(same, result, ways)


def _kept_tensor(result: Tensor, ways: tuple[Way, ...]) -> Tensor:
    same, *others = (way.origins.get(id(nest.actual(way.returned))) for way in ways)
    if any(other is not same for other in others):
        return result
    if not isinstance(same, Tensor) or not same.memory or same.place is not None:
        return result
    if same.graph is current_graph() and not same.is_stale:
        return same
    if same.graph is current_graph():
        note_writes(same.follow(result))
        return same
    if same.is_stale:
        raise NotOwnedError(same)
    return result


def _put_into(container: Any, result: Any, ways: tuple[Way, ...]) -> Any:
    """The container with the contents of the result."""
    if isinstance(container, NestList):
        container.columns[:] = result.columns
    elif any(id(nest.actual(way.returned)) in way.modified for way in ways):
        if is_outside(container):
            return result
        nest.restore([(container, nest.content(result))])
    return container


def _is_container(x: Any) -> bool:
    return isinstance(x, NestList) or is_container(x)


def _is_flagged(x: Any) -> bool:
    return any(isinstance(leaf, Unbound) and not leaf.name for leaf in nest.flatten(x)[0])


def _watch(result: Any, name: str, ways: tuple[Way, ...]) -> None:
    """Where the result may be what has another name, neither is modified from now on.

    What a `return` gives, under a flag, is read only where nothing comes after it.
    """
    if any(map(_is_flagged, (result, *(way.returned for way in ways)))):
        return
    root = root_of(name)
    found = [
        origin
        for way in ways
        for origin in [way.origin()]
        if is_container(origin) and (has_other_name(origin, root) or way.is_held(origin, root))
    ]
    if found:
        watch(result, *found)


def check_apart(passed: Any, way: Way, result: Any, watched: Sequence[tuple[Any, Any]]) -> None:
    """What a turn of a loop returned in two places is two in the next turn: none is modified.

    Args:
      passed: what the turn was passed.
      way: what it returned.
      result: what the loop gave.
      watched: what the turn has put into lists, and the like.

    Raises:
      OwnershipError: it is, by a turn.
    """
    for x, _ in watched:
        if id(x) in way.modified:
            raise modified_one_of_two(x)
    found: dict[int, list[tuple[Any, Any]]] = {}
    for was, is_, gave in _containers(passed, way.returned, result):
        found.setdefault(id(is_), []).append((was, gave))
    for places in found.values():
        _, first = places[0]
        if any(gave is not first for _, gave in places) and not _is_flagged(first):
            if any(id(was) in way.modified for was, _ in places):
                raise modified_one_of_two(first)
            watch(*(gave for _, gave in places))


def _containers(*nests: Any) -> Iterator[tuple[Any, ...]]:
    """The lists, dicts and objects at the same places of several nests."""
    nests = tuple(map(nest.actual, nests))
    if all(map(_is_container, nests)) and not isinstance(nests[0], NestList):
        yield nests
    for parts in zip(*map(nest.children, nests), strict=False):
        yield from _containers(*parts)
