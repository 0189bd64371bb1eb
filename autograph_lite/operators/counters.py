"""Counters that are put together where only the running graph knows what they count."""
from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any

from ..graph import nest
from ..graph.tensor import Tensor
from .comparing import equal
from .conditionals import cond
from .library_containers import staged_container
from .logic import and_, not_
from .reentry import for_loop, in_, item
from .staging import unchanged

Count = Callable[[Any, Any], Any]


def combined(symbol: str, one: Any, other: Any) -> Any:
    """What an operator gives of two Counters; NotImplemented where one of them is none."""
    if not is_counter(one) or not is_counter(other):
        return NotImplemented
    if _is_known(one) and _is_known(other):
        counts = _PYTHONS[symbol](_real(one), _real(other))
        return staged_container(counts)
    one, other = staged_container(one), staged_container(other)
    one, other = _alike(*(_whole(x, 'arithmetic') for x in (one, other)))
    first, second = _COUNTS[symbol]
    made = _filled(_empty(one, other), one, lambda key, n: first(n, item(other, key)))
    if second is None:
        return made
    return _filled(
        made, other, lambda key, n: cond(in_(key, one), lambda: 0, lambda: second(n)))


def subtract(one: Any, other: Any) -> None:
    """`one.subtract(other)`, of a dict or of what is counted."""
    from .setting import setting

    other = _whole(nest.actual(other), '`subtract`')
    is_dict = isinstance(other, dict | nest.Mutable)

    def turn(each: Any, one: Any) -> Any:
        key, n = each if is_dict else (each, 1)
        setting(one, None)[key] = item(one, key) - n
        return one

    for_loop(other.items() if is_dict else other, turn, one, names=['<counts>'])


def elements(one: Any) -> Any:
    """The list of what `one.elements()` gives."""
    from .iterable_builtins import range as numbers_to

    made: list[Any] = []

    def turn(pair: Any, made: Any) -> Any:
        key, n = pair

        def put(_: Any, made: Any) -> Any:
            made.append(key)
            return made

        return for_loop(numbers_to(n), put, made, names=['<made>'])

    return nest.actual(for_loop(one.items(), turn, made, names=['<made>']))


def _alike(*counters: Any) -> list[Any]:
    """The Counters; of none does tracing know the keys if it does not of one."""
    from .growing_dicts import GrowingDict
    from .grown_dicts import filled

    if not any(isinstance(x, GrowingDict) for x in counters):
        return list(counters)
    return [
        x if isinstance(x, GrowingDict) else filled(_real(x), _empty(*counters))
        for x in counters]


def _empty(*counters: Any) -> Any:
    """A Counter of nothing, of which only the running graph knows the keys if one is like that."""
    from .growing_dicts import GrowingDict, empty_dict

    for x in counters:
        if isinstance(x, GrowingDict):
            return empty_dict(Counter, None, x.key, x.value)
    return staged_container(Counter())


def put_together(symbol: str, one: Any, other: Any) -> Any:
    """`one += other` and the like, of two Counters."""
    made = combined(symbol, one, other)
    if made is not NotImplemented:
        one.clear()
        one.update(made)
        return one
    return made


def equal_counts(one: Any, other: Any) -> Any:
    """`one == other` of two Counters: what one lacks counts nothing."""
    return and_(_all_counts(equal, one, other), lambda: _all_counts(equal, other, one))


def compared_counts(sign: str, one: Any, other: Any) -> Any:
    """`one <= other` or `one < other` of two Counters; NotImplemented where one of them is none."""
    if not is_counter(one) or not is_counter(other):
        return NotImplemented
    one, other = (staged_container(nest.actual(x)) for x in (one, other))
    is_within = and_(
        _all_counts(operator.le, one, other), lambda: _all_counts(operator.ge, other, one))
    return is_within if sign == '<=' else and_(
        is_within, lambda: not_(equal_counts(one, other)))


def _all_counts(is_so: Count, one: Any, other: Any) -> Any:
    """Whether something is so of the counts of each key of the first Counter in both."""
    from .comprehensions import each
    from .quantifiers import all as all_

    if hasattr(one, 'listed_items'):
        return all_(each(lambda pair: is_so(pair[1], item(other, pair[0])), one.listed_items()))
    keys = list(getattr(one, 'numbers', one))
    return all_(each(lambda key: is_so(item(one, key), item(other, key)), keys))


def is_counter(x: Any) -> bool:
    """Whether it is a Counter, or stands for one."""
    return isinstance(nest.actual(x), dict | nest.Mutable) and nest.kind_of(x) is Counter


def _whole(x: Any, what: str) -> Any:
    """A dict that has all the keys that it may have; anything else itself.

    Raises:
      StagingError: only the running graph knows which of them it has.
    """
    if hasattr(x, 'unsure') and x.unsure():
        x.real(what)
    return x


def _is_known(x: Any) -> bool:
    """Whether tracing knows all that a Counter counts."""
    has_keys = not isinstance(x, nest.Mutable) or (hasattr(x, 'unsure') and not x.unsure())
    return has_keys and not any(isinstance(part, Tensor) for part in nest.children(x))


def _real(x: Any) -> Any:
    return x.real('arithmetic') if hasattr(x, 'real') else x


def _filled(made: Any, counts: Any, count: Count) -> Any:
    """The Counter with those of these keys that a function gives more than nothing for."""
    from .setting import setting

    def turn(pair: Any, made: Any) -> Any:
        key, n = pair
        found = count(key, n)

        def put(made: Any) -> Any:
            setting(made, None)[key] = found
            return made

        return cond(found > 0, put, unchanged, made, names=['<made>'])

    return nest.actual(for_loop(nest.actual(counts).items(), turn, made, names=['<made>']))


def _greater(a: Any, b: Any) -> Any:
    return cond(a < b, lambda: b, lambda: a)


def _less(a: Any, b: Any) -> Any:
    return cond(a < b, lambda: a, lambda: b)


_PYTHONS = {'+': operator.add, '-': operator.sub, '|': operator.or_, '&': operator.and_}
# What there is of a key of the first Counter, and of one that only the second has.
_COUNTS: dict[str, tuple[Count, Callable[[Any], Any] | None]] = {
    '+': (lambda a, b: a + b, lambda b: b),
    '-': (lambda a, b: a - b, lambda b: -b),
    '|': (_greater, lambda b: b),
    '&': (_less, None),
}
