"""`list(x)`, `tuple(x)` and `x.tolist()` of what has a length that only the running graph knows."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import METHODS, method, replaces
from ..graph.state import looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.lists import is_empty
from ..ops.strings import StagedText
from .comprehensions import listed_of
from .folding import Folding
from .iterables import Reversed, Zip, staged
from .lists import StagedList
from .nest_lists import NestList
from .own_iterators import iterated
from .staged_iterable import Staged
from .tuples import StagedTuple

_to_list = METHODS['tolist']


@replaces(builtins.list)
def listed(iterable: Any = ()) -> Any:
    """`list(iterable)`; a staged list where only the running graph knows its elements."""
    iterable = iterated(looked_at(iterable))
    if isinstance(iterable, (StagedList, NestList)):
        return iterable.copy()
    rows = staged(iterable) if is_tracing() and isinstance(iterable, Tensor) else None
    if rows is not None and rows.length() is None:
        return listed_of(_itself, rows)
    found = _run_through(iterable)
    return list(found) if found is iterable else found


def gathered(iterable: Any) -> Any:
    """All that is taken of an iterable: what has a length itself; a list of anything else."""
    iterable = iterated(looked_at(iterable))
    if not is_tracing():
        return iterable
    if isinstance(iterable, StagedText):
        return iterable.listed()
    found = _run_through(iterable)
    column = found.columns[0] if isinstance(found, NestList) else found
    return [] if isinstance(column, StagedList) and is_empty(column.type) else found


def _run_through(iterable: Any) -> Any:
    """The list of what only a loop goes over; anything else as it is."""
    if is_tracing() and isinstance(iterable, Folding):
        return iterable.listed()
    if not isinstance(iterable, Staged):
        return iterable
    is_python = iterable.length() is not None and not isinstance(iterable, (Reversed, Zip))
    return list(iterable) if is_python else listed_of(_itself, iterable)


def _itself(item: Any) -> Any:
    return item


@replaces(builtins.tuple)
def _tupled(iterable: Any = ()) -> Any:
    """`tuple(iterable)`; a staged tuple where only the running graph knows its length."""
    iterable = iterated(looked_at(iterable))
    is_python = (
        isinstance(iterable, tuple)
        or (isinstance(iterable, Folding) and iterable.is_pythons)
        or (isinstance(iterable, Staged) and iterable.length() is not None)
    )
    items = iterable if is_python else listed(iterable)
    if isinstance(items, (StagedList, NestList)):
        return StagedTuple(items)
    return tuple(items)


@method('tolist')
def _tolist(x: Tensor) -> Any:
    """`x.tolist()`; rows of unknown length, a number of them, and objects are listed one by one."""
    shape = x.type.shape or ()
    of_objects = x.type.dtype == object  # which are compared as what stands for one
    if of_objects and len(shape) == 1:
        return listed_of(lambda each: each, x)
    if x.type.kind == 'array' and len(shape) > 1 and (of_objects or None in shape):
        return listed_of(lambda row: row.tolist(), x)
    return _to_list(x)


def list_display(signs: str, *parts: Any) -> Any:
    """`[*a, b]`: the list of the parts, with the items of those that have a star in `signs`."""
    found: Any = []
    for sign, part in zip(signs, parts, strict=True):
        more = [part] if sign == '.' else listed(part) if is_tracing() else [*part]
        found = more if type(found) is list and not found else found + more
    return found


def tuple_display(signs: str, *parts: Any) -> Any:
    """`(*a, b)`: the tuple of the parts, likewise."""
    return _tupled(list_display(signs, *parts))
