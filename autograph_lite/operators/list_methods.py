"""Methods of a list that holds tensors or objects, or is given a tensor.

Python would ask each comparison for its truth at once, and call methods of the user's as they are.
A list that then has as many items as only the running graph knows becomes one of the graph.
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value, is_tracing
from ..ops.effects import RAISE
from ..ops.flat import Flat
from .calls import call
from .checking import check
from .class_tests import type_of
from .comparing import equal
from .comprehensions import each
from .conditionals import cond
from .deques import Deque
from .effects import Diverged, part_of
from .folding import Folding
from .iterables import staged
from .lengths import len as length_of
from .listing import list_display, listed
from .lists import StagedList
from .logic import not_
from .membership import in_
from .moved import leave
from .nest_lists import NestList
from .numbers_made import bool as bool_
from .operations import operation
from .ordering import compares_itself, is_staged, sorted, staged_list
from .staged_iterable import Staged
from .staging import unchanged
from .text import text
from .tuples import StagedTuple


def _sort(items: list[Any], *, key: Any = None, reverse: bool = False) -> None:
    items[:] = sorted(items, key=key, reverse=reverse)


def fail_to_find(x: Any, kind: str = 'list') -> NoReturn:
    """What `items.index(x)` raises where there is no such element."""
    message: Any = f'{kind}.index(x): x not in {kind}'
    if kind != 'tuple':
        with suppress(StagingError):  # where only the running graph knows how it is shown
            message = text((x, ord('r'), ''), f' is not in {kind}')
    inputs: list[Any] = []
    parts = [part_of(message, inputs)]
    emit(RAISE, inputs, {'error': ValueError, 'parts': parts}, value_of=held_value)
    raise Diverged


def _fail_to_remove() -> NoReturn:
    emit(RAISE, [], {'error': ValueError, 'parts': ['list.remove(x): x not in list']})
    raise Diverged


def equals(items: NestList, x: Any) -> Any:
    """Which elements of a list are equal to this one, as a list."""
    return each(lambda element: bool_(equal(element, x)), items).listed()


def place_in(items: NestList, x: Any) -> Any:
    """`items.index(x)`."""
    return _first(equals(items, x), lambda: fail_to_find(x))


def place_to_remove(items: NestList, x: Any) -> Any:
    """Where the element is that `items.remove(x)` takes out."""
    return _first(equals(items, x), _fail_to_remove)


def _first(found: Any, fail: Callable[[], NoReturn]) -> Any:
    cond(found.count(True) == 0, fail, unchanged)
    return found.index(True)


def _index(items: Sequence[Any], x: Any, *bounds: Any) -> Any:
    if bounds:
        return items.index(x, *bounds)
    return _place(items, x, lambda: fail_to_find(x, 'tuple' if type(items) is tuple else 'list'))


def _place(items: Sequence[Any], x: Any, fail: Callable[[], NoReturn]) -> Any:
    """Where an element is for the first time."""

    def search(start: int) -> Any:
        if start == len(items):
            fail()
        found = equal(items[start], x)
        if isinstance(found, Tensor):
            return cond(found, lambda: start, lambda: search(start + 1))
        return start if found else search(start + 1)

    return search(0)


def _count(items: Sequence[Any], x: Any) -> Any:
    return sum(equal(item, x) + 0 for item in items)


def _remove(items: list[Any], x: Any) -> None:
    """Takes out the first element that is equal, which the user's class says of objects.

    Raises:
      StagingError: only the running graph knows which one.
    """
    place = _place(items, x, _fail_to_remove)
    if isinstance(place, Tensor):
        what = 'Which object is taken out of the list only the running graph knows.'
        fix = 'Let each object tell whether it still counts: `x.counts = False`.'
        raise StagingError(describe(what, user_location(), fix))
    del items[place]


def _by_graph(name: str) -> Callable[..., Any]:
    """A method after which only the running graph knows what is where in the list."""

    def method(items: list[Any], *args: Any) -> Any:
        made = staged_list(items)
        if isinstance(made, NestList) and not made.columns:
            raise _of_containers('A list of empty lists is changed')
        if name == '__setitem__' and _puts_list(items, *args) and isinstance(made, StagedList):
            raise _of_containers('A list is put into a list of lists')
        result = getattr(made, name)(*args)
        leave(items, made)
        return result

    return method


def _puts_list(items: list[Any], index: Any, x: Any) -> bool:
    is_list = type(actual(x)) is list and not isinstance(index, slice)
    return is_list and any(isinstance(actual(each), list | StagedList) for each in items)


def _of_containers(what: str) -> StagingError:
    """The error for a list of lists, of which only the running graph knows what becomes another."""
    return StagingError(
        describe(
            f'{what} at an index that only the running graph knows.',
            user_location(),
            'Change what is at the index in its place: `rows[i].clear()`, `rows[i].extend(row)`.',
        )
    )


def _extend(items: list[Any], more: Any) -> None:
    operation('+=', items, listed(actual(more)))


_METHODS: dict[str, Callable[..., Any]] = {
    'sort': _sort, 'index': _index, 'count': _count,
}  # fmt: skip
# By an index that is a tensor, or by a comparison.
_BY_GRAPH = {name: _by_graph(name) for name in ('pop', 'insert', 'remove')}
set_by_graph, delete_by_graph = _by_graph('__setitem__'), _by_graph('__delitem__')


def is_of_graph(key: Any) -> bool:
    """Whether only the running graph knows an index, or where a slice begins, ends or goes."""
    if isinstance(key, slice):
        return any(isinstance(valued(each), Tensor) for each in (key.start, key.stop, key.step))
    return isinstance(valued(key), Tensor)


def put_by_graph(items: list[Any], place: slice, more: Any) -> None:
    """`items[place] = more`, of as many items as only the running graph knows."""
    if is_of_graph(place) or place.step not in (None, 1):
        set_by_graph(items, place, more)
        return
    start, stop, _ = place.indices(len(items))
    leave(items, list_display('***', items[:start], actual(more), items[max(start, stop):]))


def staged_method(items: Any, name: str, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of a method of a list or a tuple; None where Python does it."""
    method = _METHODS.get(name)
    if name == 'extend' and args and is_of_unknown_length(args[0]):
        method = _extend
    elif name in ('pop', 'insert') and args and isinstance(valued(args[0]), Tensor):
        method = _BY_GRAPH[name]
    elif name == 'remove' and any(map(is_staged, (*items, *args))):
        method = _remove if any(map(compares_itself, items)) else _BY_GRAPH[name]
    elif name == 'remove' and any(map(compares_itself, (*items, *args))):
        method = _remove
    elif not any(is_staged(x) or compares_itself(x) for x in (*items, *args)):
        return None
    if method is None:
        return None
    return lambda *args, **options: method(items, *args, **options)


