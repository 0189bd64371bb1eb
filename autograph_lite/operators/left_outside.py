"""What a trace leaves in the world outside is taken out again, and an error says what it was."""
from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import AutographError, OwnershipError, kind_of
from ..graph import nest
from ..graph.state import State
from ..graph.tensor import Tensor
from ..ops.outer_variables import UNSET, is_held
from ..ops.random import drawn_by_python
from ..pyct.asking import get_attribute
from .anew import TracedAnew
from .blocks_around import given_in
from .contents import content
from .drawn_by_python import drawn_from, set_back
from .holders import Held, walk
from .naming import would_refer
from .outside import known_in, without_variables, world_now
from .outside_errors import (
    SHARED,
    attribute_becomes_a_tensor,
    changed_by_both,
    not_ours,
    puts_given,
    taken_in_vain,
    variable_becomes_a_tensor,
)
from .set_variables import Variable, names_in
from .unbound import Unbound
from .world import World


@contextmanager
def outside_world(read: list[str] | None, expected: Collection[Hashable]) -> Iterator[None]:
    """Around a trace: it leaves nothing of its own outside.

    Args:
      read: takes the names of the variables outside that the graph reads; None if it may read none.
      expected: attributes and items outside that the traced code is known to set.

    Raises:
      OwnershipError: it does; everything is put back first.
    """
    world = World(read, expected)
    failed = True
    random = sys.modules.get('random')
    drawn = random and random.getstate()
    try:
        with known_in(world):
            try:
                yield
                failed = False
            except (TracedAnew, AutographError, RecursionError) as error:
                if read or would_refer() or not isinstance(error, AutographError):  # traced again
                    if world.taken_from and not isinstance(error, AutographError):
                        raise taken_in_vain(world.taken_from[0], world.beginning()) from None
                    for undo in undoing():
                        undo()
                raise
    finally:
        with known_in(world):
            left = _clean(world, _is_half_made if failed else _is_traced)
        world.done_by_python = world.done_by_python or _changed_by_python(world)
        if random and random.getstate() != drawn:
            random.setstate(drawn)
            left = left or drawn_by_python()
        if left is not None and not failed:
            raise left


@contextmanager
def put_back(f: Any) -> Iterator[None]:
    """Inside, a function is run to see what it gives: what it changes outside is taken back."""
    code, names = get_attribute(f, '__code__'), get_attribute(f, '__globals__', {})
    read = [names[name] for name in names_in(code) if name in names] if code else []
    own = [('', x) for x in read if not isinstance(x, (*SHARED, types.MethodType))]
    held = list(walk(('', f), *own))
    try:
        yield
    finally:
        for each in held:
            if each.is_changed and not isinstance(each.owner, Iterator):
                each.restore()


def undoing() -> list[Callable[[], None]]:
    """What takes back what the trace has changed outside, so that Python can do it once more."""
    world = world_now()
    changed = [held for held in map(without_variables, world.held.values()) if held.is_changed]
    kept, now = world.rebound.kept, world.rebound.now
    set_ = [
        (variable, world.rebound.outside(variable.where) if variable.path else old)
        for variable, old in world.variables
        if (variable.where in kept if variable.path else variable.where not in now)
        and variable.read() is not old
    ]
    named = world.code.names.changed(untold=True)
    return [
        *(held.restore for held in changed if not isinstance(held.owner, Iterator)),
        *(functools.partial(variable.put, old) for variable, old in (*set_, *named)),
        *(functools.partial(variable.put, old) for variable, old in _deleted(world)),
        *(functools.partial(np.copyto, array, held) for array, held in world.arrays.changed),
        *(functools.partial(set_back, *each) for each in drawn_from(world)),
    ]


def _deleted(world: World) -> Iterator[tuple[Variable, Any]]:
    """The global variables that are no more, and what they were."""
    return ((each, before) for each, before in world.named
            if before is not UNSET and each.is_global and each.read() is UNSET)


def _clean(world: World, is_left: Callable[[Any], bool]) -> OwnershipError | None:
    """Takes out what the trace left behind; the error for the first of it."""
    twice = _changed_twice(world)
    world.rebound.in_place.put_back()
    world.rebound.release()
    left = [*_out_of_containers(world, is_left), *_out_of_variables(world, is_left)]
    return twice or (left[0] if left else None)


