"""Attributes of objects and items of dicts that live outside, and that traced code sets.

    self.count += 1

They are variables outside (see `outer_variables`) from where the code is found to set them. If it
has read one before it sets it, as a Python value, it is traced anew, knowing that.
"""
from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from ..converters.callees import is_of_library
from ..graph.state import State
from ..graph.tensor import Tensor
from ..keys import is_container
from ..ops.outer_variables import UNSET, settled
from ..pyct.asking import get_attribute, members_of
from .anew import note_late
from .class_parts import check_set, classes_with, is_shared, record_lack
from .contents import is_object
from .guards import is_read_whole, record, record_error, record_same
from .new_objects import made_by_graph
from .opened import OPENED
from .outer_variables import is_chosen, is_set_here, read, tell_of, type_of_input
from .outside import (
    handing,
    is_outside,
    note_change,
    note_setting,
    note_variable,
    rebound,
    world_now,
)
from .outside_errors import SHARED, set_by_python
from .own_methods import own_method
from .places import Attribute, Global, Item, Place, Question, Step, is_static, place_of, step_in
from .set_by_python import is_set_by_python, known_too_late
from .set_variables import (
    Variable,
    class_member,
    in_module,
    is_namespace,
    part_of,
    shared_attribute,
)
from .staging import graph_now


def read_part(owner: Any, step: Step, place: Place, found: Any) -> tuple[Any, Place | None]:
    """What an attribute or an item is for the traced code, and its place.

    Args:
      owner: the object or dict, which lives outside.
      step: leads from it to what is read.
      place: that.
      found: what it holds.
    """
    world = rebound()
    if world is None or not isinstance(step, Attribute | Item):
        return found, place
    key, _ = where = _where(owner, step)
    if isinstance(owner, dict) or is_container(owner):
        _note_place(owner, place.before())
    if isinstance(owner, dict) and isinstance(step, Attribute):
        return found, place
    variable = world.known(where)
    if world.reads and world.bindings.has_list(where, graph_now()) and (
            variable := variable or _variable(owner, key)):
        from .held_lists import stand_in  # which reads what is outside

        return stand_in(variable), None
    of_class = None if variable is not None else _read_of_class(owner, key, place)
    if of_class is not None:
        return of_class
    if variable is None:
        found = settled(where, found)
        type_ = type_of_input(found)
        if type_ is None:
            return found, place
        if world.reads and (where in world.expected or is_set_here(key, type_)):
            variable = _variable(owner, key)
        if variable is None:
            world.fixed.add(where)
            return found, place
    if where in world.foreign:
        raise set_by_python(variable.shown)
    world.note_look_at(variable)
    value = variable.read()
    return value, None if isinstance(value, Tensor) or where in world.now else place


def _read_of_class(owner: Any, key: Any, place: Place) -> tuple[Any, Place | None] | None:
    """What an object reads of its class, if the graph knows of that; None for anything else."""
    world = rebound()
    if world is None or isinstance(owner, dict):
        return None
    for kind in classes_with(owner, key):
        where = key, id(kind)
        if kind is owner:
            continue
        if world.known(where) is not None or where in world.expected:
            record_lack(owner, key, place.before())
            step = Attribute(key)
            return read_part(kind, step, place_of(kind, kind.__name__).then(step), step(kind))
        world.fixed.add(where)
    return None


def _where(owner: Any, step: Attribute | Item) -> tuple[Any, int]:
    return (step.name if isinstance(step, Attribute) else step.key), id(owner)


def is_chosen_part(owner: Any, step: Step) -> bool:
    """Whether an attribute or an item holds what a block has made of several things."""
    return isinstance(step, Attribute | Item) and is_chosen(_where(owner, step))


def note_place(container: Any, place: Place | None) -> None:
    """Remembers where a container outside was found, of which something is set."""
    world = rebound()
    if world is None or place is None:
        return
    _note_place(container, place)
    if world.expected and is_dataclass(container) and is_outside(container):
        for field in fields(container):
            where = field.name, id(container)
            if where in world.expected and world.reads and world.known(where) is None:
                _variable(container, field.name)


def _note_place(container: Any, place: Place) -> None:
    """Notes where a container is: a dict that is found at two places is to be one at each call."""
    places = world_now().rebound.places
    if isinstance(container, dict):
        _record_one(container, places.get(id(container), place), place)
    places[id(container)] = place


def _record_one(container: Any, found: Place, other: Place) -> None:
    """Guards that two places hold the same container, if they are two."""
    if found.key != other.key:
        record_same(found, container)
        record_same(other, container)


