"""Functions that traced code puts outside: a staged block reaches what they close over.

    o.add, o.reset = make_counter()
"""
from __future__ import annotations

import types
from collections.abc import Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from .holders import Held, walk
from .new_objects import is_theirs
from .outside import note_function, rebound, world_now
from .outside_errors import KEEP_OUTSIDE
from .set_variables import variables_set_by


def note_functions(value: Any) -> None:
    """What is put outside has these functions in it, which close over variables."""
    world = rebound()
    assert world is not None
    for held in walk(('', value)):
        f = held.owner
        if isinstance(f, types.FunctionType) and f.__closure__ and not is_theirs(f):
            world.functions.setdefault(id(f), (f, user_location()))


def held_outside(known: Sequence[Held]) -> list[Held]:
    """What else can be reached through these functions, as far as the traced code has come.

    Args:
      known: what can be reached by other names.
    """
    world = rebound()
    if world is None or not world.functions:
        return []
    owners = {id(held.owner) for held in known}
    places = {held.place(key).identity for held in known for key in held.content}
    return [
        held.without(frozenset(key for key in held.content if held.place(key).identity in places))
        for held in walk(*((f.__name__, f) for f, _ in world.functions.values()))
        if id(held.owner) not in owners]


def note_converted(f: types.FunctionType) -> None:
    """A function is called that converted code has made.

    Raises:
      OwnershipError: that was another trace, and what this one sets through it no graph would set.
    """
    world = world_now()
    is_known = id(f) in world.called or id(f) in world.rebound.functions
    if not is_known and is_theirs(f) and not world.made(f):
        own = [variable.name for variable in variables_set_by(f) if not variable.is_global]
        if own:
            raise OwnershipError(describe(
                f'{f.__name__!r}, which another function put outside while it was traced, sets '
                f'{own[0]!r}, which it closes over; the graph would not do so when it runs.',
                user_location(), f'{KEEP_OUTSIDE}, such as `self.{own[0]}`.'))
    note_function(f, is_made_here=True)
