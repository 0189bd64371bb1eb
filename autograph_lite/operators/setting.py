"""Setting an attribute or item where the class of the object has code of its own for that."""
from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..converters.callees import is_of_library
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..pyct.asking import get_attribute
from .calls import call
from .captures import part
from .chosen_keys import can_choose, set_chosen
from .dicts import StagedDict
from .hashed import check_keys
from .list_methods import delete_by_graph, set_by_graph
from .membership import item
from .outside import note_setting
from .own_methods import own_method


def setting(owner: Any, name: str | None) -> Any:
    """What stands for an object in `owner.name = value`, or in `owner[key] = value`.

    Args:
      owner: the object, which stands for itself where its class leaves this to Python.
      name: the attribute; None for an item.
    """
    owner = actual(owner)
    if not is_tracing():
        return owner
    own = _setter(owner, name)
    if own is None or isinstance(owner, type):
        note_setting(owner, name)
    if own is None and name is None and isinstance(owner, (dict, StagedDict, list)):
        return _Items(owner)
    return owner if own is None else _Setting(owner)


def deleting(owner: Any, name: str | None = None) -> Any:
    """What stands for an object in `del owner.name`, or in `del owner[key]`."""
    owner = actual(owner)
    if is_tracing():
        note_setting(owner, name)
    own = own_method(owner, '__delitem__') if name is None else None
    if own is not None:
        return _Deleting(own)
    if type(owner) is list and name is None:
        return _Deleting(lambda key: _delete(owner, key))
    return owner


def _delete(items: list[Any], key: Any) -> None:
    if isinstance(valued(key), Tensor):
        delete_by_graph(items, valued(key))
    else:
        del items[key]


def _setter(owner: Any, name: str | None) -> Any:
    """What the user's class does, as a function of the object, what is set, and the value."""
    kind = type(owner)
    if name is None:
        own = own_method(owner, '__setitem__')
        return None if own is None else lambda _, *args: own(*args)
    found = get_attribute(kind, name)
    if isinstance(found, property) and isinstance(found.fset, types.FunctionType):
        return lambda owner, _, value: call(found.fset, owner, value)
    return _own(kind, '__setattr__')


def _own(kind: type, name: str) -> Any:
    """A method that the user has written, converted."""
    found = get_attribute(kind, name)
    if not isinstance(found, types.FunctionType) or is_of_library(found):
        return None
    return lambda *args: call(found, *args)


class _Deleting:
    """Stands for an object while an item of it is deleted."""

    __slots__ = ('_own',)

    def __init__(self, own: Callable[..., Any]) -> None:
        self._own = own

    def __delitem__(self, key: Any) -> None:
        self._own(key)


class _Items:
    """Stands for a dict or a list while an item is set: which, only the running graph may know."""

    __slots__ = ('_owner',)

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def __getitem__(self, key: Any) -> Any:
        return item(self._owner, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        key = valued(key)
        check_keys(self._owner, key)
        if can_choose(self._owner, key):
            set_chosen(self._owner, key, value)
        elif type(self._owner) is list and isinstance(key, Tensor):
            set_by_graph(self._owner, key, value)
        else:
            self._owner[key] = value


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
