"""Setting an attribute or item where the class of the object has code of its own for that."""
from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..pyct.asking import get_attribute, kept_attribute
from .blocks_around import is_from_around
from .calls import call
from .captures import part
from .chosen_keys import can_choose, missing, set_chosen
from .chosen_parts import Augmented, Chosen, place_of_key
from .conditionals import cond
from .dicts import StagedDict
from .given_containers import stage_given
from .growing_dicts import GrowingDict
from .grown_dicts import grown, is_open, set_grown
from .hashed import check_keys
from .list_methods import (
    delete_by_graph,
    is_of_graph,
    is_of_unknown_length,
    put_by_graph,
    set_by_graph,
)
from .living_dicts import let_live_by, lives, living
from .living_lists import LivingDict
from .looked_up import is_number, with_one_set
from .membership import item
from .operations import operation
from .outer_calls import change, is_change, set_outside
from .outer_parts import delete_attribute, place_of_container, set_attribute, set_item
from .outer_variables import has_itself
from .outside import is_outside, note_change, note_setting
from .outside_errors import SHARED
from .own_attributes import note_descriptor, of_class
from .own_methods import own_method
from .perhaps_missing import check_bound
from .places import check_named
from .progress import Collection
from .references import Reference, entry
from .set_variables import is_namespace


def _arguments_set() -> StagingError:
    """The error for arguments that only a branch or loop gives an exception made before it."""
    what = 'The arguments of an exception that was made before this branch or loop are set in it.'
    fix = 'Make the exception there: `e = ValueError(...)`.'
    return StagingError(describe(what, user_location(), fix))


def setting(owner: Any, name: str | None) -> Any:
    """What stands for an object in `owner.name = value`, or in `owner[key] = value`.

    Args:
      owner: the object, which stands for itself where its class leaves this to Python.
      name: the attribute; None for an item.
    """
    owner = actual(owner)
    if not is_tracing():
        return owner
    check_named(name)
    if isinstance(owner, Reference):
        owner = owner.chosen
    if isinstance(owner, Chosen):
        return _Part(owner)
    if name == 'args' and isinstance(owner, BaseException) and is_from_around(owner):
        raise _arguments_set()
    own = _setter(owner, name)
    is_told = own is None and is_outside(owner)
    if is_told and isinstance(owner, list | deque):
        return _Items(owner)
    if is_told and name is None and isinstance(owner, dict):
        return _Items(owner)
    if isinstance(owner, LivingDict):
        return _Items(owner)
    if is_told and name is not None:
        return _Told(owner)
    if own is None and name is not None and isinstance(owner, SHARED):
        return _Told(owner)
    if own is None or isinstance(owner, type):
        note_setting(owner, name)
        note_change(owner)
    if own is None and name is None and isinstance(owner, (dict, StagedDict, GrowingDict, list)):
        return _Items(owner)
    return owner if own is None else _Setting(owner)


def deleting(owner: Any, name: str | None = None) -> Any:
    """What stands for an object in `del owner.name`, or in `del owner[key]`."""
    owner = actual(owner)
    check_named(name)
    if isinstance(owner, Reference):
        owner = owner.chosen
    if isinstance(owner, Chosen):
        return _Deleting(functools.partial(owner.changed, _delete_of))
    if is_tracing() and name is None and lives(owner):
        return living(owner, place_of_container(owner))
    if is_tracing() and name is None and is_change(owner, '__delitem__'):
        place = place_of_container(owner)
        return _Deleting(functools.partial(change, owner, place, '__delitem__'))
    if is_tracing():
        note_setting(owner, name)
        note_change(owner)
    own = own_method(owner, '__delitem__') if name is None else _deleter(owner, name)
    if own is not None:
        return _Deleting(own)
    if type(owner) is list and name is None:
        return _Deleting(lambda key: _delete(owner, key))
    if isinstance(owner, dict | StagedDict) and name is None and not is_outside(owner):
        return _Deleting(lambda key: _delete_key(owner, key))
    is_part = is_outside(owner) or (is_tracing() and name is not None)
    return _Sure(owner) if is_part else owner


def _delete_of(owner: Any, key: Any) -> None:
    del deleting(owner)[key]


def _delete(items: list[Any], key: Any) -> None:
    if is_of_graph(key):
        delete_by_graph(items, valued(key))
    else:
        del items[key]