def record_others(container: Any, place: Place | None) -> None:
    """Guards what a dict outside held that the graph does not know, of which all is read.

    Args:
      container: the dict; anything else is told otherwise.
      place: where it was found.
    """
    world = world_now()
    known = world.rebound.keys_of(container) if isinstance(container, dict) else ()
    held = world.held.get(id(container))
    if place is None or held is None or not known:
        return
    record(place.then(Question('keys')), tuple(held.content))
    for key, value in held.content.items():
        if key not in known:
            record(place.then(step_in(container, Item(key))), value)


def place_of_container(container: Any) -> Place | None:
    """Where it was found."""
    world = rebound()
    return None if world is None else world.places.get(id(container))


def places_holding(container: Any) -> list[Place]:
    """Where a container is found that was fetched from another one, or an object, as a value."""
    places = []
    for held in world_now().held.values():
        keys = [key for key, value in held.content.items() if value is container]
        places += places_of_parts(held.owner, keys)
    return places


def places_of_parts(owner: Any, keys: Iterable[Any]) -> list[Place]:
    """Where attributes or items of something outside are found, as far as is known."""
    is_item = isinstance(owner, dict | list | deque | tuple)
    step, place = Item if is_item else Attribute, place_of_container(owner)
    if not is_item and (is_object(owner) or isinstance(owner, type)):
        place = place_of(owner, type(owner).__name__)
    return [] if place is None else [place.then(step_in(owner, step(key))) for key in keys]


def set_attribute(
    owner: Any, name: str, value: Any, put: Callable[[Any, str, Any], None] = setattr
) -> None:
    """`owner.name = value`, of which the graph knows if the object lives outside."""
    if is_there(owner, name, value):
        return
    check_set(owner, name)
    variable = None if isinstance(owner, dict) else _to_set(owner, name)
    if variable is None:
        note_setting(owner, name)
    put(owner, name, value)
    if variable is not None:
        note_change(variable.shown)
        tell_of(variable)


def delete_attribute(
    owner: Any, name: str, take: Callable[[Any, str], None] = delattr
) -> None:
    """`del owner.name`, of which the graph knows if the object lives outside."""
    variable = _to_set(owner, name)
    world = rebound()
    if variable is not None and world is not None and variable.where not in world.now:
        there = Question('hasattr', (name,))
        place = place_of(owner, type(owner).__name__)
        if name in members_of(owner).caches:
            place, there = place.then(Question('vars')), Question('in', (name,))
        record(place.then(there), there(place()))
    take(owner, name)
    if variable is not None:
        note_change(variable.shown)
        tell_of(variable)


def set_item(owner: Any, key: Any, value: Any) -> None:
    """The same for `owner[key] = value` of a dict."""
    if is_there(owner, key, value):
        return
    variable = _to_set(owner, key)
    if variable is None:
        note_setting(owner, None)
    owner[key] = value
    world = rebound()
    if world is not None:
        world.in_place.note_set(owner, key)
    if variable is not None:
        note_change(variable.shown)
        tell_of(variable)


def is_variable(owner: Any, key: Any) -> bool:
    """Whether the graph knows what becomes of an attribute or an item."""
    world = rebound()
    return world is not None and world.known((key, id(owner))) is not None


def is_there(owner: Any, key: Any, value: Any) -> bool:
    """Whether it holds that very array or container already, such as in `self.w += x`."""
    arrays, world = handing(), rebound()
    if world is not None and isinstance(value, Tensor) and is_static(key):
        variable = world.known((key, id(owner)))
        if variable is not None and variable.read() is value:
            return True
    array = None if arrays is None else arrays.array_of(value)
    if is_container(value) and is_outside(value):
        array = value
    if array is None or not is_outside(owner):
        return False
    try:
        is_item = isinstance(owner, dict | list | deque)
        is_held = (owner[key] if is_item else get_attribute(owner, key)) is array
    except (LookupError, TypeError):
        return False
    return is_held and (array is not value or _is_kept(owner, key, value))


def _is_kept(owner: Any, key: Any, container: Any) -> bool:
    """Guards that both what holds a container, and where else it was found, hold the same one.

    Returns:
      Whether that can be told.
    """
    found = place_of_container(container)
    held = next((each for each in places_of_parts(owner, [key])), None)
    if found is None:
        return True
    if held is not None:
        _record_one(container, found, held)
    return held is not None


