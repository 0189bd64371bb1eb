"""What the running graph reads of a dict outside, and does to it, at keys that it alone knows."""
from __future__ import annotations

from collections import OrderedDict
from typing import Any

from ..graph import nest
from ..graph.tracing import emit
from ..graph.types import DictType
from ..ops.dicts import told_key
from ..ops.python_functions import PYTHON_FUNCTION
from .entry_types import EntryType
from .lists import StagedList
from .passed_to_python import passed_arguments
from .python_functions import found_result
from .running_reads import ReadingEntry


class _ReadingColumns(ReadingEntry):
    """Reads all of it: of each leaf of a value, the dict of those leaves."""

    def __init__(self, container: Any, key: EntryType, value: EntryType) -> None:
        super().__init__(_itself, container, passed_arguments((), found_result)[0], value)
        self._key = key

    def __call__(self, *args: Any) -> Any:
        columns: list[dict[Any, Any]] = [{} for _ in self._entry.types]
        for key, value in self._container.items():
            known = nest.unflatten(self._key.form, self._leaves(key, self._key))
            for column, leaf in zip(columns, self._leaves(value, self._entry), strict=True):
                column[known] = leaf
        return columns if len(columns) > 1 else columns[0]


def columns_now(container: Any, key: EntryType, value: EntryType) -> list[StagedList]:
    """The columns of what is in a dict when the graph runs: for each leaf of its values, a dict."""
    types = [DictType(element=type_, keys=key.types) for type_ in value.types]
    attrs = {'run': _ReadingColumns(container, key, value), 'types': types}
    return [StagedList(made.held) for made in emit(PYTHON_FUNCTION, [], attrs)]


# What the running graph does.


def _itself(held: Any) -> Any:
    return held


def has(held: Any, key: Any) -> bool:
    """Whether a key is in it."""
    return told_key(held, key) in held


def item(held: Any, key: Any) -> Any:
    """The value of a key.

    Raises:
      KeyError: it is not there.
    """
    if told_key(held, key) not in held:
        raise KeyError(key)
    return held[key]


def get(held: Any, key: Any, default: Any) -> Any:
    """The value of a key; the default if it is not there."""
    return held.get(told_key(held, key), default)


def first(held: Any) -> Any:
    """The first key.

    Raises:
      KeyError: there is none.
    """
    if not held:
        raise KeyError(EMPTY[type(held) is OrderedDict])
    return next(iter(held))


def last(held: Any) -> Any:
    """The last key.

    Raises:
      KeyError: there is none.
    """
    return next(reversed(held)) if held else first(held)


def clear(held: Any) -> None:
    """Takes out all."""
    held.clear()


def move(held: Any, key: Any, last: bool) -> None:
    """Moves a key to one of the ends."""
    held.move_to_end(key, last)


def append(held: Any, key: Any, item: Any) -> None:
    """Appends to the list of a key."""
    held[key].append(item)


def refill(held: Any, key: Any, items: Any) -> None:
    """Gives the list of a key other items."""
    held[key][:] = items


EMPTY = ('popitem(): dictionary is empty', 'dictionary is empty')
