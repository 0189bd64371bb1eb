"""`sorted`, `min` and `max`: what compares items, or a key of each."""
from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.state import looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value, is_tracing
from ..graph.types import ListType
from ..ops.effects import RAISE
from ..ops.orders import ORDER, by_numpy, in_python
from ..ops.strings import StagedText
from .calls import call
from .checking import check
from .comparing import compared
from .comprehensions import each
from .conditionals import cond
from .contents import is_object
from .effects import Diverged
from .folding import Folding
from .is_none import is_none
from .iterable_builtins import range as numbers
from .iterables import staged
from .lengths import len as length_of
from .listing import gathered, listed
from .lists import StagedList, new_list
from .logic import not_
from .loops import for_loop
from .nest_lists import NestList, new_nest_list
from .optional_nests import Perhaps
from .own_iterators import iterated
from .own_operators import user_comparison
from .progress import Progress
from .sets import in_any_order
from .staged_iterable import Staged
from .staging import truth, unchanged

Key = Callable[[Any], Any]
Count = int | Tensor | None


@replaces(builtins.sorted)
def sorted(iterable: Any, *, key: Key | None = None, reverse: bool = False) -> Any:
    """`sorted(iterable)`: a list, in the order that the running graph finds for tensors."""
    iterable = gathered(in_any_order(iterable, key))
    if not is_tracing():
        return builtins.sorted(iterable, key=key, reverse=reverse)
    if isinstance(iterable, StagedList) and key is None:
        return iterable.in_order(reverse)
    if isinstance(iterable, Tensor) and key is None and len(iterable.static_shape) == 1:
        return _sorted_items(iterable, reverse)
    return first_of(iterable, key, reverse, None)


def first_of(iterable: Any, key: Key | None, reverse: bool, count: Count) -> Any:
    """The items in order; as many as are asked of `heapq`, None for all.

    Args:
      iterable: the items.
      key: what is compared; None for the items themselves.
      reverse: whether the largest come first.
      count: how many there are to be at most.
    """
    if isinstance(iterable, Tensor):
        iterable = listed(iterable)
    if isinstance(iterable, (StagedList, NestList)):
        return _staged_in_order(iterable, key, reverse, count)
    items = [*iterable]
    if not items:
        return []
    if isinstance(count, Tensor):
        return _staged_in_order(staged_list(items), key, reverse, count)
    keys = items if key is None else [call(key, item) for item in items]
    return by_keys(items, keys, reverse, count)


def by_keys(items: list[Any], keys: list[Any], reverse: bool, count: int | None) -> Any:
    """The same, of a list of Python's, with the key of each item."""
    has_staged = any(map(is_staged, keys))
    is_compared = any(map(compares_itself, keys)) or any(map(_holds_lists, keys))
    if is_compared or (has_staged and any(map(is_object, items))):
        return _by_comparing(items, keys, reverse)[:count]
    if not has_staged:
        return [items[i] for i in in_python(keys, reverse, count)]
    staged_items = staged_list(items)
    order = _order(keys, reverse, count)
    taken = items[:count and builtins.max(count, 0)]
    return [staged_items[order[i]] for i in range(len(taken))]


def sort(items: Any, *, key: Key | None = None, reverse: bool = False) -> None:
    """`items.sort()`, of a list of Python's or of the running graph."""
    ordered = sorted(items, key=key, reverse=reverse)
    if type(items) is list:
        items[:] = ordered
        return
    items.clear()
    items.extend(ordered)


def _staged_in_order(
    items: StagedList | NestList, key: Key | None, reverse: bool, count: Count
) -> Any:
    """The items of a list whose length only the running graph knows, in their order."""
    keys = items if key is None else each(lambda item: call(key, item), items).listed()
    columns: list[Any] = keys.columns if isinstance(keys, NestList) else [keys]
    if isinstance(keys, NestList) and issubclass(keys.element.type or list, dict):
        message = "'<' not supported between instances of 'dict' and 'dict'"
        check(length_of(items) > 1, message, TypeError)
    order = cond(
        length_of(items) > 0,
        lambda: _order_of(
            [x if _is_of_lists(x) else np.stack(x) for x in columns], reverse, count),
        lambda: np.zeros(0, np.intp),
    )
    return each(lambda i: items[i], order).listed()


def _sorted_items(x: Tensor, reverse: bool) -> Any:
    """The items of a row in order: Python's own, which NaN and the sign of zero tell apart."""
    length = x.static_shape[0]
    if length is None:
        listed: StagedList = each(lambda item: item, x).listed()
        return listed.in_order(reverse)
    if x.dtype.kind in 'biu' or length == 0:
        ordered = [*np.sort(x)]
        return ordered[::-1] if reverse else ordered
    items = new_list([*x]).in_order(reverse)
    return [items[i] for i in range(length)]