def _delete_key(held: Any, key: Any) -> None:
    made = grown(held, valued(key))
    if made is None and is_open(held, key):
        missing(held, key)
    del (held if made is None else made)[key]


def _setter(owner: Any, name: str | None) -> Any:
    """What the user's class does, as a function of the object, what is set, and the value."""
    kind = type(owner)
    if name is None:
        own = own_method(owner, '__setitem__')
        return None if own is None else lambda _, *args: own(*args)
    own = _own(kind, '__setattr__')
    found = of_class(kind, name)
    if own is None and isinstance(found, property) and isinstance(found.fset, types.FunctionType):
        return lambda owner, _, value: call(found.fset, owner, value)
    note_descriptor(found, kind)
    change = _own(type(found), '__set__')
    if own is None and change is not None:
        return lambda owner, _, value: change(found, owner, value)
    return own


def _deleter(owner: Any, name: str) -> Callable[[str], Any] | None:
    """What the user's class does to delete an attribute."""
    own, found = own_method(owner, '__delattr__'), of_class(type(owner), name)
    if own is not None:
        return own
    remove = found.fdel if isinstance(found, property) else None
    if isinstance(remove, types.FunctionType):
        return lambda _: call(remove, owner)
    note_descriptor(found, type(owner))
    delete = own_method(found, '__delete__')
    return None if delete is None else lambda _: delete(owner)


def _own(kind: type, name: str) -> Any:
    """A method that the user has written, converted."""
    found = get_attribute(kind, name)
    if not isinstance(found, types.FunctionType) or is_of_library(found):
        return None
    return lambda *args: call(found, *args)


class _Deleting:
    """Stands for an object while an item or an attribute of it is deleted."""

    __slots__ = ('_own',)

    def __init__(self, own: Callable[..., Any]) -> None:
        self._own = own

    def __delitem__(self, key: Any) -> None:
        self._own(key)

    def __delattr__(self, name: str) -> None:
        self._own(name)


class _Sure:
    """Stands for an object or a dict while a part of it is deleted that a branch may not have set.
    """

    __slots__ = ('_owner',)

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __delitem__(self, key: Any) -> None:
        if isinstance(self._owner, dict):
            check_bound(self._owner.get(key))
        del self._owner[key]

    def __delattr__(self, name: str) -> None:
        check_bound(kept_attribute(self._owner, name))
        delete_attribute(self._owner, name)


class _Items:
    """Stands for a dict or a list while an item is set: which, only the running graph may know."""

    __slots__ = ('_owner',)

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getitem__(self, key: Any) -> Any:
        if isinstance(self._owner, list | deque) and is_outside(self._owner):
            return part(self._owner, [key])
        stage_given(self._owner)
        let_live_by(self._owner, key)
        place = place_of_key(self._owner, key)
        if place is not None:
            return Augmented(functools.partial(place.changed, augment))
        if is_outside(self._owner) or is_namespace(self._owner):
            return part(self._owner, [key])
        return item(self._owner, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        key, self._owner = valued(key), actual(self._owner)
        if isinstance(value, Augmented):
            return
        note_change(self._owner)
        stage_given(self._owner)
        if lives(self._owner):
            self._owner = living(self._owner, place_of_container(self._owner))
        check_keys(self._owner, key)
        if isinstance(key, slice) and isinstance(actual(value), Collection | GrowingDict):
            value = call(list, value)
        let_live_by(self._owner, key)
        if set_grown(self._owner, key, value):
            return
        if can_choose(self._owner, key):
            set_chosen(self._owner, key, value)
        elif isinstance(self._owner, GrowingDict | LivingDict):
            self._owner[key] = value
        elif is_change(self._owner, '__setitem__'):
            set_outside(self._owner, key, value)
        elif type(self._owner) is list and is_of_graph(key):
            set_by_graph(self._owner, key, value)
        elif type(self._owner) is list and isinstance(key, slice) and is_of_unknown_length(value):
            put_by_graph(self._owner, key, value)
        else:
            set_item(self._owner, key, value)


class _Told:
    """Stands for an object from outside while an attribute is set, of which the graph knows."""

    __slots__ = ('_owner',)

    def __init__(self, owner: Any) -> None:
        object.__setattr__(self, '_owner', owner)

    def __getattr__(self, name: str) -> Any:
        return part(self._owner, f'.{name}')

    def __setattr__(self, name: str, value: Any) -> None:
        set_attribute(self._owner, name, value)


class _Part:
    """Stands for what only the running graph knows while something of it is set."""

    __slots__ = ('_owner',)

    def __init__(self, owner: Chosen) -> None:
        object.__setattr__(self, '_owner', owner)

    def __getattr__(self, name: str) -> Any:
        return Augmented(functools.partial(self._augment, name))

    def _augment(self, name: str, symbol: str, other: Any) -> None:
        held = _held(self._owner, name)
        if held is None:
            self._owner.changed(_augment_attribute, name, symbol, other)
            return
        old = self._owner.then(lambda x: part(x, f'.{name}')).value()
        _set_each(self._owner, name, held, operation(symbol, old, other))

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Augmented):
            return
        held = _held(self._owner, name) if is_number(value) else None
        if held is None:
            self._owner.changed(_set_attribute, name, value)
        else:
            _set_each(self._owner, name, held, value)

    def __getitem__(self, key: Any) -> Any:
        return Augmented(functools.partial(self._owner.changed, _augment_item, key))

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(value, Augmented):
            self._owner.changed(_set_item, key, value)


