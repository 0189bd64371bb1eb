"""Guards of dataclasses outside of which traced code sets attributes.

    model.step(x)               # self.count += 1

Whoever is given a dataclass may read all of it, so all that it holds is guarded; but for what the
graph itself read of it by then. If it only came to set an attribute after that, it is traced anew.
"""
from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from ..graph import nest
from ..keys import Identity, value_key
from .anew import TracedAnew
from .guards import Guard, Guards, SameGuard, attributes_known
from .new_objects import made_by_graph
from .outer_variables import type_of_input
from .outside import rebound
from .places import Attribute, GoneError, Place


def leave_variables(guards: Guards) -> None:
    """Of dataclasses of which the graph sets something, only the rest is guarded.

    Raises:
      TracedAnew: the graph did not read all that it sets when the dataclass was read.
    """
    world = rebound()
    if world is None or not world.reads or not any(is_dataclass(x.holder) for x in world.parts):
        return
    found = [(where, guard.read, value) for where, guard, value in _set_in(guards)]
    late = [
        where for _, place, value in found
        for where in _wheres(value) if _is_late(where, attributes_known(place))]
    if late:
        raise TracedAnew(*late)
    for where, place, value in found:
        del guards[where]
        _guard_rest(guards, place, value, attributes_known(place))


def _set_in(guards: Guards) -> Iterator[tuple[Hashable, Any, Any]]:
    for where, guard in guards.items():
        if type(guard) is Guard and isinstance(guard.read, Place) and guard.identity:
            try:
                value = guard.read()
            except GoneError:
                continue
            if made_by_graph(value) is None and next(_wheres(value), None) is not None:
                yield where, guard, value


def _wheres(value: Any) -> Iterator[Hashable]:
    """What the graph sets of a dataclass, and of those in it."""
    world = rebound()
    assert world is not None
    if is_dataclass(value) and not nest.is_leaf(value):
        yield from ((key, id(value)) for key in world.keys_of(value))
        for part in nest.children(value):
            yield from _wheres(part)


def _is_late(where: Hashable, known: Collection[Hashable]) -> bool:
    world = rebound()
    assert world is not None
    is_read = type_of_input(world.before(where)) is not None
    return is_read and where not in known and where not in world.expected


def _guard_rest(
    guards: Guards, place: Place, value: Any, known: Collection[Hashable]
) -> None:
    world = rebound()
    assert world is not None
    guards.setdefault(('same', place.key), SameGuard(str(place), place, Identity(value)))
    for field in fields(value):
        where = field.name, id(value)
        part, held = place.then(Attribute(field.name)), getattr(value, field.name)
        if next(_wheres(held), None) is not None and where not in known:
            _guard_rest(guards, part, held, known)
        elif where not in known:
            held = held if world.known(where) is None else world.before(where)
            guards.setdefault(part.key, Guard(str(part), part, value_key(held), id(held)))
