"""Which list, dict, object or array the results of a staged block are.

A block works on copies of its own. Where it only changed what they hold, its result is what it was
given, with the new contents: every name for that sees them. Where a result may be one thing or
another, as in

    best = row if x > 0 else other

it is a new one, and neither it nor what it may be is modified from then on (see `watched`).
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..graph import nest
from ..graph.graph import Graph
from ..graph.ownership import NotOwnedError
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, note_writes, pass_on
from .bases import write_through
from .holders import Holder
from .lists import StagedList
from .nest_lists import NestList
from .optional_nests import Perhaps
from .other_names import has_other_name, is_place, is_reached
from .outside import is_outside
from .row_names import note_shared
from .tensor_array import TensorArray
from .unbound import Unbound
from .watched import (
    content_of,
    is_container,
    is_watched,
    modified_one_of_two,
    still_holds,
    watch,
)

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
        if given is not None or not _is_container(returned):
            return returned if given is None and self.reached(returned) else given
        return returned if self.reached(returned) or is_reached(returned) else None

    def possible(self) -> list[Any]:
        """What was there before that it may have returned; under a flag, if it has at all."""
        noted = _noted(nest.actual(self.returned))
        if noted is not None:
            return [self.origins.get(id(one), one) for one in noted]
        origin = self.origin()
        if origin is None and is_watched(id(self.returned)):
            return [self.returned]
        is_unset = origin is None or (_is_flagged(origin) and not is_watched(id(origin)))
        return [] if is_unset else [origin]

    def is_changing(self) -> bool:
        """Whether it returned what another turn may be passed something else for."""
        return id(nest.actual(self.returned)) in self.changing

    def only(self) -> Any:
        """What was there before that it has returned at every turn; None if there is nothing."""
        returned = nest.actual(self.returned)
        noted = _noted(returned)
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
    if (isinstance(given, Tensor) and given.memory) or _is_container(given):
        yield given, *others
    for parts in zip(*map(nest.children, (given, *others)), strict=False):
        yield from _changeable(*parts)


def _origins(passed: Any, given: Any) -> Origins:
    """By the identities of what a block is passed, what was given for it."""
    found: Origins = {}
    passed, given = nest.actual(passed), nest.actual(given)
    if (isinstance(passed, Tensor) or _is_container(passed)) and type(passed) is type(given):
        found[id(passed)] = given
    for one, other in zip(nest.children(passed), nest.children(given), strict=False):
        found |= _origins(one, other)
    return found


def kept_each(results: Any, names: Sequence[str], *ways: Way) -> Any:
    """`kept`, of the results with these names."""
    if len(names) == 1:
        return kept(results, names[0], *ways)
    return type(results)(
        kept(result, name, *(way.part(nest.children(way.returned)[i]) for way in ways))
        for i, (result, name) in enumerate(zip(results, names, strict=True))
    )


def kept(result: Any, name: str, *ways: Way, is_item: bool = False) -> Any:
    """The result of a staged block, as what was given where the ways only changed what it holds.

    Args:
      result: what the block gave.
      name: the user's name for it.
      *ways: the ways through it.
      is_item: whether it is in a dict that may lack it.

    Raises:
      NotOwnedError: it changed something of a block around this one.
    """
    if isinstance(result, Tensor):
        ways = tuple(way.part(_if_there(way.returned)) for way in ways)
        kept_one = _kept_tensor(result, ways)
        if kept_one is result:
            _watch(result, name, ways, is_item)
        return kept_one
    parts = [way.returned for way in ways]
    if isinstance(result, TensorArray):
        return result  # it has one name
    if isinstance(result, Perhaps) and all(part is not None for part in parts):
        there = (way.part(_if_there(part)) for way, part in zip(ways, parts, strict=True))
        held = kept(result.nest, name, *there, is_item=is_item)
        return Perhaps(result.present, held)
    if not all(nest.have_same_parts(part, result) for part in parts):
        inside = tuple(inner for way in ways for inner in way.containers())
        if is_item or not any(map(_is_flagged, parts)):
            _watch(result, name, inside, is_item)
        else:
            returned_by_blocks().append((None, _may_be(inside, parts)))
        return result
    is_item = is_item or isinstance(result, nest.Mutable)
    result = nest.map_children(
        lambda part, *returned: kept(
            part, name, *(way.part(one) for way, one in zip(ways, returned, strict=True)),
            is_item=is_item,
        ),
        result,
        *parts,
    )  # fmt: skip
    if not _is_container(result):
        return result
    same = _only_item(ways) if is_item else None
    if same is None and not _may_be_unset(result, ways):
        same = _only(ways)
    if same is None or type(same) is not type(result):
        _watch(result, name, ways, is_item)
        return result
    return _put_into(same, result, ways)


def _may_be(ways: Sequence[Way], returned: Sequence[Any]) -> list[Any]:
    """The lists, dicts and objects that these ways have returned, as they were given."""
    own = [container for x in returned for container, _ in nest.contents(x)]
    return [*own, *(one for way in ways for one in way.possible() if is_container(one))]


def _if_there(x: Any) -> Any:
    """What it is where it is not None."""
    x = nest.actual(x)
    return nest.actual(x.nest) if isinstance(x, Perhaps) else x


def _only(ways: Sequence[Way]) -> Any:
    """What all ways have returned; None if that may be one thing or another."""
    same, *others = (way.only() for way in ways)
    return None if any(other is not same for other in others) else same


def _only_item(ways: Sequence[Way]) -> Any:
    """The same, of what a dict may lack: there or not, it is that one."""
    same, *others = (way.origin() for way in ways)
    return None if any(other is not same for other in others) else same


def _kept_tensor(result: Tensor, ways: tuple[Way, ...]) -> Tensor:
    same, *others = (way.origins.get(id(nest.actual(way.returned))) for way in ways)
    if any(other is not same for other in others) or any(way.is_changing() for way in ways):
        return result
    if not isinstance(same, Tensor) or not same.memory:
        return result
    if not same.is_taken_anew and same.is_stale and result is not same:
        write_through(same, result)
        return same
    if same.place is not None:
        return result
    if same.graph is current_graph() and not same.is_stale:
        return same
    if same.graph is current_graph():
        note_writes(same.follow(result))
        pass_on(same)
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
    if nest.is_leaf(x):
        return isinstance(x, Unbound) and not x.name
    if isinstance(x, Perhaps):
        return _is_flagged(x.present)  # parts of its own that may be None are no such flag
    # What a staged dict lacks, it lacks itself.
    return not isinstance(x, nest.Mutable) and any(map(_is_flagged, nest.children(x)))


def _may_be_unset(result: Any, ways: tuple[Way, ...]) -> bool:
    """Whether it stands for what is returned on some of the ways, under a flag."""
    return _is_flagged(result) or any(
        _is_flagged(way.returned) and _noted(nest.actual(way.returned)) is None for way in ways
    )


def _watch(result: Any, name: str, ways: tuple[Way, ...], is_item: bool) -> None:
    """Where the result may be what has another name, neither is modified from now on.

    What a `return` gives, under a flag, is read only where nothing comes after it: it is remembered
    until then what that may be. What a dict may lack is read all the same.
    """
    possible = {id(one): one for way in ways for one in way.possible() if is_container(one)}
    outside = (nest.actual(way.returned) for way in ways)
    possible |= {id(one): one for one in outside if is_container(one) and is_outside(one)}
    if _may_be_unset(result, ways) and not is_item:
        returned_by_blocks().append((result, list(possible.values())))
        return
    if possible:  # a block around this one may give the result again; it may be new, too
        returned_by_blocks().append((result, [*possible.values(), result]))
    found = [
        origin
        for origin in possible.values()
        if is_outside(origin) or has_other_name(origin, name)
        or any(way.is_held(origin, name) for way in ways)
    ]
    if found or any(map(is_watched, possible)):
        if isinstance(result, Unbound):
            result.shared = True  # an empty list beside nothing
        watch(result, *found)
        return
    graph = current_graph()
    assert graph is not None, 'staged outside a trace'
    result = result.nest if isinstance(result, Perhaps) else result
    if is_container(result):
        held = content_of(result)
        graph.unsure += [(result, held, origin, name) for origin in possible.values()]


def check_unsure(graph: Graph, passed: Passed) -> None:
    """What may be what a block was given has not been modified, where that has another name.

    Args:
      graph: of the block.
      passed: what it was passed, for what.

    Raises:
      OwnershipError: it has.
    """
    for result, content, origin, name in graph.unsure:
        given = passed.origins.get(id(origin))
        if given is None or (content is not None and still_holds(result, content)):
            continue
        if has_other_name(given, name):
            raise modified_one_of_two(result)
        if graph.parent is not None:  # what is around this block was given it, too
            graph.parent.unsure.append((result, None, given, name))


def watch_still(
    inner: Graph, passed: Passed, returned: Any, results: Any, is_turn: bool = False
) -> None:
    """What a block has put into a list, or the like, is not modified after it either.

    Args:
      inner: the graph of the block.
      passed: what it was passed, for what.
      returned: what it returned.
      results: what there is of that after it.
      is_turn: whether it is run several times: what is there before or after has two names.
    """
    given = (nest.actual(passed.origins.get(id(x), x)) for x, _ in inner.watched)
    still = [x for x in given if is_container(x) and is_reached(x)]
    watched = {id(x) for x, _ in inner.watched}
    still += [gave for was, gave in _containers(returned, results) if id(was) in watched]
    watch(*still)
    for x in still if is_turn else ():
        note_shared(x, is_again=True)


def returned_by_blocks() -> list[tuple[Any, list[Any]]]:
    """What blocks gave that may be one thing or another, and for each what of before it may be."""
    graph = current_graph()
    assert graph is not None, 'returned outside a trace'
    while graph.parent is not None:
        graph = graph.parent
    return graph.returned


def _noted(result: Any) -> list[Any] | None:
    return next((found for one, found in reversed(returned_by_blocks()) if one is result), None)


def check_apart(
    passed: Passed, way: Way, result: Any, graph: Graph, written: Collection[Storage]
) -> None:
    """What a turn of a loop returned in two places is two in the next turn: none is modified.

    Args:
      passed: what the turn was passed, as it was then.
      way: what it returned.
      result: what the loop gave.
      graph: the turn's.
      written: the memory that it wrote.

    Raises:
      OwnershipError: it is, by a turn.
    """
    modified = way.modified.union(
        id(origin) for one, content, origin, _ in graph.unsure
        if content is None or not still_holds(one, content))
    watched = {id(x) for x, _ in graph.watched}

    def is_modified(x: Any) -> bool:
        if isinstance(x, nest.Nest) and any(map(is_modified, nest.children(x))):
            return True  # what is in it is in lists of the graph
        is_written = isinstance(x, Tensor) and not set(x.memory).isdisjoint(written)
        return id(x) in modified or is_written

    for x, _ in graph.watched:
        if id(x) in modified:
            raise modified_one_of_two(x)
    found: dict[int, list[tuple[Any, Any]]] = {}
    for before, is_, gave in _containers(passed.before, way.returned, result):
        was = passed.standing_for(before)
        is_other = id(is_) in watched or (is_ is not was and is_reached(is_))
        if is_other and is_modified(was):
            raise modified_one_of_two(is_)
        if not isinstance(is_, StagedList) and not _is_flagged(gave):
            found.setdefault(id(is_), []).append((was, gave))
    for places in found.values():
        _, first = places[0]
        if any(gave is not first for _, gave in places):
            if any(is_modified(was) for was, _ in places):
                raise modified_one_of_two(first)
            watch(*(gave for _, gave in places))


def watch_apart(returned: Any, results: Any) -> None:
    """What a branch returned in two places, and is two after it, is not modified."""
    found: dict[int, list[Any]] = {}
    in_dicts: set[int] = set()
    for is_, gave in _containers(returned, results):
        if isinstance(gave, nest.Mutable):
            in_dicts |= {id(part) for part, _ in nest.contents(gave)}
            in_dicts |= set(map(id, nest.children(gave)))
        if isinstance(is_, StagedList):
            continue  # its memory tells who else modifies it
        if id(gave) in in_dicts or not _is_flagged(gave):
            found.setdefault(id(is_), []).append(gave)
    for first, *others in found.values():
        if any(gave is not first for gave in others):
            for gave in (first, *others):
                if isinstance(gave, Unbound):
                    gave.shared = True
            watch(first, *others)


def _of_unset(x: Any) -> Any:
    """What is there unless it is missing, of what a dict may lack."""
    return x.there if isinstance(x, Unbound) and not x.name else x


def _containers(*nests: Any) -> Iterator[tuple[Any, ...]]:
    """The lists, dicts and objects at the same places of several nests; lists of the graph, too."""
    nests = tuple(map(_if_there, nests))
    if not isinstance(nests[0], NestList) and all(
        _is_container(x) or isinstance(_of_unset(x), StagedList) for x in nests
    ):
        yield nests
    for parts in _parts(nests):
        yield from _containers(*parts)


def _parts(nests: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """What stands at the same places of nests: of dicts, by the keys that all have."""
    if any(isinstance(x, nest.Mutable) for x in nests) and all(map(is_container, nests)):
        first, *others = map(nest.content, nests)
        for key, value in first.items():
            if all(key in other for other in others):
                yield value, *(other[key] for other in others)
        return
    yield from zip(*map(nest.children, nests), strict=False)