def _held(owner: Chosen, name: str) -> dict[int, Any] | None:
    """What an attribute of each object holds now, by the place of that among them.

    Returns:
      None, unless these are objects outside that hold numbers there: then each is given its number
      again, or the new one, and no branch changes anything.
    """
    found = {i: x for i, x in enumerate(owner.parts) if x is not None}
    if owner.steps or not isinstance(owner.asks, Tensor):
        return None
    if not all(
            is_outside(x) and has_itself(x, name) and isinstance(setting(x, name), _Told)
            for x in found.values()):
        return None
    start = checkpoint()
    try:
        held = {i: part(x, f'.{name}') for i, x in found.items()}
    except Exception:
        held = {}
    of_none = owner.then(lambda x: setattr(x, name, 0))  # Python says what is wrong with that
    if held and all(map(is_number, held.values())) and of_none.is_checked():
        return held
    undo(start)
    return None


def _set_each(owner: Chosen, name: str, held: dict[int, Any], value: Any) -> None:
    """The one that is meant gets a number, each other one has what it held."""
    number = entry([*accumulate(int(x is not None) for x in owner.parts)], owner.asks) - 1
    new = with_one_set(list(held.values()), number, value) or [
        cond(owner.asks == i, lambda: value, lambda old=old: old) for i, old in held.items()]
    for i, x in zip(held, new, strict=True):
        _set_attribute(owner.parts[i], name, x)


def _set_item(owner: Any, key: Any, value: Any) -> None:
    setting(owner, None)[key] = value


def _set_attribute(owner: Any, name: str, value: Any) -> None:
    setattr(setting(owner, name), name, value)


def _augment_item(owner: Any, key: Any, symbol: str, other: Any) -> None:
    place = setting(owner, None)
    place[key] = operation(symbol, place[key], other)


def _augment_attribute(owner: Any, name: str, symbol: str, other: Any) -> None:
    place = setting(owner, name)
    setattr(place, name, operation(symbol, getattr(place, name), other))


def augment(owner: Any, symbol: str, other: Any) -> None:
    """`owner += other`, of what is changed in place.

    Raises:
      StagingError: the operator of its class gives another object.
    """
    if actual(operation(symbol, owner, other)) is not actual(owner):
        raise StagingError(describe(
            f'`{symbol}` gives another object for one that only the running graph knows.',
            user_location(), 'Call a method of it that changes it.'))


class _Setting:
    """Stands for an object while something of it is set: the user's code for that is converted."""

    __slots__ = ('_owner',)

    def __init__(self, owner: Any) -> None:
        object.__setattr__(self, '_owner', owner)

    def __getattr__(self, name: str) -> Any:
        return part(self._owner, f'.{name}')

    def __setattr__(self, name: str, value: Any) -> None:
        _setter(self._owner, name)(self._owner, name, value)

    def __getitem__(self, key: Any) -> Any:
        return part(self._owner, [key])

    def __setitem__(self, key: Any, value: Any) -> None:
        _setter(self._owner, None)(self._owner, key, value)
