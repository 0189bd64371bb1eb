"""Objects that traced code makes, and that live outside from where it puts them there.

    self.state = State()

Every call makes one of its own, as Python does: the graph makes the object and sets its attributes,
which are variables outside like those of any other object there.
"""
from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

from ..converters.callees import is_of_library
from ..errors import OwnershipError, describe, kind_of, user_location
from ..graph import nest
from ..graph.given import stand_for
from ..graph.state import State
from ..graph.tracing import emit, is_tracing
from ..ops.new_objects import NEW_OBJECT, NewObject, bare
from ..ops.outer_variables import UNSET
from .blocks_around import is_from_around
from .contents import content, is_object
from .holders import walk
from .opened import OPENED
from .outside import (
    is_outside,
    note_change,
    note_made,
    note_variable,
    rebound,
    was_there,
    world_now,
)
from .outside_errors import chosen_object
from .progress import Collection, Progress
from .reached_tensors import check_class
from .set_variables import Variable, part_of
from .variable_creation import holds_created, is_made_once
from .watched import is_watched


def new_objects(value: Any) -> Iterator[Any]:
    """The objects in a nest that the traced code has made, and that nobody outside has yet."""
    value = nest.actual(value)
    if isinstance(value, Collection):
        value = value.listed
    if is_new_object(value):
        yield value
    elif not is_theirs(value):
        for part in nest.children(value):
            yield from new_objects(part)


def is_theirs(x: Any) -> bool:
    """Whether it was outside before the traced code could have put it there."""
    is_new = id(x) in world_now().rebound.new
    return not is_new and (is_outside(x) or was_there(x))


def is_new_object(x: Any) -> bool:
    """Whether it is an object of a class of the user's that each call of the function would make.

    One that has a variable which this trace creates is made once for all calls.
    """
    kind = type(x)
    if not (is_object(x) or kind is object) or isinstance(x, _OTHERS) or x is UNSET:
        return False
    if is_of_library(kind) and kind not in (object, *OPENED):
        return False
    is_known = is_theirs(x) or id(x) in world_now().rebound.found
    return not (is_known or holds_created((x,)) or is_made_once(x))


def note_found(x: Any) -> None:
    """Code that is not converted has given this: no call makes the objects in it."""
    if is_tracing():
        found = world_now().rebound.found
        found.update((id(held.owner), held.owner) for held in walk(('', x)) if held.is_object)


# Told by what they are, or kept as they are.
_OTHERS = (State, Progress, Enum, BaseException, tuple)


def made_by_graph(x: Any) -> NewObject | None:
    """What stands in the graph for an object that it makes."""
    world = rebound()
    return None if world is None else world.objects.get(id(x), (None, None))[1]


def put_outside(x: Any, name: str) -> list[Variable]:
    """From here on the graph has made an object.

    Args:
      x: the object.
      name: what the user calls the variable that is set to it; empty for a container.

    Returns:
      Its attributes, which the graph is to set.

    Raises:
      OwnershipError: it is more than its attributes, or was there before the block that is traced.
      StagingError: its class, which the function has made, holds tensors.
    """
    world = rebound()
    assert world is not None
    kind = type(x)
    if not _is_plain(kind):
        what = f'{kind_of(x).capitalize()} that the function makes is put into what lives outside, '
        raise OwnershipError(describe(
            f'{what}and is more than its attributes.', user_location(),
            'Put a tuple, a dict or an object there that is no more than its attributes.'))
    check_class(x, 'put into what lives outside')
    if is_watched(id(x)):
        raise chosen_object(x, name)
    if is_from_around(x):
        what = f'{kind_of(x).capitalize()} that the function makes before a branch or a loop is '
        raise OwnershipError(describe(
            f'{what}put into what lives outside within it.', user_location(),
            'Make it within the branch or the loop, or put it there before.'))
    made = NewObject(kind, x)
    world.objects[id(x)] = x, made
    stand_for(x, made)
    emit(NEW_OBJECT, [], {'made': made})
    note_made(x)
    variables = [part_of(x, name, f'{kind.__name__}.{name}') for name in content(x) or ()]
    for variable in variables:
        note_variable(variable, variable.read(), lambda: None)
        note_change(variable.shown)
    return variables


def _is_plain(kind: type[Any]) -> bool:
    try:
        bare(kind)
    except TypeError:
        return False
    return not hasattr(kind, '__del__')
