"""What lives outside of a traced function: a graph cannot change it, and no trace may leave in it.

Objects and containers that the function was given or reads from outside, and the variables of its
module and of the functions around it, hold after a trace what they held before, as far as tensors
are concerned; a staged block changes none of their lists and dicts at all.
"""
from __future__ import annotations

import threading
import types
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from itertools import islice
from typing import Any

from ..converters.callees import is_of_library
from ..errors import Location, user_location
from ..graph import nest_contents
from ..graph.state import State
from ..graph.tensor import Tensor
from ..graph.tracing import note_writes
from ..keys import is_container
from .anew import leave_to_python
from .contents import is_object
from .handed import ArrayPlace, Handing
from .holders import Held, walk
from .outside_errors import SHARED
from .places import Place
from .rebound import Rebound
from .set_variables import (
    Variable,
    attribute_of,
    in_cell,
    in_module,
    is_namespace,
    is_set,
    names_in,
    variables_set_by,
    variables_within_reach,
)
from .world import World

_CALLED = (types.FunctionType, types.MethodType)

# Lists and dicts with more items are not compared at every staged block.
_MOST_ITEMS = 1000


class _Tracing(threading.local):
    world: World | None = None


_tracing = _Tracing()


@contextmanager
def known_in(world: World) -> Iterator[None]:
    """Inside, this is what is known to live outside."""
    outer = _tracing.world
    _tracing.world = world
    try:
        yield
    finally:
        _tracing.world = outer


def is_outside(x: Any) -> bool:
    """Whether it is known to live outside of the traced function."""
    return _tracing.world is not None and id(x) in _tracing.world.known


def is_anothers(identity: int) -> bool:
    """Whether it is that of something outside, or of a container that the function was given."""
    world = _tracing.world
    return world is not None and (identity in world.known or identity in world.given)


def is_given(identity: int) -> bool:
    """Whether it is that of a container that the function was given."""
    return identity in world_now().given


def was_there(x: Any) -> bool:
    """Whether something outside held this very object when it became known."""
    world = world_now()
    contents = [held.content for held in world.held.values()]
    contents += world.of_classes
    values = [value for content in contents for value in content.values()]
    return any(value is x for value in (*values, *(before for _, before in world.named)))


def note_given(containers: Iterable[Any]) -> None:
    """Remembers the containers among the arguments of the traced function."""
    if _tracing.world is not None:
        _tracing.world.given |= {id(x) for x in containers}


def lives_outside(x: Any) -> bool:
    """Whether the traced function was given it or reads it from outside, or a part of that is it.

    That is looked at in depth, so it is asked only of what is known to be changed.
    """
    world = _tracing.world
    if world is None or (_is_set_to(x) and not is_outside(x)):
        return False
    called = [f for key, f in world.called.items() if key not in world.made_here]
    roots = [('', known) for known in (*world.known.values(), *called)]
    return is_outside(x) or any(held.owner is x for held in walk(*roots))


def _is_set_to(x: Any) -> bool:
    """Whether traced code has set a variable to it that held something else, and is no part."""
    world = world_now().rebound
    return any(
        variable.read() is x is not world.before(variable.where)
        for variable in world.all_held if not variable.path)


def note(*values: Any) -> None:
    """Remembers what the traced function was given or reads from outside."""
    world = _tracing.world
    if world is None:
        return
    for value in values:
        if isinstance(value, types.MethodType):
            note(value.__self__)
        if id(value) in world.rebound.new:
            _note_new(world, value)
        if isinstance(value, (Tensor, *_CALLED)) or id(value) in world.known:
            continue
        world.known[id(value)] = value
        _note_held(world, value)
        if isinstance(value, type):
            users = [kind for kind in value.__mro__ if not is_of_library(kind)]
            world.of_classes += [dict(vars(kind)) for kind in users]
            for kind in users:
                for held in vars(kind).values():
                    if is_container(held):
                        _note_held(world, held)


def note_put(value: Any) -> None:
    """Remembers what the traced code has put where it lives outside: until that is undone."""
    world = world_now()
    before = len(world.known)
    note(value)
    put = list(islice(reversed(world.known), len(world.known) - before))
    if put:
        target: Any = world
        note_writes([(target, put, None)])


def note_made(x: Any) -> None:
    """Remembers that an object lives outside from here on, which the traced code has made."""
    world_now().known[id(x)] = x


def _note_new(world: World, value: Any) -> None:
    """What was put into a container that the trace has made is the trace's, too, unless known."""
    owners = [held.owner for held in walk(('', value))]
    world.rebound.new.update(
        (id(x), x) for x in owners if is_container(x) and id(x) not in world.known)


