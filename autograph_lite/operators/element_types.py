"""What tracing knows of the elements of a list, a deque or a set that lives outside."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.state import ReadAsValue, State
from ..graph.tensor import Tensor
from ..graph.types import ListType, TensorType
from .entry_types import EntryType, entry_type
from .guards import record, record_type
from .lists import StagedList
from .nest_lists import NestList
from .outer_variables import type_of_input
from .places import Place, Question


def element_type(x: Any, is_needed: bool = True) -> EntryType | None:
    """The type of what is in a container, or is put there; None where none is known.

    Args:
      x: the element.
      is_needed: whether that of a flag, a text or None counts: else these are read while tracing.
    """
    if isinstance(x, Tensor):
        return EntryType(nest.LEAF, (x.type,))
    if isinstance(x, State | ReadAsValue):
        return None
    number = type_of_input(x)
    if number is not None:
        return EntryType(nest.LEAF, (number,))
    type_ = entry_type(x)
    if type_ is None or type(x) is list or not _is_of_tuples(type_.form):
        return None
    if any(isinstance(each, ListType) for each in type_.types):
        return None
    are_read = is_needed or all(
        isinstance(leaf, Tensor) or type_of_input(leaf) for leaf in nest.flatten(x)[0])
    return type_ if are_read else None


def types_put(name: str, args: Sequence[Any]) -> list[EntryType | None]:
    """The types of what a method puts into a container, as far as they can be told."""
    if name in _PUTTING and not isinstance(args[0], slice):
        return [element_type(args[-1])]
    if name not in _FILLING:
        return []
    given = nest.actual(args[-1])
    if isinstance(given, list | tuple):
        return list(map(element_type, given))
    if isinstance(given, NestList):
        columns: list[Any] = [getattr(x.type, 'element', None) for x in given.columns]
        return [EntryType(given.element, tuple(columns))] if None not in columns else []
    element = getattr(given.type, 'element', None) if isinstance(given, StagedList) else None
    return [] if element is None else [EntryType(nest.LEAF, (element,))]


def element_types(items: Sequence[Any], is_needed: bool) -> list[EntryType | None]:
    """The types of elements, each once; up to the first that is not known."""
    types: dict[EntryType | None, None] = {}
    for x in [items[0]] if _are_alike(items) else {_kind(x): x for x in items}.values():
        types[element_type(x, is_needed)] = None
        if None in types:
            break
    return list(types)


def _are_alike(items: Sequence[Any]) -> bool:
    """Whether they are numbers of one class, or tuples of such: most are, and there may be many."""
    kinds = set(map(type, items))
    if kinds != {tuple}:
        return len(kinds) == 1 and kinds <= _NUMBERS
    return len(set(map(len, items))) == 1 and all(map(_are_alike, zip(*items, strict=True)))


def guard_element(place: Place, x: Any, type_: EntryType) -> None:
    """Guards that an element of a container is of a type."""
    number = type_of_input(x)
    if number is None:
        record(place.then(Question('fits', (type_,))), True)
    else:
        record_type(place, number)


def leaf_type(type_: EntryType | None) -> TensorType | None:
    """The type of elements that are no tuples; None of others."""
    return type_.types[0] if type_ is not None and type_.form == nest.LEAF else None


def _kind(x: Any) -> Any:
    """What tells elements of one type without looking at each."""
    if isinstance(x, tuple):
        return type(x), *map(_kind, x)
    return type(x) if type(x) in _NUMBERS else id(x)


_NUMBERS = frozenset([
    bool, int, float, complex,
    *(np.dtype(code).type for code in '?' + np.typecodes['AllInteger'] + np.typecodes['AllFloat'])])
# Methods that put one item into a container, which is their last argument; or several.
_PUTTING = ('add', 'append', 'appendleft', 'insert', '__setitem__')
_FILLING = ('extend', 'extendleft', '__iadd__', '__setitem__')


def _is_of_tuples(form: nest.Structure) -> bool:
    is_plain = form.type is None or (
        issubclass(form.type, tuple) and not issubclass(form.type, nest.Nest))
    return is_plain and all(map(_is_of_tuples, form.children))
