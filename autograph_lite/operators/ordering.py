"""`sorted`, `min` and `max`: what compares items, or a key of each."""
from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor, valued
from ..graph.tracing import emit, is_tracing
from ..ops.effects import RAISE
from .builtins import len as length_of
from .calls import call
from .comprehensions import Each
from .conditionals import cond, unchanged
from .effects import Diverged
from .is_none import is_none
from .iterables import Staged, staged
from .lists import StagedList, new_list
from .logic import and_, is_true, not_, or_
from .loops import for_loop
from .nest_lists import NestList, new_nest_list
from .optional_nests import Perhaps
from .replacements import stages

Key = Callable[[Any], Any]


def sorted(iterable: Any, *, key: Key | None = None, reverse: bool = False) -> Any:
    """`sorted(iterable)`: a list, in an order that the running graph finds where a tensor is in it.

    Raises:
      StagingError: how many items there are is not known while tracing, and they have keys.
    """
    iterable = valued(iterable)
    if not is_tracing():
        return builtins.sorted(iterable, key=key, reverse=reverse)
    if isinstance(iterable, Each):
        iterable = iterable.listed()
    if isinstance(iterable, StagedList) and key is None:
        return iterable.in_order(reverse)
    if isinstance(iterable, Tensor) and key is None and len(iterable.static_shape) == 1:
        ordered = [*np.sort(iterable)]
        return ordered[::-1] if reverse else ordered
    if isinstance(iterable, (StagedList, NestList)):
        raise StagingError(
            describe(
                'sorted() of a list whose length only the running graph knows takes no key.',
                user_location(),
                'Put its elements and their keys into arrays: `np.argsort(keys)`.',
            )
        )
    items = [*iterable]
    keys = items if key is None else [call(key, item) for item in items]
    if not any(map(_is_staged, keys)):
        order = builtins.sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)
        return [items[i] for i in order]
    staged_items = _staged_list(items)
    order = _order(keys, reverse)
    return [staged_items[order[i]] for i in range(len(items))]


def _order(keys: Sequence[Any], reverse: bool) -> Any:
    """The indices of the keys in their order; equal keys stay as they are, also in reverse."""
    columns = [np.stack(column) for column in zip(*map(_leaves, keys), strict=True)]
    if reverse:
        columns = [column[::-1] for column in columns]
    one = len(columns) == 1
    order = np.argsort(columns[0], kind='stable') if one else np.lexsort(tuple(columns[::-1]))
    return (len(keys) - 1 - order)[::-1] if reverse else order


def _staged_list(items: list[Any]) -> StagedList | NestList:
    """The items as a list that a tensor can index."""
    if all(map(nest.is_leaf, items)):
        return new_list(items)
    structures = [nest.flatten(item)[1] for item in items]
    if any(structure != structures[0] for structure in structures):
        raise StagingError(
            describe(
                'sorted() by tensors of items that are nested differently.',
                user_location(),
                'Give them one form, such as tuples of the same length.',
            )
        )
    return new_nest_list(items, structures[0])


def min(*items: Any, **options: Any) -> Any:
    """`min(...)`; the first of the smallest, compared in order as Python does."""
    return _extreme(builtins.min, _less, items, **options)


def max(*items: Any, **options: Any) -> Any:
    """`max(...)`; the first of the largest, compared in order as Python does."""
    return _extreme(builtins.max, lambda a, b: _less(b, a), items, **options)


def _extreme(
    python: Callable[..., Any],
    better: Callable[[Any, Any], Any],
    items: Sequence[Any],
    *,
    key: Key | None = None,
    **default: Any,
) -> Any:
    if not is_tracing():
        return python(*items, key=key, **default)
    contest = _Contest(better, key)
    if len(items) > 1:
        return _of_python([*items], python, contest, default)
    (iterable,) = map(valued, items)
    if isinstance(iterable, Each):
        iterable = iterable.listed()
    rows = staged(iterable)
    if rows is None:
        return _of_python([*iterable], python, contest, default)
    if rows.length() == 0:
        return python([], **default)
    if not isinstance(iterable, (Tensor, NestList)):
        best = contest.won_if_any(rows)
        is_empty = is_none(best)
        winner = functools.partial(contest.item, best)
    else:
        is_empty = not_(length_of(iterable))
        winner = functools.partial(contest.won, iterable)
    if default:
        return cond(is_empty, lambda: default['default'], winner)
    if rows.length() is None:
        _check_not_empty(is_empty, python.__name__)
    return winner()


class _Contest:
    """Who is better than all others, and the first of those who are equal."""

    def __init__(self, better: Callable[[Any, Any], Any], key: Key | None) -> None:
        self._better = better
        self._key = key

    def entered(self, item: Any) -> Any:
        """An item with its key, so that each item is asked for it once."""
        return item if self._key is None else (item, call(self._key, item))

    def key(self, entered: Any) -> Any:
        """What is compared."""
        return entered if self._key is None else entered[1]

    def item(self, entered: Any) -> Any:
        """The item without its key."""
        return entered if self._key is None else entered[0]

    def against(self, new: Any, best: Any) -> Any:
        """The better of two."""
        return cond(self._better(self.key(new), self.key(best)), lambda: new, lambda: best)

    def won(self, items: Any) -> Any:
        """The best of an array or list that is not empty."""
        rest = items if isinstance(items, (StagedList, NestList)) else items[1:]
        first = self.entered(items[0])
        return self.item(
            for_loop(rest, lambda item, best: self.against(self.entered(item), best), first)
        )

    def won_if_any(self, rows: Staged) -> Any:
        """The best, with its key, of what can only be iterated over; None if there is nothing."""

        def turn(item: Any, best: Any) -> Any:
            new = self.entered(item)
            return cond(is_none(best), lambda: new, lambda: self.against(new, _there(best)))

        return for_loop(rows, turn, None)


def _there(best: Any) -> Any:
    """What was the best before, in a branch that is taken only if there was anything."""
    best = best.sure() if isinstance(best, Perhaps) else best
    if any(leaf is None for leaf in _leaves(best)):
        raise Diverged
    return best


def _of_python(
    items: list[Any], python: Callable[..., Any], contest: _Contest, default: dict[str, Any]
) -> Any:
    if not items:
        return python(items, **default)
    entered = [contest.entered(valued(item)) for item in items]
    keys = [contest.key(each) for each in entered]
    if not any(map(_is_staged, keys)):
        return items[python(range(len(items)), key=keys.__getitem__)]
    return contest.item(functools.reduce(lambda best, new: contest.against(new, best), entered))


def _less(a: Any, b: Any) -> Any:
    """`a < b`, also of tuples with tensors in them."""
    if not (type(a) is type(b) is tuple):
        return a < b
    if not (a and b):
        return len(a) < len(b)
    return or_(
        a[0] < b[0], lambda: and_(is_true(a[0] == b[0]), lambda: _less(a[1:], b[1:]))
    )


def _leaves(key: Any) -> list[Any]:
    return nest.flatten(key)[0]


def _is_staged(key: Any) -> bool:
    return any(isinstance(leaf, Tensor) for leaf in _leaves(key))


def _check_not_empty(is_empty: Any, name: str) -> None:
    def fail() -> None:
        emit(RAISE, [], {'error': ValueError, 'parts': [f'{name}() iterable argument is empty']})
        raise Diverged

    cond(is_empty, fail, unchanged)


for _function, _form in ((builtins.sorted, sorted), (builtins.min, min), (builtins.max, max)):
    stages(_function, _form)