def _out_of_containers(
    world: World, is_left: Callable[[Any], bool]
) -> Iterator[OwnershipError]:
    """The errors for what is taken out of containers and objects."""
    for held in world.held.values():
        if id(held.owner) in world.rebound.new or id(held.owner) in world.rebound.objects:
            continue
        now = content(held.owner)
        changed = [key for key in now if now[key] is not held.content.get(key)]
        location = world.changes.get(id(held.owner)) or world.beginning()
        given = given_in(*(now[key] for key in changed))
        if given is not None:
            yield puts_given(given, '', location)
            held.restore()
            continue
        traced = [key for key in changed if is_left(now[key])]
        for key in [key for key in traced if _is_its_own(now[key], held.content.get(key), world)]:
            held.place(key).put(held.content[key])
            traced.remove(key)
        if traced:
            what = f'{traced[0]!r} becomes a tensor in' if held.is_object else _PUT_INTO
            yield not_ours(what, held.owner, location)
            held.restore()


def _out_of_variables(world: World, is_left: Callable[[Any], bool]) -> Iterator[OwnershipError]:
    """The errors for what variables, and attributes that are such, are no longer set to."""
    for variable, old in world.variables:
        if world.made(variable.owner):
            continue
        given = None if variable.read() is old else given_in(variable.read())
        if given is not None:
            yield puts_given(given, variable.shown, world.set_at(variable.shown))
            variable.put(old)
        elif variable.read() is not old and is_left(variable.read()):
            if not _is_its_own(variable.read(), old, world):
                yield _becomes_a_tensor(variable, world)
            variable.put(old)
    for variable, before in world.code.names.changed():
        if not world.made(variable.owner) and is_left(variable.read()):
            yield _becomes_a_tensor(variable, world)
            variable.put(before)
    for variable, before in world.named:
        if is_held(variable.where):
            continue  # another thread traces what sets it
        now = variable.read()
        if now is not before and is_left(now):
            if not _is_its_own(now, before, world):
                yield variable_becomes_a_tensor(variable.name, world.set_at(variable.name))
            variable.put(before)


def _is_its_own(value: Any, before: Any, world: World) -> bool:
    """Whether a tensor stands for the array that was there, which was modified in place."""
    return before is not None and world.handing.array_of(value) is before


def _becomes_a_tensor(variable: Variable, world: World) -> OwnershipError:
    by_code = world.code.names.set_at(variable.name)
    if variable.owner is None:
        return variable_becomes_a_tensor(variable.name, by_code or world.set_at(variable.name))
    found = (at for owner, name, at in world.sets if (name, id(owner)) == variable.where)
    return attribute_becomes_a_tensor(variable, next(found, by_code))


_PUT_INTO = 'A tensor is put into'


def _changed_twice(world: World) -> OwnershipError | None:
    """The error for a container that both Python changed and the graph changes: in which order?"""
    known = world.rebound.in_place
    as_told = [
        *(Held(container, '', content(after)) for container, _, after in known.by_python.values()),
        *(held for key, held in world.held.items()
          if key in known.changed and key not in known.by_python)]
    found = (held.without(world.rebound.keys_of(held.owner)) for held in as_told)
    changed = next((held.owner for held in found if held.is_changed), None)
    if changed is None:
        return None
    return changed_by_both(changed, world.changes.get(id(changed)) or world.beginning())


def _changed_by_python(world: World) -> str:
    """That Python has changed something outside which no graph changes, for people; or nothing."""
    made = world.rebound.new.keys() | world.rebound.objects.keys()
    for held in world.held.values():
        is_pythons = isinstance(held.owner, Iterator) and not held.is_object
        if is_pythons and (held.is_changed or not held.tells_how_far):
            return f'took from {kind_of(held.owner)}'
        if id(held.owner) not in made and held.is_changed:
            attribute = held.changed_attribute()
            of = f'{attribute!r} of ' if attribute else ''
            return f'changed {of}{kind_of(held.owner)} outside'
    kept = (each for each, old in world.variables
            if each.where in world.rebound.kept and each.read() is not old)
    if drawn_from(world):
        return 'drew random numbers'
    if world.arrays.changed:
        return 'changed an array outside'
    named = (f'changed {each.shown!r} outside' for each, _ in world.code.names.changed())
    gone = (f'deleted {each.shown!r} outside' for each, _ in _deleted(world))
    return next((f'changed {each.shown!r} outside' for each in kept), next(gone, next(named, '')))


def _is_traced(value: Any) -> bool:
    """Whether something of a trace is in it."""
    value = nest.actual(value)
    if isinstance(value, (Tensor, Unbound, nest.Nest)):
        return True
    is_of_class = isinstance(value, tuple) and nest.is_leaf(value)  # of one derived from `tuple`
    parts = tuple.__iter__(value) if is_of_class else nest.children(value)
    return any(map(_is_traced, parts))


def _is_half_made(value: Any) -> bool:
    """The same, or a variable without a value, since what would have computed it has failed."""
    held = [each for found in walk(('', value)) for each in found.content.values()]
    return _is_traced(value) or any(
        isinstance(each, State) and not each.is_set for each in (value, *held))
