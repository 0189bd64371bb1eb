"""`sorted`: items in the order of what is compared, themselves or a key of each."""
from __future__ import annotations

import builtins
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value, is_tracing
from ..graph.types import ListType
from ..ops.orders import ORDER, by_numpy, in_python
from ..ops.strings import StagedText, stand_in
from .calls import call
from .checking import check
from .comparing import compared
from .comprehensions import each
from .conditionals import cond
from .contents import is_object
from .known_order import known_order
from .lengths import len as length_of
from .listing import gathered, listed
from .lists import StagedList, new_list
from .members import Member
from .nest_lists import NestList, new_nest_list
from .one_of_few import is_one_of_few
from .optional_nests import Perhaps
from .own_operators import user_comparison
from .sets import in_any_order
from .staging import truth

Key = Callable[[Any], Any]
Count = int | Tensor | None


@replaces(builtins.sorted)
def sorted(iterable: Any, *, key: Key | None = None, reverse: bool = False) -> Any:
    """`sorted(iterable)`: a list, in the order that the running graph finds for tensors."""
    iterable = gathered(in_any_order(iterable, key))
    if not is_tracing():
        return builtins.sorted(iterable, key=key, reverse=reverse)
    if isinstance(reverse, Tensor):
        # What Python takes for `reverse` is another in each version of it.
        builtins.sorted((), reverse=stand_in(reverse.type.present))
        if type(iterable) is list and any(map(is_object, iterable)):
            return _sorted(iterable, key, reverse)
        either_way = functools.partial(_sorted, iterable, key)
        return cond(reverse, lambda: either_way(True), lambda: either_way(False))
    return _sorted(iterable, key, reverse)


def _sorted(iterable: Any, key: Key | None, reverse: bool) -> Any:
    """`sorted(iterable)`, in an order that is known while tracing."""
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
    if isinstance(reverse, Tensor):
        return _by_comparing(items, keys, reverse)[:count]
    known = known_order(keys, compares_itself, reverse, count)
    if known is not None:
        return [items[i] for i in known]
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
    if isinstance(keys, NestList) and keys.element.type in (Member, Perhaps):
        keys = each(lambda item: item.stacked(), keys).listed()
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
        if len(columns) == 1 or any(leaf is not column[0] for leaf in column)
        or (isinstance(column[0], Tensor) and column[0].type.kind != 'array')]
    if not telling:
        return [*range(len(keys))][:count and builtins.max(count, 0)]
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
    own = (user_comparison(x, name) for name in ('__lt__', '__gt__', '__eq__'))
    return is_one_of_few(x) or any(each is not None for each in own)


# Of more objects, the program would be too long.
_MOST_OBJECTS = 16


def _by_comparing(items: list[Any], keys: list[Any], reverse: Any) -> list[Any]:
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
            is_less = functools.partial(compared, first[-1], '<', second[-1])
            is_greater = functools.partial(compared, second[-1], '<', first[-1])
            pairs[i : i + 2] = _exchanged(cond(reverse, is_less, is_greater), first, second)
    return [pair[0] for pair in pairs]


def _exchanged(is_wrong: Any, first: Any, second: Any) -> Any:
    return cond(is_wrong, lambda: (second, first), lambda: (first, second))
