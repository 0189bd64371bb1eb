"""Dicts and sets that the running program has itself: see `live`.

    graph.setdefault(u, set()).add(v)
    rows[-1]['count'] += 1
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.types import ListType
from ..ops.live import ASK_LIVE
from .conditionals import cond
from .live import (
    ask,
    call_of,
    form_of,
    list_of_all,
    load,
    put_value,
    sign_of,
    store,
    unsupported,
)
from .live_kinds import as_element, form_in_list
from .live_lists import LiveContainer
from .live_types import EACH, KEYS, let_grow, type_at
from .nest_lists import NestList
from .reentry import for_loop, gathered


class _Keyed(LiveContainer):
    """What has keys, of which it may get more."""

    __slots__ = ()

    @property
    def looked_at(self) -> Any:
        return self

    def has(self, key: Any) -> Any:
        key = valued(key)
        return False if type_at(form_of(self), KEYS) is None else sign_of(self, 'in', key)

    def __iter__(self) -> Iterator[Any]:
        raise unsupported(self, 'that Python itself goes over it')

    def __contains__(self, x: Any) -> bool:
        raise unsupported(self, '`in` in Python')

    def clear(self) -> None:
        """Takes everything out."""
        call_of(self, 'clear', None)

    def _key(self, key: Any) -> Tensor:
        """A key that is put into it."""
        return Tensor(put_value(valued(key), form_of(self), KEYS))

    def __eq__(self, other: object) -> Any:
        raise unsupported(self, '`==`')

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __or__ = __and__ = __sub__ = __xor__ = __ior__ = __iand__ = __isub__ = __ixor__ = __eq__


class LiveSet(_Keyed):
    """A set."""

    __slots__ = ()
    _kind = set

    def listed(self) -> Any:
        return list_of_all(self, type_at(form_of(self), KEYS))

    def add(self, x: Any) -> None:
        """Puts something into it."""
        call_of(self, 'add', None, self._key(x))

    def discard(self, x: Any) -> None:
        """Takes something out, if it is there."""
        call_of(self, 'discard', None, valued(x))

    def remove(self, x: Any) -> None:
        """Takes something out."""
        call_of(self, 'remove', None, valued(x))

    def update(self, items: Any) -> None:
        """Puts several things into it."""
        items = items.listed() if isinstance(items, _Keyed) else gathered(items)
        for_loop(items, self._put)

    def _put(self, item: Any) -> tuple[()]:
        self.add(item)
        return ()


class LiveDict(_Keyed):
    """A dict."""

    __slots__ = ()
    _kind = dict

    def has(self, key: Any) -> Any:
        key, keys = valued(key), form_of(self).keys
        return key in keys if keys is not None and not isinstance(key, Tensor) else super().has(key)

    def __getitem__(self, key: Any) -> Any:
        key, keys = valued(key), form_of(self).keys
        if keys is None:
            return load(self, EACH, key)
        if isinstance(key, Tensor):
            let_grow(form_of(self))
        if key not in keys:
            raise KeyError(key)
        return load(self, key, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        key, keys = valued(key), form_of(self).keys
        if keys is not None and not isinstance(key, Tensor) and key in keys:
            store(self, key, value, key)
            return
        let_grow(form_of(self))
        store(self, EACH, value, self._key(key))

    def __delitem__(self, key: Any) -> None:
        let_grow(form_of(self))
        call_of(self, '__delitem__', None, valued(key))

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key; the default if it is not there."""
        there = self.has(key)
        if not isinstance(there, Tensor):
            return self[key] if there else default
        return cond(there, lambda: self[key], lambda: default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which it gets if it is not there."""
        there, default = self.has(key), as_element(default)

        def put() -> tuple[()]:
            self[key] = default
            return ()

        if isinstance(there, Tensor):
            cond(there, lambda: (), put)
        elif not there:
            put()
        return self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes out a key; its value, or the default, if there is one and the key is not there."""
        let_grow(form_of(self))
        key = valued(key)
        there = self.has(key) if default else True
        if not isinstance(there, Tensor):
            return self._taken(key) if there else default[0]
        return cond(there, lambda: self._taken(key), lambda: default[0])

    def _taken(self, key: Any) -> Any:
        type_ = type_at(form_of(self), EACH)
        if type_ is None:
            raise KeyError(key)
        return call_of(self, 'pop', type_, key)

    def keys(self) -> Any:
        """The keys."""
        return self.listed()

    def values(self) -> Any:
        """The values."""
        form = form_of(self)
        if form.keys is not None:
            return [self[key] for key in form.keys]
        type_ = ListType(element=type_at(form, EACH))
        return ask(self, ASK_LIVE, type=type_, how='list of', asked='values')

    def items(self) -> Any:
        """The keys with their values."""
        if form_of(self).keys is not None:
            return list(zip(self.listed(), self.values(), strict=True))
        return _pairs(self.listed(), self.values())

    def listed(self) -> Any:
        form = form_of(self)
        return list(form.keys) if form.keys is not None else list_of_all(self, type_at(form, KEYS))

    def copy(self) -> Any:
        """A dict of the same keys and values."""
        if form_of(self).keys is None:
            raise unsupported(self, '`copy`')
        return dict(self.items())

    __copy__ = copy


def _pairs(keys: Any, values: Any) -> Any:
    key, value = nest.LEAF, form_in_list(values.type.element)
    return NestList(nest.Structure(tuple, (), (key, value)), [keys, values])
