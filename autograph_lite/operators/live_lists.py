"""Lists and tuples that the running program has itself: see `live`."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..graph.state import ReadAsValue, valued
from ..graph.tensor import Tensor
from ..graph.types import TensorType
from ..ops.live import GET_LIVE
from .live import (
    Live,
    ask,
    call_of,
    check_unchanged,
    form_of,
    is_absent,
    kind_of,
    list_of_all,
    load,
    number_of,
    put_value,
    store,
    unsupported,
    value_in_graph,
)
from .live_types import EACH, NotOfLiveError, let_grow, type_at
from .reentry import call, cond, for_loop, gathered, in_
from .unbound import Unbound


class LiveContainer(Live, ReadAsValue):
    """A list, a tuple, a dict or a set."""

    __slots__ = ('_held',)

    _held: Tensor

    @classmethod
    def standing_for(cls, held: Tensor) -> Live:
        made = cls()
        made._held = held
        return made

    __hash__ = None  # type: ignore[assignment]

    @property
    def value(self) -> Any:
        return self.listed()

    @property
    def looked_at(self) -> Any:
        return self.listed()

    def unchanged_by(self, run: Callable[[Any], Any]) -> Any:
        return check_unchanged(self, lambda: run(self.listed()))

    def bound(self, read: Callable[[Any], Any]) -> Any:
        held = value_in_graph(self)
        return type(self).standing_for(read(held)) if isinstance(held, Unbound) else self

    def __getitem__(self, key: Any) -> Any:
        raise TypeError(f'{kind_of(self).__name__!r} object is not subscriptable')

    def __getattr__(self, name: str) -> Any:
        kind = kind_of(self)
        if not name.startswith('_') and hasattr(kind, name):
            raise unsupported(
                self, f'`{name}`',
                'Write a loop in its place, which takes, puts or deletes one thing at a time.')
        raise AttributeError(f'{kind.__name__!r} object has no attribute {name!r}')

    def listed(self) -> Any:
        """What Python goes over, as a list of Python's or of the graph."""
        raise NotImplementedError

    def length(self) -> Any:
        """How many items or keys there are."""
        keys = form_of(self).keys
        return number_of(self, 'len') if keys is None else len(keys)

    def as_condition(self) -> Any:
        """It is true if it is there and not empty."""
        absent = is_absent(self)
        return self.length() if absent is False else cond(absent, lambda: 0, self.length)

    def has(self, x: Any) -> Any:
        """Whether something is in it."""
        return in_(x, self.listed())


class LiveSequence(LiveContainer):
    """A list or a tuple."""

    __slots__ = ()

    def by(self, symbol: str, other: Any) -> Any:
        from .operations import operation

        return operation(symbol.removesuffix('='), self, other)

    def __getitem__(self, index: Any) -> Any:
        index, keys = valued(index), form_of(self).keys
        if isinstance(index, slice):
            return self._part(index)
        if keys is None:
            return load(self, EACH, index)
        if not isinstance(index, int):
            return ask(self, GET_LIVE, index, type=self._type_of_any())
        return load(self, keys[index], index)

    def _type_of_any(self) -> TensorType:
        """The type of all that is in one of known length."""
        form = form_of(self)
        types = {type_at(form, key) for key in form.keys or ()}
        if len(types) != 1 or None in types:
            raise _of_several(self)
        (type_,) = types
        assert type_ is not None
        return type_

    def _part(self, part: slice) -> Any:
        """What a slice gives."""
        keys = form_of(self).keys
        if keys is None:
            return list_of_all(self, type_at(form_of(self), EACH))[part]
        return self._kind(self[i] for i in range(len(keys))[part])

    def __iter__(self) -> Iterator[Any]:
        keys = form_of(self).keys
        if keys is None:
            raise unsupported(self, 'that Python itself goes over it')
        return (self[i] for i, _ in enumerate(keys))

    def listed(self) -> Any:
        form = form_of(self)
        return list(self) if form.keys is not None else list_of_all(self, type_at(form, EACH))

    def stacked(self) -> Any:
        return self.listed()

    def __contains__(self, x: Any) -> bool:
        raise unsupported(self, '`in` in Python')

    def __add__(self, other: Any) -> Any:
        from .listing import list_display

        more = other.listed() if isinstance(other, LiveSequence) else other
        made = list_display('**', self.listed(), more)
        return tuple(made) if self._kind is tuple else made

    def __radd__(self, other: Any) -> Any:
        return other + self.listed()

    def __mul__(self, times: Any) -> Any:
        return self.listed() * times

    __rmul__ = __mul__

    def count(self, x: Any) -> Any:
        """How often something is in it."""
        return call(self.listed().count, x)

    def index(self, x: Any, *bounds: Any) -> Any:
        """Where something is in it for the first time."""
        return call(self.listed().index, x, *bounds)

    def __copy__(self) -> Any:
        return self.listed()


