"""Dicts that are filled from others, or from what is gone through, and two that are compared.

    Counter(int(x) for x in xs)         {int(x): x for x in xs}
"""
from __future__ import annotations

import functools
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

from ..graph import dispatch, nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.list_functions import EQUAL
from .chosen_keys import is_staged_key
from .comparing import equal
from .counters import equal_counts, is_counter
from .dicts import StagedDict
from .growing_dicts import GrowingDict, values_of
from .growing_places import keep_lists
from .list_methods import is_of_unknown_length
from .listing import gathered
from .lists import StagedList
from .living_lists import LivingDict, as_now
from .logic import and_
from .loops import for_loop
from .membership import item
from .setting import setting
from .unpacking import unpacked


def kind_of_dict(x: Any) -> Any:
    """The class of a dict, or of what one stands for."""
    return x.python_class if isinstance(x, LivingDict) else nest.kind_of(x)


def taken(made: Any, other: Any) -> tuple[Any, bool]:
    """What a dict is filled from, and whether only the running graph knows which keys it has.

    Args:
      made: the dict.
      other: what `fill` takes.
    """
    other = as_now(nest.actual(valued(other)))
    if isinstance(other, GrowingDict | dict | StagedDict | str | bytes):
        return other, isinstance(other, GrowingDict)
    is_unknown, found = is_of_unknown_length(other), gathered(other)
    if is_unknown or not isinstance(found, list | tuple):
        return found, is_unknown or isinstance(found, Tensor)
    keys = found if kind_of_dict(made) is Counter else [each[0] for each in found]
    return found, any(map(is_staged_key, keys))


def fill(made: Any, other: Any) -> Any:
    """`made.update(other)`: what the dict is then.

    Args:
      made: a dict that the traced code has made.
      other: a dict, or what gives pairs, or for a Counter, what it counts.
    """
    other, is_counter = as_now(nest.actual(valued(other))), kind_of_dict(made) is Counter
    is_dict = isinstance(other, dict | StagedDict | GrowingDict)
    put = (_count_times if is_dict else _count) if is_counter else _put
    shares = isinstance(other, GrowingDict) and other.holds_lists
    put = _put_copy if shares else put

    def turn(each: Any, made: Any) -> Any:
        put(made, each)
        return made

    made = for_loop(other.items() if is_dict else other, turn, made, names=['<made>'])
    if shares:  # both dicts have the same lists, of which these are copies
        keep_lists(nest.actual(made))
    return made


def update(held: dict[Any, Any], other: Any = (), **more: Any) -> None:
    """`held.update(other, **more)`, of a dict that the traced code has made."""
    other, is_staged = taken(held, other)
    if is_staged:
        fill(held, other)
    else:
        held.update(other)
    held.update(more)


def _put(made: Any, pair: Any) -> None:
    key, value = unpacked(pair, (None, None))
    setting(made, None)[key] = value


def _put_copy(made: Any, pair: Any) -> None:
    key, value = pair
    _put(made, (key, value.copy()))


def _count(made: Any, key: Any) -> None:
    _count_times(made, (key, 1))


def _count_times(made: Any, pair: Any) -> None:
    key, times = pair
    _put(made, (key, item(made, key) + times))


def equal_dicts(one: GrowingDict, other: Any) -> Any:
    """`one == other`."""
    other = nest.actual(other)
    if is_counter(one) and is_counter(other):
        return equal_counts(one, other)
    if isinstance(other, GrowingDict):
        if (other.key, other.value) != (one.key, one.value):
            return and_(one.length() == 0, lambda: other.length() == 0)
        is_ordered = one.kind is other.kind is OrderedDict
        asks: list[Callable[[], Any]] = [functools.partial(_equal, a, b) for a, b in zip(
            one.columns, other.columns, strict=True)]
        if is_ordered:
            asks.append(lambda: one.listed_keys() == other.listed_keys())
    elif isinstance(other, dict | StagedDict):
        real = other.real('`==`') if isinstance(other, StagedDict) else other
        asks = [lambda: one.length() == len(real)]
        asks += [functools.partial(_has_item, one, key, value) for key, value in real.items()]
    else:
        return False
    first, *rest = asks
    return and_(first(), *rest)


def _equal(a: StagedList, b: StagedList) -> Any:
    dispatch.FALLBACKS['check compared'](*map(values_of, (a, b)))
    return Tensor(a._add(EQUAL, b))


def _has_item(one: GrowingDict, key: Any, value: Any) -> Any:
    return and_(one.has(key), lambda: equal(one[key], value))