def _to_set(owner: Any, key: Any) -> Variable | None:
    """The variable that is about to be set; None for what is no such thing."""
    world = rebound()
    if world is None or isinstance(owner, State) or not (is_shared(owner) or is_namespace(owner)):
        return None
    where = (key, id(owner))
    known = world.known(where)
    return _variable(owner, key) if known is None else known


def _variable(owner: Any, key: Any) -> Variable | None:
    """The variable that stands for an attribute or an item from now on; None where none can.

    Raises:
      TracedAnew: the code has read it as a Python value.
    """
    world = rebound()
    assert world is not None
    place = world.places.get(id(owner))
    if made_by_graph(owner) is not None:
        made = part_of(owner, key, f'{type(owner).__name__}.{key}')
        note_variable(made, made.read(), lambda: None)
        return made
    if is_namespace(owner):
        if type(key) is not str:
            return None
        made = in_module(key, owner)
        place = Place(lambda: owner, ('module', id(owner)), 'globals()', (Global(key),))
        note_variable(made, made.read(), lambda: _begin(made, place))
        return made
    if isinstance(owner, dict):
        if place is None or own_method(owner, '__setitem__') is not None:
            return None
        path = f'{place}[{key!r}]'
    elif isinstance(owner, types.ModuleType) or _has_code(owner, key):
        return None
    elif isinstance(owner, SHARED):
        path = f'{owner.__name__}.{key}'
    elif not is_object(owner) or (is_of_library(type(owner)) and type(owner) not in OPENED):
        return None
    else:
        path = f'{type(owner).__name__ if place is None else place}.{key}'
    if is_container(owner):
        if place is None:
            return None
        record_same(place, owner)
    variable = (shared_attribute if isinstance(owner, SHARED) else part_of)(owner, key, path)
    if isinstance(owner, dict) and place is not None and is_read_whole(place):
        # The guard of the dict goes where Python replaces an object in it.
        _guard(place.then(step_in(owner, Item(key))), variable.read())
    if world.reads and variable.where in world.fixed:
        note_late(variable.where)
    step = step_in(owner, Item(key) if isinstance(owner, dict) else Attribute(key))
    begin = place_of(owner, path.rpartition('.')[0]) if place is None else place
    if is_set_by_python(variable) and not is_there(owner, key, variable.read()):
        raise known_too_late(variable)
    before = _before(variable)
    _read_of_class(owner, key, begin.then(step))
    note_variable(variable, before, lambda: _begin(variable, begin.then(step)))
    return variable


def _before(variable: Variable) -> Any:
    """What it was when the trace began, of its class where it had no value itself."""
    world, value = rebound(), variable.read()
    assert world is not None
    held = world_now().held.get(id(variable.holder))
    if held is not None and isinstance(value, list | dict):  # which a block may be passed for it
        value = held.content.get(variable.name, value)
    for kind in () if isinstance(variable.holder, dict) else (
            classes_with(variable.holder, variable.name)):
        where = variable.name, id(kind)
        if world.known(where) is not None:
            value = world.before(where)
    return value


def _begin(variable: Variable, place: Place) -> None:
    """Lets it hold what the graph reads of it, if that can be told now or will have to be.

    A staged block joins what it sets with what was there: that is guarded where it is not read.
    """
    world, value = rebound(), variable.read()
    type_ = type_of_input(value)
    assert world is not None
    if world.bindings.are_of(variable.where):
        return
    is_staged = graph_now().parent is not None
    if type_ is None or not world.reads:
        if is_staged:
            _guard(place, value)
    elif is_staged or type_.kind != 'array' or variable.where in world.expected:
        variable.put(read(Place(variable.read, variable.where, variable.shown), value, place))


def _guard(place: Place, value: Any) -> None:
    """Guards what is there, or that nothing is."""
    if value is not UNSET:
        record(place, value)
        return
    is_item = isinstance(place.steps[-1], Item)
    record_error(place, KeyError() if is_item else AttributeError())


def _has_code(owner: Any, name: str) -> bool:
    """Whether code of a class runs when an attribute of its object is set."""
    kind = type(owner)
    if name in members_of(owner).caches:
        return False
    found, sets = class_member(kind, name), class_member(kind, '__setattr__')
    is_slot = isinstance(found, types.MemberDescriptorType)
    is_pythons = any(sets is class_member(each, '__setattr__') for each in _PLAINLY_SET)
    return not is_pythons or (hasattr(type(found), '__set__') and not is_slot)


_PLAINLY_SET = (object, type, types.SimpleNamespace)