def _order(keys: Sequence[Any], reverse: bool, count: Count) -> Any:
    """The indices of the keys in their order; equal keys stay as they are, also in reverse."""
    columns = [*zip(*map(_leaves, keys), strict=True)]
    # Python takes one object to be equal to itself before it compares it.
    telling = [
        column for column in columns
        if len(columns) == 1 or isinstance(column[0], Tensor)
        or any(leaf is not column[0] for leaf in column)]
    for column in telling if len(keys) > 1 else ():
        if all(isinstance(leaf, Tensor) and leaf.type.weak for leaf in column):
            compared(column[0], '<', column[1])  # Python's complex numbers are not compared
    return _order_of([_in_one(column) for column in telling], reverse, count)


def _in_one(column: Sequence[Any]) -> Any:
    """A leaf of all keys, in a row; texts in a list."""
    is_of_texts = any(isinstance(leaf, StagedText) for leaf in column)
    return new_list([*column]) if is_of_texts else np.stack(column)


def _order_of(columns: Sequence[Any], reverse: bool, count: Count) -> Any:
    """The same, of the leaves of all keys."""
    columns = [x if isinstance(x, StagedList) else _numbers(x) for x in columns]
    is_known = not isinstance(count, Tensor)
    if is_known and not any(column.dtype.kind in 'fcO' for column in columns):
        return by_numpy(columns, reverse)[:count]
    attrs: dict[str, Any] = {'reverse': reverse}
    if count is not None:
        attrs['count'] = count if is_known else None
    inputs = columns if is_known else [*columns, count]
    (found,) = emit(ORDER, inputs, attrs, value_of=held_value)
    return found


def _is_of_lists(column: Any) -> bool:
    """Whether a part of each key is a list, of which Python asks what comes first."""
    type_ = column.type
    return isinstance(type_, ListType) and isinstance(type_.element, ListType)


def _numbers(column: Any) -> Any:
    """A leaf of all keys, in a row: of arrays in the keys Python asks whether they are true."""
    if column.ndim > 1:
        truth(column[0])
    return column.reshape(-1)


def staged_list(items: list[Any]) -> StagedList | NestList:
    """The items as a list that a tensor can index."""
    if all(map(nest.is_leaf, items)):
        return new_list(items)
    structures = [nest.flatten(item)[1] for item in items]
    if any(structure != structures[0] for structure in structures):
        raise StagingError(
            describe(
                'A list that only the running graph knows gets items that are nested differently.',
                user_location(),
                'Give them one form, such as tuples of the same length.',
            )
        )
    return new_nest_list(items, structures[0])


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
    if any(leaf is None for leaf in _leaves(best)):
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


def _leaves(key: Any) -> list[Any]:
    return nest.flatten(key)[0]


def _holds_lists(key: Any) -> bool:
    """Whether there is a list in it of which only the running graph knows what is in it."""
    return any(isinstance(leaf, StagedList) for leaf in _leaves(key))


def is_staged(key: Any) -> bool:
    """Whether there is a tensor in it."""
    return any(isinstance(leaf, Tensor) for leaf in _leaves(key))


def compares_itself(x: Any) -> bool:
    """Whether the user's class says how an object is compared, or that of one in a tuple does."""
    if isinstance(x, (tuple, list)) and not hasattr(x, '_fields'):
        return any(map(compares_itself, x))
    return any(user_comparison(x, name) is not None for name in ('__lt__', '__gt__', '__eq__'))


# Of more objects, the program would be too long.
_MOST_OBJECTS = 16


def _by_comparing(items: list[Any], keys: list[Any], reverse: bool) -> list[Any]:
    """The items in order, two neighbours after the other exchanged: equal ones stay as they are."""
    if len(items) > _MOST_OBJECTS:
        what = f'More than {_MOST_OBJECTS} objects are sorted by comparisons of the user\'s class.'
        fix = 'Put what they are compared by into an array: `np.argsort(keys)`.'
        raise StagingError(describe(what, user_location(), fix))
    # An object that is its own key is given to a branch once.
    pairs = [(x,) if x is key else (x, key) for x, key in zip(items, keys, strict=True)]
    for end in range(len(pairs) - 1, 0, -1):
        for i in range(end):
            first, second = pairs[i], pairs[i + 1]
            smaller, larger = (first, second) if reverse else (second, first)
            pairs[i : i + 2] = _exchanged(_less(smaller[-1], larger[-1]), first, second)
    return [pair[0] for pair in pairs]


def _exchanged(is_wrong: Any, first: Any, second: Any) -> Any:
    return cond(is_wrong, lambda: (second, first), lambda: (first, second))


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