@replaces(operator.countOf)
def _count_of(iterable: Any, x: Any) -> Any:
    """`operator.countOf(iterable, x)`."""
    return call(listed(iterable).count, x) if is_tracing() else operator.countOf(iterable, x)


@replaces(operator.indexOf)
def _index_of(iterable: Any, x: Any) -> Any:
    """`operator.indexOf(iterable, x)`."""
    if not is_tracing():
        return operator.indexOf(iterable, x)
    items = listed(iterable)
    check(not_(in_(x, items)), 'sequence.index(x): x not in sequence')
    return call(items.index, x)


@replaces(operator.length_hint)
def _length_hint(x: Any, default: int = 0) -> Any:
    """`operator.length_hint(x, default)`."""
    is_known = type_of(x) is type(x) or not hasattr(type_of(x), '__len__')
    return operator.length_hint(x, default) if is_known else length_of(x)


def is_of_unknown_length(x: Any) -> bool:
    """Whether only the running graph knows how many items it has."""
    x = actual(x)
    x = x.listed if isinstance(x, Deque) else x
    if isinstance(x, Folding):
        return not x.is_pythons
    if isinstance(x, StagedList | NestList | StagedTuple):
        return True
    has_rows = isinstance(x, Staged | Flat) or (isinstance(x, Tensor) and x.type.shape)
    rows = staged(x) if has_rows else None
    return rows is not None and rows.length() is None
