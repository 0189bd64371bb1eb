"""Lists, dicts, sets and deques that traced code makes, and that variables outside are set to.

    self.log = []

Every call makes one of its own, as Python does: the graph has what it takes to make it.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph import nest, nest_contents
from ..graph.given import weakly
from ..graph.tensor import Tensor
from ..keys import copied, is_container
from ..ops.effects import Anew, Copied, Display, Shown
from .holders import walk
from .lists import StagedList
from .living_lists import LivingCollection, LivingList
from .nest_lists import NestList
from .new_objects import is_new_object, is_theirs, made_by_graph
from .optional_nests import Perhaps
from .outside import handing, is_anothers, rebound, was_there, world_now
from .places import Item, Place
from .progress import Collection
from .tuples import StagedTuple
from .unbound import Unbound
from .variable_creation import holds_created

_PLAIN = (bool, str, bytes, type(None))
_NUMBERS = (int, float, complex, np.generic)
# The nests that each call can make.
_MADE = (list, dict, tuple, NestList, Perhaps, StagedTuple)


def made_anew(value: Any) -> tuple[Any, list[Any]] | None:
    """The part that makes such a container, and its inputs; None where there is nothing to make.

    Args:
      value: what a variable is set to.

    Raises:
      OwnershipError: something in it is in a variable that the running graph finds a list in.
    """
    if not is_container(value) and not isinstance(value, Collection | StagedList | nest.Nest):
        return None
    leaves, structure = nest.flatten(with_theirs_whole(value))
    new = [each for each in changing_parts(value) if not _is_there(each)]
    if not _is_made(structure) or not new or not all(map(_is_own, new)):
        return None
    inputs: list[Any] = []
    parts = [_part(leaf, inputs) for leaf in leaves]
    if any(part is None and leaf is not None for part, leaf in zip(parts, leaves, strict=True)):
        return None
    world = world_now().rebound
    for each in new:
        if id(each) in world.bindings.made:
            raise has_two_names(each, world.bindings.made[id(each)][1])
    world.new.update((id(each), each) for each in new)
    return (parts[0] if structure.type is None else Display(structure, tuple(parts))), inputs


class Whole:
    """A container or an object from outside, or one that the graph makes, which is no nest here."""

    def __init__(self, value: Any) -> None:
        self.value = value


def with_theirs_whole(value: Any) -> Any:
    """A nest in which what lives outside already is no nest."""
    value = nest.actual(value)
    container = behind(value)
    if container is not value or _is_there(value):
        return Whole(container)
    return value if nest.is_leaf(value) else nest.map_children(with_theirs_whole, value)


def behind(x: Any) -> Any:
    """The container outside for which something stands in the traced code; anything else itself."""
    if isinstance(x, LivingCollection):
        return x.container
    items = x.listed if isinstance(x, Collection) else x
    if isinstance(items, LivingList):
        if items.is_held:
            raise has_two_names(items.container, items.outer.name)
        return items.container
    known = handing()
    return x if known is None or isinstance(x, Tensor) else known.container_of(x)


def _is_there(x: Any) -> bool:
    return made_by_graph(x) is not None or (_can_change(x) and is_theirs(x))


def _part(leaf: Any, inputs: list[Any]) -> Any:
    """What stands for a leaf; None where each call would have to make it, and the graph cannot."""
    if isinstance(leaf, Collection):
        leaf = leaf.closed()
    if isinstance(leaf, Whole):
        return weakly(leaf.value)
    if type(leaf) in _PLAIN:
        return leaf
    if isinstance(leaf, (Tensor, *_NUMBERS)):
        inputs.append(leaf)
        shown = Shown(len(inputs) - 1)
        return Copied(shown) if isinstance(leaf, StagedList) else shown
    if copied(leaf) is not leaf and _is_own(leaf):
        known = all(type(x) in _PLAIN or isinstance(x, _NUMBERS) for x in _items(leaf))
        return Anew(copied(leaf)) if known else None
    return weakly(leaf) if is_there_already(leaf) else None


def is_there_already(leaf: Any) -> bool:
    """Whether each call finds that very leaf: it lives outside, or is the same for all calls."""
    if is_theirs(leaf) or made_by_graph(leaf) is not None:
        return True
    if isinstance(leaf, _TRACED) or copied(leaf) is not leaf:
        return False
    if holds_created((leaf,)):
        return False
    return not any(_is_of_call(value) for held in walk(('', leaf)) for value in (
        held.owner, *held.content.values()))


# Each call has another value for these.
_TRACED = (Iterator, Collection, Tensor, Unbound, nest.Nest)


def _is_of_call(x: Any) -> bool:
    """Whether each call has one of its own."""
    return isinstance(x, Tensor) or is_new_object(x) or made_by_graph(x) is not None


def is_told_by_content(leaf: Any) -> bool:
    """Whether a leaf is a set or its like, which may hold something else now."""
    return isinstance(leaf, Collection) or copied(leaf) is not leaf


def _items(container: Any) -> Iterator[Any]:
    yield from container
    if isinstance(container, dict):
        yield from container.values()


def _is_made(structure: nest.Structure) -> bool:
    from .dicts import StagedDict  # which imports what sets variables

    kind = structure.type
    is_made = kind is None or issubclass(kind, _MADE)
    if kind is not None and issubclass(kind, StagedDict):
        _, factory, _ = structure.keys
        is_made = is_there_already(factory)
    return is_made and all(map(_is_made, structure.children))


def changing_parts(value: Any) -> Iterator[Any]:
    """The containers in a nest that can change, and the nest."""
    if _can_change(value):
        yield value
    if _is_there(value):
        return
    for part in nest.children(value):
        yield from changing_parts(nest.actual(part))


def _is_own(container: Any) -> bool:
    is_new = id(container) in world_now().rebound.new
    return is_new or not (is_anothers(id(container)) or was_there(container))


def places_of_new() -> dict[int, Place]:
    """Where those are found when the graph has run, by the identity of what stands for each.

    Raises:
      OwnershipError: one has two names outside, which would be two containers.
    """
    world = rebound()
    assert world is not None
    found: dict[int, Place] = {}
    given = {id(x) for x, *_ in world.given}
    for where, (value, *_) in world.made.items():
        variable = world.known(where)
        if variable is None or variable.read() is not value:
            continue
        root = Place(world.outer(variable).get, where, variable.shown)
        for container, place in _places_within(nest.actual(value), root):
            if id(container) in found or id(container) in given:
                raise has_two_names(container, variable.shown)
            found[id(container)] = place
    return found


def has_two_names(container: Any, name: str) -> OwnershipError:
    """The error for a list, or another container, that the graph would make two of."""
    kind = 'list' if isinstance(container, StagedList) else type(container).__name__
    return OwnershipError(describe(
        f'The {kind} that {name!r}, which lives outside the function, is set to has another name, '
        'or is put into another place outside, too; the graph would make two of it.',
        world_now().changes.get(name) or user_location(),
        f'Put a copy there, `x.copy()`, or look for the {kind} in {name!r} alone.',
    ))


def _places_within(value: Any, place: Place) -> Iterator[tuple[Any, Place]]:
    """The containers in a nest that can change, and the nest, and where they are."""
    if _is_there(value):
        return
    if _can_change(value):
        yield value, place
    is_dict = isinstance(value, dict | nest.Mutable)
    parts = nest_contents.content(value) if is_dict else dict(enumerate(nest.children(value)))
    for key, part in parts.items():
        yield from _places_within(nest.actual(part), place.then(Item(key)))


def _can_change(value: Any) -> bool:
    return not isinstance(value, tuple) and (
        isinstance(value, Collection | NestList | StagedList) or is_container(value))
