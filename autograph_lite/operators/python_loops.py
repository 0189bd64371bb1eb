"""What Python's own loop runs over while tracing, and whether a staged block has changed it.

    for item in items:
        if x > 0:
            items.append(x)

The list becomes a staged list in the first turn, which Python's iterator knows nothing of.
"""
from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any

from ..graph import nest
from .by_index import runs_over
from .iterables import Enumerate, staged
from .moved import Moved, is_moved
from .staged_iterable import Staged
from .unconverted import read_element

_VIEWS = KeysView, ValuesView, ItemsView
_LIST_ITERATOR: type[Any] = type(iter([0]))
_ITERATORS: tuple[type[Any], ...] = (
    _LIST_ITERATOR, type(reversed([0])), enumerate, zip, map, filter)


class Running:
    """The lists and dicts that a loop runs over.

    Args:
      iterable: what it runs over, before it takes anything of it.

    Attributes:
      first: of a list, the index of the item that it takes first.
    """

    def __init__(self, iterable: Any) -> None:
        self._containers = list(_containers(iterable))
        self._counted: int | None = None
        if isinstance(iterable, map) and _parts(iterable)[0] is read_element:
            iterable = _parts(iterable)[1]
        if isinstance(iterable, enumerate):
            iterable, self._counted = _parts(iterable)
        is_iterator = isinstance(iterable, _LIST_ITERATOR)
        self._is_list = is_iterator or isinstance(iterable, list)
        self.first = _taken(iterable) if is_iterator else 0

    def is_moved(self) -> bool:
        """Whether one of them has become something else since."""
        return any(
            is_moved(each) if isinstance(each, list) else Moved in each
            for each in self._containers)

    def rows(self) -> Staged:
        """What the list has become, to run over by its indices.

        Raises:
          OwnershipError: it is not known, or it is not one list.
        """
        rows = staged(nest.actual(self._containers[0])) if self._is_list else None
        if rows is None:
            raise runs_over()
        return rows if self._counted is None else Enumerate(rows, self._counted - self.first)


def _containers(x: Any) -> Iterator[Any]:
    if isinstance(x, (list, dict)):
        yield x
    elif isinstance(x, _VIEWS) and hasattr(x, 'mapping'):
        yield x.mapping
    elif isinstance(x, _ITERATORS):
        for part in _parts(x):
            yield from _containers(part)


def _parts(x: Any) -> tuple[Any, ...]:
    """What an iterator of Python's is made of."""
    parts: tuple[Any, ...] = x.__reduce__()[1]
    return parts


def _taken(x: Any) -> int:
    """How many items an iterator of a list has taken."""
    _, (items,), *index = x.__reduce__()
    return index[0] if index else len(items)