def note_function(f: Any, is_made_here: bool = False) -> None:
    """Remembers what a function reads or sets outside of itself; a method, its object.

    Args:
      f: the function.
      is_made_here: whether the trace has made it: then the variables around it are the trace's.
    """
    world = _tracing.world
    if isinstance(f, types.MethodType):
        note(f.__self__)
        f = f.__func__
    if world is None or not isinstance(f, types.FunctionType) or id(f) in world.called:
        return
    world.called[id(f)] = f
    if is_made_here:
        world.made_here.add(id(f))
        world.own_cells.update(map(id, f.__closure__ or ()))
        _note_variables(world, [each for each in variables_set_by(f) if each.is_global])
        return
    names = [name for name in names_in(f.__code__) if name in f.__globals__]
    held = {name: f.__globals__[name] for name in names}
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    inside = {name: cell.cell_contents for name, cell in cells.items() if is_set(cell)}
    world.named += [(in_module(name, f.__globals__), value) for name, value in held.items()]
    world.named += [(in_cell(name, cells[name]), value) for name, value in inside.items()]
    _note_variables(world, variables_set_by(f))
    _note_variables(world, variables_within_reach(f, world.reached))
    defaults = (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
    note(*(value for value in defaults if is_object(value)))
    for value in (*held.values(), *inside.values(), *defaults):
        if isinstance(value, (list, dict)):
            world.known[id(value)] = value
            _note_held(world, value)
        elif isinstance(value, type) and not is_of_library(value):
            note(value)


def _note_variables(world: World, variables: Iterable[Variable]) -> None:
    """Remembers variables of others that a function sets which may be called."""
    for variable in variables:
        if world.rebound.known(variable.where) is None:
            world.rebound.hold(variable, variable.read())
            world.rebound.note_seen(variable)
            world.variables.append((variable, variable.read()))


def note_variable(variable: Variable, before: Any, begin: Callable[[], None]) -> None:
    """Remembers an attribute or an item that lives outside, as one that traced code sets.

    Args:
      variable: which one.
      before: what it was when the trace began.
      begin: lets it hold what stands for it where the graph begins.
    """
    world = world_now()
    world.rebound.hold(variable, before)
    begin()
    world.rebound.note_seen(variable)
    held = variable.held()
    world.variables.append((variable, before if isinstance(held, list | dict) else held))


def _note_held(world: World, value: Any) -> None:
    """Remembers what can be reached from a value, and what it holds."""
    for held in walk(('', value)):
        if isinstance(held.owner, Iterator):
            leave_to_python()  # nothing puts back what is taken from it
        if len(held.content) <= _MOST_ITEMS and not isinstance(held.owner, _CALLED):
            world.held.setdefault(id(held.owner), held)
            world.known[id(held.owner)] = held.owner
        world.code.note_held(held)
    world.code.note(value)


def note_inlined(*functions: Callable[..., Any] | None) -> None:
    """Remembers functions whose own traces became part of this one."""
    if _tracing.world is not None:
        _tracing.world.inlined += [f for f in functions if f is not None]


def called_functions() -> list[Callable[..., Any]]:
    """The functions of which something was traced so far, in the order of their calls."""
    world = _tracing.world
    return [] if world is None else [*world.called.values(), *world.inlined]


def note_change(what: Any) -> None:
    """Remembers where the traced code changes something outside, in case it puts a tensor there.

    Args:
      what: the object or container; the name of a variable.
    """
    if _tracing.world is not None:
        _tracing.world.changes[what if isinstance(what, str) else id(what)] = user_location()


def changed_at(x: Any) -> Location | None:
    """Where the traced code last set an attribute or an item of it; None if that is not known."""
    return world_now().changes.get(id(x))


def note_setting(owner: Any, name: str | None) -> None:
    """Remembers what the traced code is about to set.

    Args:
      owner: the object or container; a class, module or function, which everybody shares; the
        namespace of a module.
      name: the attribute, or the variable of a module; None for an item.
    """
    world = _tracing.world
    if world is None or isinstance(owner, State):
        return
    is_shared = name is not None and isinstance(owner, SHARED)
    if is_shared or is_namespace(owner) or id(owner) in world.known:
        world.sets.append((owner, name or '', user_location()))
    if is_shared and all((name, id(owner)) != known.where for known, _ in world.variables):
        variable = attribute_of(owner, str(name))
        world.variables.append((variable, variable.read()))


def world_now() -> World:
    """What is known of the world outside by now."""
    return _tracing.world or World()


def is_made_here(x: Any) -> bool:
    """Whether a function that is traced has made this class or function."""
    return world_now().made(x)


def is_own_variable(place: Place) -> bool:
    """Whether a variable is of a function that is traced, and no captured one."""
    where = place.where
    return isinstance(where, tuple) and where[-1] in world_now().own_cells


def check_handed() -> None:
    """What was handed out has not been modified.

    Raises:
      OwnershipError: it has.
    """
    known = handing()
    if known is not None:
        known.check()


def rebound() -> Rebound | None:
    """What the trace does with the variables outside that it sets."""
    return None if _tracing.world is None else _tracing.world.rebound


def set_at(name: str) -> Location | None:
    """Where the traced code has set a variable."""
    return world_now().set_at(name)


def handing() -> Handing | None:
    """What the trace hands out in the place of containers from outside."""
    return None if _tracing.world is None else _tracing.world.handing


def without_tensors(value: Any) -> Any:
    """The dataclass outside for which one with tensors stands; anything else itself."""
    known = handing() if is_dataclass(value) else None
    return value if known is None else known.container_of(value)


def arrays_standing_for(tensors: Container[int]) -> list[ArrayPlace]:
    """The captured arrays for which tensors of these identities stand."""
    known = handing()
    return [] if known is None else known.places(tensors)


def modified(before: nest_contents.Contents) -> list[int]:
    """Which of these lists and dicts hold something else now."""
    return [i for i, (held, content) in enumerate(before) if not nest_contents.holds(held, content)]


def does_what_lasts() -> bool:
    """Whether Python did in the trace what nothing takes back."""
    world = world_now()
    return world.is_lasting or bool(world.taken_from)


def without_variables(held: Held) -> Held:
    """The same without attributes or items that traced code sets, which the graph knows."""
    return held.without(world_now().rebound.keys_of(held.owner))
