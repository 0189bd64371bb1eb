"""Functions of `itertools` that choose elements: which ones, only the running graph may know.

    for x in itertools.takewhile(lambda x: x < limit, xs):
        total += x
"""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .calls import call
from .checking import check
from .comprehensions import Each, decided, each, items_of
from .conditionals import cond
from .endless import Endless, Repeat
from .iterable_builtins import range as numbers_to
from .iterable_builtins import zip as together
from .iterables import Range
from .iterators import next as next_of
from .lists import StagedList
from .logic import and_, not_
from .loop_turns import as_state
from .loops import for_loop
from .nest_lists import NestList
from .numbers_made import bool as truth_of
from .own_methods import items
from .staged_iterable import Staged
from .staging import unchanged

_Test = Callable[..., Any]


@replaces(itertools.filterfalse)
def _filterfalse(function: _Test | None, iterable: Any) -> Any:
    if not is_tracing():
        return itertools.filterfalse(function, iterable)
    if function is None:
        return each(_itself, iterable, where=not_)
    return each(_itself, iterable, where=lambda item: not_(call(function, item)))


@replaces(itertools.compress)
def _compress(data: Any, selectors: Any) -> Any:
    if not is_tracing():
        return itertools.compress(data, selectors)
    return each(lambda pair: pair[0], together(data, selectors), where=lambda pair: pair[1])


@replaces(itertools.starmap)
def _starmap(function: Callable[..., Any], iterable: Any) -> Any:
    if not is_tracing():
        return itertools.starmap(function, iterable)
    return each(lambda arguments: call(function, *arguments), iterable)


@replaces(itertools.pairwise)
def _pairwise(iterable: Any) -> Any:
    elements = valued(iterable)
    if isinstance(elements, Tensor | StagedList | NestList):
        rest: Any = elements
        return together(elements, rest[1:])
    return itertools.pairwise(elements)


@replaces(itertools.repeat)
def _repeat(element: Any, *times: Any, **named: Any) -> Any:
    times = (*times, *named.values())
    if not is_tracing():
        return itertools.repeat(element, *times)
    if not times:
        return Repeat(element)
    return each(lambda _: element, numbers_to(*times))


@replaces(itertools.takewhile)
def _takewhile(predicate: _Test, iterable: Any) -> Any:
    if not is_tracing():
        return itertools.takewhile(predicate, iterable)
    return _Taking(lambda item: call(predicate, item), iterable)


@replaces(itertools.dropwhile)
def _dropwhile(predicate: _Test, iterable: Any) -> Any:
    if not is_tracing():
        return itertools.dropwhile(predicate, iterable)
    return _Dropping(lambda item: call(predicate, item), iterable)


_NEGATIVE = 'Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.'


@replaces(itertools.islice)
def _islice(iterable: Any, *bounds: Any) -> Any:
    bounds = tuple(map(valued, bounds))
    if not is_tracing() or not any(isinstance(bound, Tensor) for bound in bounds):
        return itertools.islice(iterable, *bounds)
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, None)[:3]
    start, step = 0 if start is None else start, 1 if step is None else step
    check(step < 1, 'Step for islice() must be a positive integer or None.')
    for bound in (start, stop):
        if bound is not None:
            check(bound < 0, _NEGATIVE)
    iterable = valued(iterable)
    if isinstance(iterable, (tuple, range)):
        iterable = list(iterable)
    if isinstance(iterable, (Tensor, StagedList, NestList, list, Range)):
        return each(_itself, items(iterable)[start:stop:step])
    if isinstance(iterable, Endless) and stop is not None and (start, step) == (0, 1):
        return each(lambda _: next_of(iterable), numbers_to(stop))
    raise StagingError(
        describe(
            'Where `islice` ends only the running graph knows, and it takes from an iterator.',
            user_location(),
            'Take a slice of the array or list itself, or count in the loop and `break`.',
        )
    )


def _itself(x: Any) -> Any:
    return x


class _Deciding(Each):
    """Elements of which a predicate decides until it has decided once.

    Args:
      predicate: of an element.
      iterable: what is taken from.
    """

    def __init__(self, predicate: _Test, iterable: Any) -> None:
        super().__init__(_itself, items_of(iterable), predicate, False)
        self._predicate = predicate

    def takes(self, before: Any, item: Any) -> tuple[Any, Any]:
        """Whether an item counts, and whether the predicate still held.

        Args:
          before: whether it held of all items before.
          item: the item.
        """
        raise NotImplementedError

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        if self._elements is not None:
            return super().fold(body, *state, test=test, names=names)
        size = len(state)

        def turn(item: Any, before: Any, *state: Any) -> Any:
            counts, holds = self.takes(before, item)
            after = cond(counts, lambda *state: body(item, *state), unchanged, *state)
            return (holds, *as_state(after, size)) if size else holds

        asked = self._going_on(test)
        names = ('holds', *names) if names else ()
        found = for_loop(self.taken(), turn, True, *state, test=asked, names=names)
        after = as_state(found, size + 1)[1:]
        return unchanged(*after)

    def _going_on(self, test: _Test | None) -> _Test | None:
        return None if test is None else self._asking(lambda _, *state: test(*state))


class _Taking(_Deciding):
    """`itertools.takewhile(predicate, iterable)`."""

    stands_for = itertools.takewhile

    def takes(self, before: Any, item: Any) -> tuple[Any, Any]:
        holds = truth_of(self._predicate(item))
        return holds, holds

    def _going_on(self, test: _Test | None) -> _Test:
        def asked(holds: Any, *state: Any) -> Any:
            return holds if test is None else and_(holds, lambda: test(*state))

        return self._asking(asked)

    def _iterate(self, items: Iterator[Any] | Staged) -> Iterator[Any]:
        return itertools.takewhile(lambda item: decided(self._predicate(item)), items)


class _Dropping(_Deciding):
    """`itertools.dropwhile(predicate, iterable)`."""

    stands_for = itertools.dropwhile

    def takes(self, before: Any, item: Any) -> tuple[Any, Any]:
        holds = and_(before, lambda: truth_of(self._predicate(item)))
        return not_(holds), holds

    def _iterate(self, items: Iterator[Any] | Staged) -> Iterator[Any]:
        return itertools.dropwhile(lambda item: decided(self._predicate(item)), items)
