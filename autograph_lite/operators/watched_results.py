"""What a staged block returned is not modified after it, where it may have two names.

What is one thing in a turn or a branch may be two after it, and what two ways gave may be the one
or the other.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from ..graph import nest, nest_contents
from ..graph.graph import Graph
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from .block_ways import Passed, Way, has_identity, if_there, is_flagged, what_it_may_be
from .lists import StagedList
from .nest_lists import NestList
from .optional_nests import Perhaps
from .other_names import has_name_after_call, has_other_name, is_reached
from .outside import is_anothers
from .row_names import note_shared
from .unbound import Unbound
from .watched import is_container, modified_one_of_two, still_holds, watch


def check_unsure(graph: Graph, passed: Passed) -> None:
    """What may be what a block was given has not been modified, where that has another name.

    Args:
      graph: of the block.
      passed: what it was passed, for what.

    Raises:
      OwnershipError: it has.
    """
    for result, origin, name in perhaps_modified(graph):
        given = passed.origins.get(id(origin))
        if given is None:
            continue
        is_named = has_other_name(given, name) if name else has_name_after_call(given)
        if is_named or is_anothers(id(given)) or passed.is_twice(given):
            raise modified_one_of_two(result)
        if graph.parent is not None:  # what is around this block was given it, too
            graph.parent.unsure.append((result, None, given, name))


def perhaps_modified(graph: Graph) -> Iterator[tuple[Any, Any, str]]:
    """What was modified that may be what was there before, that, and the variable."""
    for result, content, origin, name in graph.unsure:
        if content is None or not still_holds(result, content):
            for one in what_it_may_be(origin) or [origin]:
                yield result, one, name


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
    modified = way.modified.union(id(origin) for _, origin, _ in perhaps_modified(graph))
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
    first_at: dict[int, Any] = {}
    optional = _in_optional(result)
    for before, is_, gave in _containers(passed.before, way.returned, result):
        was = passed.standing_for(before)
        other = first_at.setdefault(id(way.origins.get(id(was), was)), gave)
        if other is not gave:  # one where no turn is made
            watch(other, gave)
        is_other = id(is_) in watched or (is_ is not was and is_reached(is_))
        if is_other and is_modified(was):
            raise modified_one_of_two(is_)
        is_sure = id(gave) in optional or not is_flagged(gave)
        if is_sure and not isinstance(is_, StagedList):
            found.setdefault(id(is_), []).append((was, gave))
    for places in found.values():
        _, first = places[0]
        if any(gave is not first for _, gave in places):
            if any(is_modified(was) for was, _ in places):
                raise modified_one_of_two(first)
            watch(*(gave for _, gave in places))


def watch_apart(way: Way, results: Any) -> None:
    """What a branch returned in two places, and is two after it, is not modified.

    A branch is passed one for each place, also of what is one.
    """
    found: dict[int, list[Any]] = {}
    optional = _in_optional(results)
    for is_, gave in _containers(way.returned, results):
        if isinstance(is_, StagedList):
            continue  # its memory tells who else modifies it
        if id(gave) in optional or not is_flagged(gave):
            found.setdefault(id(way.origins.get(id(is_), is_)), []).append(gave)
    for first, *others in found.values():
        if any(gave is not first for gave in others):
            for gave in (first, *others):
                if isinstance(gave, Unbound):
                    gave.shared = True
            watch(first, *others)


def _in_optional(x: Any) -> set[int]:
    """The identities of what stands in what may be None, or missing in a dict.

    What has no value there is no flag of a `return`: it is not there.
    """
    is_optional = isinstance(x, Perhaps) and not is_flagged(x)
    x = if_there(x)
    found = set[int]()
    if is_optional or isinstance(x, nest.Mutable):
        found |= {id(part) for part, _ in nest_contents.contents(x)}
        found |= set(map(id, nest.children(x)))
    return found.union(*map(_in_optional, nest.children(x)))


def _of_unset(x: Any) -> Any:
    """What is there unless it is missing, of what a dict may lack."""
    return x.there if isinstance(x, Unbound) and not x.name else x


def _containers(*nests: Any) -> Iterator[tuple[Any, ...]]:
    """The lists, dicts and objects at the same places of several nests; lists of the graph, too."""
    nests = tuple(map(if_there, nests))
    if not isinstance(nests[0], NestList) and all(
        has_identity(x) or isinstance(_of_unset(x), StagedList) for x in nests
    ):
        yield nests
    for parts in _parts(nests):
        yield from _containers(*parts)


def _parts(nests: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    """What stands at the same places of nests: of dicts, by the keys that all have."""
    if any(isinstance(x, nest.Mutable) for x in nests) and all(map(is_container, nests)):
        first, *others = map(nest_contents.content, nests)
        for key, value in first.items():
            if all(key in other for other in others):
                yield value, *(other[key] for other in others)
        return
    yield from zip(*map(nest.children, nests), strict=False)
