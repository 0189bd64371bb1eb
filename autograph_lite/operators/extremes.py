"""`min` and `max`: a contest of items, or of a key of each."""
from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.state import looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing
from ..ops.effects import RAISE
from .calls import call
from .comparing import compared
from .comprehensions import each
from .conditionals import cond
from .effects import Diverged
from .folding import Folding
from .is_none import is_none
from .iterable_builtins import range as numbers
from .iterables import staged
from .lengths import len as length_of
from .lists import StagedList
from .logic import not_
from .loops import for_loop
from .nest_lists import NestList
from .optional_nests import Perhaps
from .ordering import Key, compares_itself, is_staged
from .own_iterators import iterated
from .progress import Progress
from .sets import in_any_order
from .staged_iterable import Staged
from .staging import unchanged


@replaces(builtins.min)
def min(*items: Any, **options: Any) -> Any:
    """`min(...)`; the first of the smallest, compared in order as Python does."""
    return _extreme(builtins.min, _less, items, **options)


@replaces(builtins.max)
def max(*items: Any, **options: Any) -> Any:
    """`max(...)`; the first of the largest, compared in order as Python does."""
    return _extreme(builtins.max, _greater, items, **options)


def _extreme(
    python: Callable[..., Any],
    better: Callable[[Any, Any], Any],
    items: Sequence[Any],
    *,
    key: Key | None = None,
    **default: Any,
) -> Any:
    """The first of the best, as a contest of all; Python's own where no tensor decides.

    Args:
      python: Python's `min` or `max`.
      better: whether its first argument wins over its second.
      items: one iterable, or several items.
      key: what is compared of each.
      **default: the `default`, if one is given.
    """
    if not is_tracing():
        return python(*items, key=key, **default)
    if not items:
        return python()
    contest = _Contest(better, key)
    if len(items) > 1:
        return _of_python(items, python, contest, default)
    iterable = iterated(in_any_order(looked_at(items[0]), key))
    if isinstance(iterable, Folding):
        iterable = contest.all_entered(iterable)
        contest = _Contest(better, key, are_entered=True)
    rows = staged(iterable)
    if rows is None:
        return _of_python(iterable, python, contest, default)
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


class _Contest(Progress):
    """Who is better than all others, and the first of those who are equal."""

    def __init__(
        self, better: Callable[[Any, Any], Any], key: Key | None, are_entered: bool = False
    ) -> None:
        self._better = better
        self._key = key
        self._are_entered = are_entered

    def entered(self, item: Any) -> Any:
        """An item with its key, so that each item is asked for it once."""
        if self._key is None or self._are_entered:
            return item
        return item, call(self._key, item)

    def all_entered(self, elements: Any) -> Any:
        """The list of them: Python asks for the key of each before it takes the next one."""
        return each(lambda item: self.entered(item), elements).listed()

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
        first = self.entered(items[0])
        rest = items
        if not isinstance(items, (StagedList, NestList)):
            rest = items[1:]
        elif self._key is not None and not self._are_entered:
            rest = each(lambda i: items[i], numbers(1, length_of(items)))
        return self.item(
            for_loop(rest, lambda item, best: self.against(self.entered(item), best), first)
        )

    def won_if_any(self, rows: Staged) -> Any:
        """The best, with its key, of what can only be iterated over; None if there is nothing."""

        def turn(item: Any, best: Any) -> Any:
            new = self.entered(item)
            return cond(is_none(best), lambda: new, lambda: self.against(new, there(best)))

        return for_loop(rows, turn, None)


def there(best: Any) -> Any:
    """What was the best before, in a branch that is taken only if there was anything."""
    best = best.sure() if isinstance(best, Perhaps) else best
    if any(leaf is None for leaf in nest.flatten(best)[0]):
        raise Diverged
    return best


def _of_python(
    items: Iterable[Any], python: Callable[..., Any], contest: _Contest, default: dict[str, Any]
) -> Any:
    entered = [contest.entered(valued(item)) for item in items]
    if not entered:
        return python(entered, **default)
    keys = [contest.key(each) for each in entered]
    if not any(is_staged(key) or compares_itself(key) for key in keys):
        return contest.item(entered[python(range(len(keys)), key=keys.__getitem__)])
    return contest.item(functools.reduce(lambda best, new: contest.against(new, best), entered))


def _less(a: Any, b: Any) -> Any:
    return compared(a, '<', b)


def _greater(a: Any, b: Any) -> Any:
    return compared(a, '>', b)


def _check_not_empty(is_empty: Any, name: str) -> None:
    def fail() -> None:
        emit(RAISE, [], {'error': ValueError, 'parts': [_of_nothing(name)]})
        raise Diverged

    cond(is_empty, fail, unchanged)


def _of_nothing(name: str) -> str:
    """What this Python says where there is nothing to choose from."""
    try:
        getattr(builtins, name)(())
    except ValueError as error:
        return str(error)
    raise AssertionError(f'{name} of nothing')
