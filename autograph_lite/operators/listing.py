"""`list(x)`, `tuple(x)` and `x.tolist()` of what has a length that only the running graph knows."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import METHODS, method, replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .comprehensions import Each, list_of
from .iterables import Folding, Staged, staged
from .lists import StagedList
from .nest_lists import NestList
from .own_methods import iterated
from .tuples import StagedTuple

_to_list = METHODS['tolist']


@replaces(builtins.list)
def listed(iterable: Any = ()) -> Any:
    """`list(iterable)`; a staged list where only the running graph knows its elements."""
    iterable = iterated(valued(iterable))
    if isinstance(iterable, (StagedList, NestList)):
        return iterable.copy()
    if is_tracing() and isinstance(iterable, Folding):
        return iterable.listed()
    is_staged = isinstance(iterable, Staged) or (is_tracing() and isinstance(iterable, Tensor))
    rows = staged(iterable) if is_staged else None
    if rows is not None and rows.length() is None:
        return list_of(lambda item: item, rows)
    return list(iterable)


@replaces(builtins.tuple)
def _tupled(iterable: Any = ()) -> Any:
    """`tuple(iterable)`; a staged tuple where only the running graph knows its length."""
    is_python = isinstance(iterable, tuple) or (isinstance(iterable, Each) and iterable.is_counted)
    items = iterable if is_python else listed(iterable)
    if isinstance(items, (StagedList, NestList)):
        return StagedTuple(items)
    return tuple(items)


@method('tolist')
def _tolist(x: Tensor) -> Any:
    """`x.tolist()`; rows of unknown length, or a number of them, are listed one by one."""
    shape = x.type.shape or ()
    if x.type.kind == 'array' and len(shape) > 1 and None in shape:
        return list_of(lambda row: row.tolist(), x)
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
