"""`collections.deque`: in a graph, a list and what a deque does with it."""
from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import array_of
from ..ops.strings import stand_in
from .by_python import DoneByPython
from .checking import check, check_index
from .conditionals import cond
from .needed import check_filled
from .reentry import for_loop, in_, listed
from .staging import condition, unchanged


@replaces(collections.deque)
def deque(iterable: Any = (), maxlen: Any = None) -> Any:
    """`collections.deque(iterable, maxlen)`."""
    if not is_tracing():
        return collections.deque(iterable, maxlen)
    staged = isinstance(maxlen, Tensor)
    collections.deque(maxlen=stand_in(maxlen.type.present) if staged else maxlen)  # what it refuses
    if staged:
        check(maxlen < 0, 'maxlen must be non-negative')
    made = Deque([], maxlen)
    if maxlen is None:
        made.items = listed(iterable)
    else:
        made.extend(iterable)
    return made


# Methods that a deque and a list have alike.
_OF_LISTS = ('clear', 'count', 'index', 'insert', 'remove', 'reverse')
_EMPTY = 'pop from an empty deque'


class Deque(DoneByPython):
    """What a deque is while a function is traced.

    Attributes:
      items: the list of what is in it.
      maxlen: how many there may be.
    """

    python_class = collections.deque

    def __init__(self, items: Any, maxlen: int | None) -> None:
        self.items = items
        self.maxlen = maxlen

    @property
    def listed(self) -> Any:
        return actual(self.items)

    def stacked(self) -> Any:
        return array_of(self.listed)

    def closed(self) -> Any:
        return self.real('being kept outside')

    def as_condition(self) -> Any:
        """It is true if it is not empty."""
        return condition(self.listed)

    def append(self, item: Any) -> None:
        """Puts an item behind the last."""
        self.listed.append(item)
        self._keep_maxlen(self._drop_first)

    def appendleft(self, item: Any) -> None:
        """Puts an item before the first."""
        self.listed.insert(0, item)
        self._keep_maxlen(self._drop_last)

    def extend(self, items: Any) -> None:
        """Puts several items behind the last."""
        self._each(self.append, items)

    def extendleft(self, items: Any) -> None:
        """Puts several items before the first, one after the other."""
        self._each(self.appendleft, items)

    def pop(self) -> Any:
        """Takes out the last item."""
        check_filled(self.listed, _EMPTY)
        return self.listed.pop()

    def popleft(self) -> Any:
        """Takes out the first item."""
        check_filled(self.listed, _EMPTY)
        return self.listed.pop(0)

    def insert(self, index: Any, item: Any) -> None:
        """Puts an item before the one at an index."""
        if self.maxlen is not None:
            is_full = self._size() >= self.maxlen
            check(is_full, 'deque already at its maximum size', IndexError)
        self._done('insert', index, item)

    def index(self, item: Any, *bounds: Any) -> Any:
        """Where an item is for the first time, between the bounds if there are."""
        self._check_has(item, self.listed[slice(*bounds)] if bounds else self.listed)
        return self._done('index', item, *bounds)

    def remove(self, item: Any) -> None:
        """Takes out the first item that is equal to this one."""
        self._check_has(item, self.listed)
        self._done('remove', item)

    def _size(self) -> Any:
        from .lengths import len as length_of

        return length_of(self.listed)

    def _check_has(self, item: Any, items: Any) -> None:
        from .list_methods import fail_to_find

        cond(in_(item, items), unchanged, lambda: fail_to_find(item, 'deque'))

    def _check_index(self, index: Any) -> None:
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        check_index(index, self._size(), 'deque')

    def rotate(self, n: Any = 1) -> None:
        """Takes the last item and puts it before the first, n times; back where n is negative."""
        items, n = self.listed, valued(n)
        if type(items) is list and not isinstance(n, Tensor):
            rotated = collections.deque(items)
            rotated.rotate(n)
            self.items = list(rotated)
        elif type(items) is not list or items:
            self._rotate_by_graph(n)

    def _rotate_by_graph(self, n: Any) -> None:
        from .ordering import staged_list

        items = self.listed
        if type(items) is list:
            items = staged_list(items)
        size = items.length()

        def turned() -> Any:
            start = size - n % size
            return items[start:] + items[:start]

        self.items = cond(size > 0, turned, lambda: items)

    def _each(self, put: Callable[[Any], None], items: Any) -> None:
        for_loop(listed(items) if actual(items) is self else items, put)

    def _keep_maxlen(self, drop: Callable[[], None]) -> None:
        if self.maxlen is None:
            return
        is_full = self._size() > self.maxlen
        if isinstance(is_full, Tensor):
            cond(is_full, drop, unchanged)
        elif is_full:
            drop()

    def _drop_first(self) -> None:
        self.listed.pop(0)

    def _drop_last(self) -> None:
        self.listed.pop()

    def __getitem__(self, index: Any) -> Any:
        from .membership import item

        self._check_index(index)
        return item(self.listed, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        from .setting import setting

        self._check_index(index)
        setting(self.listed, None)[index] = value

    def __delitem__(self, index: Any) -> None:
        from .setting import deleting

        self._check_index(index)
        del deleting(self.listed)[index]

    def by_list(self, name: str, args: tuple[Any, ...]) -> Any:
        from .list_methods import staged_method

        if type(self.listed) is list:
            return staged_method(self.listed, name, args)
        return getattr(self.listed, name) if name in _OF_LISTS else None

    def like(self, real: Any) -> Deque:
        return Deque(list(real), self.maxlen)

    def copy(self) -> Deque:
        """A deque of the same items."""
        return Deque(self.listed.copy(), self.maxlen)

    __copy__ = copy

    def __len__(self) -> int:
        return len(self.real('asking Python for its length'))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.real('iterating over it in Python'))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Deque):
            return NotImplemented
        made = Deque([], self.maxlen)
        made.extend(self)
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> Any:
        return Deque(list(other), other.maxlen) + self if type(other) is collections.deque else (
            NotImplemented)

    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    def __mul__(self, times: Any) -> Any:
        from .operations import operation

        times = valued(times)
        if not (isinstance(times, int) or (isinstance(times, Tensor) and times.type.weak)):
            return NotImplemented
        made = Deque([], self.maxlen)
        made.extend(operation('*', self.listed, times))
        return made

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return repr(self.real('its text'))

    def real(self, what: str) -> Any:
        """The deque itself.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        if type(self.listed) is not list:
            raise StagingError(
                describe(
                    f'A deque that a staged block changes does not support {what}.',
                    user_location(),
                    'Use a list: `append(x)`, `pop(0)` for `popleft()`.',
                )
            )
        return collections.deque(self.listed, self.maxlen)


class Ended(nest.Nest):
    """Stands for a deque that is returned."""

    __slots__ = ('items', 'maxlen')

    def __init__(self, items: Any, maxlen: int | None) -> None:
        self.items = items
        self.maxlen = maxlen

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.maxlen,), [self.items]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (items,) = parts
        return cls(items, *keys) if is_tracing() else collections.deque(items, *keys)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'deque({parts[0]})'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']
