"""What tracing knows of the keys and the values of a dict whose keys only the running graph knows.
"""
from __future__ import annotations

import functools
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ..graph import nest
from ..graph.joins import JoinError, join
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.types import ListType, NothingType, TensorType, text_type, type_of
from .dicts import has_containers
from .lists import StagedList


@dataclass(frozen=True)
class EntryType:
    """What all keys have in common, or all values.

    Attributes:
      form: the form of one.
      types: the types of its leaves.
    """

    form: nest.Structure
    types: tuple[TensorType, ...]

    @functools.cached_property
    def kind(self) -> Any:
        """The class of every number that fits; None where it takes more than that to tell."""
        type_, *others = self.types
        is_number = self.form == nest.LEAF and not others and not isinstance(type_, ListType)
        if not is_number or type_.kind == 'array' or type_.maybe or type_.dtype.kind not in 'biufc':
            return None
        return type_.python_type if type_.weak else type_.dtype.type

    @functools.cached_property
    def kinds(self) -> Any:
        """The classes of the numbers in every tuple that fits; None, in the same way."""
        if self.form.type is not tuple or set(self.form.children) != {nest.LEAF}:
            return None
        kinds = tuple(EntryType(nest.LEAF, (type_,)).kind for type_ in self.types)
        return None if None in kinds else kinds

    def has_kinds(self, x: Any) -> bool:
        """Whether it is told by classes that something is of this type."""
        if type(x) is tuple:
            return bool(tuple(map(type, x)) == self.kinds)
        return type(x) is self.kind

    def fits(self, x: Any) -> bool:
        """Whether something is of this type."""
        return self.has_kinds(x) or joined([self, entry_type(x)]) == self

    def __str__(self) -> str:
        shown = ', '.join(map(str, self.types))
        return shown if self.form == nest.LEAF else f'{self.form} of {shown}'


def entry_type(x: Any) -> EntryType | None:
    """The type of a number, a text, an array, None, a tuple of these, or a list; else None."""
    x = valued(x)
    if has_containers(x) and not isinstance(x, list | StagedList):
        return None
    leaves, form = ([x], nest.LEAF) if type(x) is list else nest.flatten(x)
    try:
        types = [_type_of(leaf) for leaf in leaves]
    except JoinError:
        return None
    known = tuple(type_ for type_ in types if type_ is not None)
    return EntryType(form, known) if known and len(known) == len(types) else None


def joined(found: Iterable[EntryType | None]) -> EntryType | None:
    """The type that all fit; None where there is none."""
    types = list(dict.fromkeys(found))
    first = types[0] if types else None
    if first is None or any(each is None or each.form != first.form for each in types):
        return None
    columns = zip(*(each.types for each in types if each is not None), strict=True)
    try:
        return EntryType(first.form, tuple(functools.reduce(join, column) for column in columns))
    except JoinError:
        return None


def _type_of(x: Any, around: Collection[int] = ()) -> TensorType | None:
    """The type of a value; None for what has none, as a list that is in itself.

    Args:
      x: the value.
      around: identifies the lists that it is in.
    """
    if isinstance(x, Tensor):
        return x.type
    if type(x) is list:
        if id(x) in around:
            return None
        types = [_type_of(item, (*around, id(x))) for item in x]
        known = [type_ for type_ in types if type_ is not None]
        element = functools.reduce(join, known) if known else None
        return ListType(element=element) if len(known) == len(x) else None
    return NothingType() if x is None else text_type(x) or type_of(x)
