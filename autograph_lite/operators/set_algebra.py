"""What is in one set and in another, where only the running graph knows what is in them.

    len(seen & wanted) / len(seen | wanted)
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.types import ListType, type_of
from .comprehensions import each
from .lengths import len as length_of
from .lists import StagedList
from .logic import and_, not_
from .membership import in_
from .nest_lists import NestList
from .quantifiers import all as all_


def common(items: Any, others: Iterable[Any]) -> Any:
    """The list of those items that are in each of the others.

    Raises:
      StagingError: equal elements may be of two types, and which stays is not known.
    """
    for other in others:
        _check_alike(items, other)
        items = _where(items, other, True)
    return items


def remaining(items: Any, others: Iterable[Any]) -> Any:
    """The list of those items that are in none of the others."""
    for other in others:
        items = _where(items, other, False)
    return items


def are_in(items: Any, other: Any) -> Any:
    """Whether all items are in the other one."""
    return all_(each(lambda x: in_(x, other), items))


def are_not_in(items: Any, other: Any) -> Any:
    """Whether none of the items is in the other one."""
    return all_(each(lambda x: not_(in_(x, other)), items))


def compared(name: str, items: Any, other: Any) -> Any:
    """What an operator such as `le` says of two sets.

    Args:
      name: the operator's.
      items: what is in the first one, as a list.
      other: the same of the second one.
    """
    if name == 'ne':
        return not_(compared('eq', items, other))
    if name in ('ge', 'gt'):
        return compared({'ge': 'le', 'gt': 'lt'}[name], other, items)
    size, others = length_of(items), length_of(other)
    is_of_size = {'eq': size == others, 'le': size <= others, 'lt': size < others}[name]
    return and_(is_of_size, lambda: are_in(items, other))


def _where(items: Any, other: Any, is_in: bool) -> Any:
    def is_kept(x: Any) -> Any:
        return in_(x, other) if is_in else not_(in_(x, other))

    return each(lambda x: x, items, where=is_kept).listed()


def _check_alike(items: Any, other: Any) -> None:
    known = {*_types(items), *_types(other)}
    if len(known) > 1:
        raise StagingError(describe(
            'Equal elements of these two sets may be of two types, and which of them is in both '
            'depends on how many there are.', user_location(),
            'Give both sets elements of one type: `{int(x) for x in xs}`.'))


def _types(items: Any) -> list[Any]:
    """The types of the elements in a list: of tuples, those of all parts."""
    if isinstance(items, NestList):
        return [(items.element, *map(_type_in, items.columns))]
    if isinstance(items, StagedList):
        return [] if _type_in(items) is None else [(nest.LEAF, _type_in(items))]
    flat = (nest.flatten(x) for x in items)
    return [(form, *map(_type_of, leaves)) for leaves, form in flat]


def _type_in(items: StagedList) -> Any:
    return items.type.element if isinstance(items.type, ListType) else None


def _type_of(x: Any) -> Any:
    return x.type if isinstance(x, Tensor) else type_of(x) or type(x)
