"""Which list, dict, object or array the results of a staged block are.

A block works on copies of its own. Where it only changed what they hold, its result is what it was
given, with the new contents: every name for that sees them. Where a result may be one thing or
another, as in

    best = row if x > 0 else other

it is a new one, and neither it nor what it may be is modified from then on (see `watched`).
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph import nest, nest_contents
from ..graph.ownership import NotOwnedError
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, note_writes, pass_on
from .block_ways import Way, has_identity, if_there, is_flagged, returned_by_blocks, what_it_may_be
from .nest_lists import NestList
from .optional_nests import Perhaps
from .other_names import has_other_name
from .outside import is_anothers, is_outside
from .tensor_array import TensorArray
from .unbound import Unbound
from .view_bases import write_through
from .watched import content_of, is_container, is_watched, watch


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
        ways = tuple(way.part(if_there(way.returned)) for way in ways)
        kept_one = _kept_tensor(result, ways)
        if kept_one is result:
            _watch(result, name, ways, is_item)
        return kept_one
    parts = [way.returned for way in ways]
    if isinstance(result, TensorArray):
        return result  # it has one name
    if isinstance(result, Perhaps) and all(part is not None for part in parts):
        there = (way.part(if_there(part)) for way, part in zip(ways, parts, strict=True))
        held = kept(result.nest, name, *there, is_item=is_item)
        return Perhaps(result.present, held)
    if not all(nest.have_same_parts(part, result) for part in parts):
        inside = tuple(inner for way in ways for inner in way.containers())
        if is_item or not any(map(is_flagged, parts)):
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
    if not has_identity(result):
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
    own = [container for x in returned for container, _ in nest_contents.contents(x)]
    return [*own, *(one for way in ways for one in way.possible() if is_container(one))]


def _only(ways: Sequence[Way]) -> Any:
    """What all ways have returned; None if that may be one thing or another."""
    same, *others = (way.only() for way in ways)
    return None if any(other is not same for other in others) else same


def _only_item(ways: Sequence[Way]) -> Any:
    """The same, of what a dict may lack: there or not, it is that one."""
    same, *others = (way.origin() for way in ways)
    return None if any(other is not same for other in others) else same


def _kept_tensor(result: Tensor, ways: tuple[Way, ...]) -> Tensor:
    same, *others = map(_array_before, ways)
    if any(other is not same for other in others) or any(way.is_changing() for way in ways):
        return result
    if not isinstance(same, Tensor) or not same.memory:
        return result
    if not same.is_taken_anew and same.is_stale and result is not same:
        write_through(same, result)
        return same
    if same.place is not None:
        return result
    if same.graph is current_graph() and (same is result or not same.is_stale):
        return same
    if same.graph is current_graph():
        note_writes(same.follow(result))
        pass_on(same)
        return same
    if same.is_stale:
        raise NotOwnedError(same)
    return result


def _array_before(way: Way) -> Any:
    """What was given for what a way has returned; itself, if it is an array of around the block."""
    returned = nest.actual(way.returned)
    is_around = isinstance(returned, Tensor) and returned.graph is current_graph()
    return way.origins.get(id(returned), returned if is_around else None)


def _put_into(container: Any, result: Any, ways: tuple[Way, ...]) -> Any:
    """The container with the contents of the result."""
    if isinstance(container, NestList):
        container.columns[:] = result.columns
    elif any(id(nest.actual(way.returned)) in way.modified for way in ways):
        if is_outside(container):
            return result
        nest_contents.restore([(container, nest_contents.content(result))])
    return container


def _may_be_unset(result: Any, ways: tuple[Way, ...]) -> bool:
    """Whether it stands for what is returned on some of the ways, under a flag."""
    return is_flagged(result) or any(
        is_flagged(way.returned) and what_it_may_be(way.returned) is None for way in ways
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
        if is_anothers(id(origin)) or has_other_name(origin, name)
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