def _of_several(x: Live) -> NotOfLiveError:
    return unsupported(x, 'an index that only the running graph knows, as its items differ in type')


class LiveTuple(LiveSequence):
    """A tuple."""

    __slots__ = ()
    _kind = tuple


class LiveList(LiveSequence):
    """A list."""

    __slots__ = ()
    _kind = list

    def __setitem__(self, index: Any, value: Any) -> None:
        index, keys = valued(index), form_of(self).keys
        if isinstance(index, slice):
            self._set_all(index, value)
            return
        if keys is not None and isinstance(index, int):
            store(self, keys[index], value, index)
            return
        if keys is not None:
            let_grow(form_of(self))
        store(self, EACH, value, index)

    def _set_all(self, part: slice, items: Any) -> None:
        """`row[:] = items`."""
        if part != slice(None):
            raise unsupported(self, 'that a part of it is set')
        items = gathered(items.listed() if isinstance(items, LiveSequence) else items)
        keys = form_of(self).keys
        if type(items) is list and keys is not None and len(items) == len(keys):
            for i, item in enumerate(items):
                self[i] = item
            return
        self.clear()
        self.extend(items)

    def __delitem__(self, index: Any) -> None:
        self._changed('__delitem__', None, index)

    def __iadd__(self, other: Any) -> Any:
        self.extend(other)
        return self

    def by(self, symbol: str, other: Any) -> Any:
        return self.__iadd__(other) if symbol == '+=' else super().by(symbol, other)

    def append(self, x: Any) -> None:
        """Puts an item behind the last."""
        self._grown('append', x)

    def insert(self, index: Any, x: Any) -> None:
        """Puts an item before the one at an index."""
        self._grown('insert', x, index)

    def extend(self, items: Any) -> None:
        """Puts several items behind the last."""
        let_grow(form_of(self))
        items = items.listed() if isinstance(items, LiveSequence) else gathered(items)
        for_loop(items, self._put_behind)

    def _put_behind(self, item: Any) -> tuple[()]:
        self.append(item)
        return ()

    def pop(self, index: Any = -1) -> Any:
        """Takes out an item, the last unless told; the item."""
        let_grow(form_of(self))
        type_ = type_at(form_of(self), EACH)
        if type_ is None:
            raise IndexError('pop from empty list')
        return self._changed('pop', type_, *([] if index == -1 else [index]))

    def remove(self, x: Any) -> None:
        """Takes out the first item that is equal to this one."""
        del self[self.index(x)]

    def clear(self) -> None:
        """Takes every item out."""
        self._changed('clear', None)

    def reverse(self) -> None:
        """Turns the order round."""
        self._changed('reverse', None)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Puts the items in their order."""
        from .ordering import sorted as in_order

        items = in_order(self.listed(), key=key, reverse=reverse)
        self.clear()
        self.extend(items)

    def copy(self) -> Any:
        """A list of the same items."""
        return self.listed()

    def _grown(self, name: str, x: Any, *before: Any) -> None:
        let_grow(form_of(self))
        put = Tensor(put_value(x, form_of(self), EACH))
        call_of(self, name, None, *before, put)

    def _changed(self, name: str, type_: TensorType | None, *args: Any) -> Any:
        let_grow(form_of(self))
        return call_of(self, name, type_, *args)

