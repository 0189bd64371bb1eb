"""What traced code puts outside: a container that a call is given is not, one from outside is it.

    self.rows = rows            # refused, where each call is given another list
    self.last = self.first      # guarded: it is the list of the first call only in the first call
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph import nest
from ..keys import is_container
from .blocks_around import given_in
from .guards import record_same, recorded_places
from .living_lists import LivingList
from .new_containers import behind
from .new_objects import is_theirs
from .outside import world_now
from .outside_errors import puts_given
from .places import Place, found_at


def check_put(value: Any, name: str = '', is_of_made: bool = False) -> None:
    """What is put outside neither is nor holds a container of which each call is given another.

    Of one that is outside already, the trace is for that very one.

    Args:
      value: what is put there.
      name: what the user calls the variable that is set to it; empty for a container.
      is_of_made: whether that is an attribute of an object that the function makes.

    Raises:
      OwnershipError: it does.
    """
    found = given_in(value)
    if found is not None:
        raise puts_given(found, name, is_of_made=is_of_made)
    for x, place in _theirs(value, None):
        record_same(place, x)


def _theirs(x: Any, within: Place | None) -> Iterator[tuple[Any, Place]]:
    """The containers in a nest that were outside before, and where they were found."""
    x, world = nest.actual(x), world_now().rebound
    if isinstance(x, LivingList) and x.is_held:
        return
    container = behind(x)
    place = world.places.get(id(container), within)
    if is_container(container) and not isinstance(container, tuple) and is_theirs(container):
        place = place or next((p for p in recorded_places() if found_at(p) is container), None)
        if place is not None:
            yield container, place
        return
    for part in nest.children(container):
        yield from _theirs(part, place)


def with_theirs(x: Any) -> Any:
    """A nest with the containers from outside themselves in the places of what stands for them."""
    x = nest.actual(x)
    if isinstance(x, LivingList) and x.is_held:
        return x
    container = behind(x)
    is_made = container is x and type(x) in (list, tuple, dict) and not is_theirs(x)
    return nest.map_children(with_theirs, x) if is_made else container
