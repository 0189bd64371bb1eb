"""`iter` and `next`: how far an iterator has come is state of the staged blocks that take from it.

    numbers = ag.iter(xs)
    for _ in ag.range(n):
        total += ag.next(numbers)
"""
from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing, unwrap
from ..graph.trials import trying
from ..ops.effects import RAISE
from .block_ways import returned_by_blocks, what_it_may_be
from .blocks_around import check_taken
from .calls import call
from .class_tests import type_of
from .comprehensions import listed_of
from .conditionals import cond
from .effects import Diverged
from .endless import Endless
from .folding import Folding
from .iterable_builtins import range as numbers_from
from .iterables import Range, staged
from .lengths import len as length_of
from .lists import StagedList
from .logic import and_, not_
from .loop_turns import Loop
from .loops import for_loop, while_loop
from .membership import item
from .nest_lists import NestList
from .optional_nests import Perhaps
from .optional_objects import closed_object
from .own_iterators import iterator_of
from .progress import Collection, Progress
from .reachable import Reachable
from .staged_iterable import Once
from .staged_loops import stage_while
from .staging import unchanged
from .tries import try_
from .unconverted import converting
from .untold import taken
from .watched import is_watched, watch
from .whole_reads import check_whole


@replaces(builtins.iter)
def iter(x: Any, *sentinel: Any) -> Any:
    """`iter(x)`; of an array, a list, a tuple or a range, one that a staged block can take from."""
    if not is_tracing():
        return builtins.iter(x, *sentinel)
    if sentinel:
        return builtins.iter(converting(x), *sentinel)
    x = valued(x)
    if isinstance(x, Once):
        return x
    if isinstance(x, Collection) and x.python_class is list:
        x = x.in_order()
    if type(x) is Tensor and x.type.shape == ():
        staged(x)  # which says that it is not iterable
    if isinstance(x, (Tensor, StagedList, NestList, Range)) or type(x) in (list, tuple, range):
        return SequenceIterator(x)
    check_whole(x)
    return builtins.iter(iterator_of(x))


@replaces(np.iterable)
def _is_iterable(x: Any) -> bool:
    """`np.iterable(x)`, of what stands for something by its class."""
    if type(x) is Tensor and x.type.kind == 'array':
        return x.type.shape != ()
    return np.iterable(x) if type_of(x) is type(x) else hasattr(type_of(x), '__iter__')


@replaces(builtins.next)
def next(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`, or `next(iterator, default)`.

    Raises:
      StopIteration: there is no more; when the graph runs, if only then that is known.
    """
    if not is_tracing():
        return builtins.next(iterator, *default)
    if isinstance(iterator, SequenceIterator):
        return iterator.take(*default)
    if isinstance(iterator, Endless):
        return builtins.next(iterator)
    if isinstance(iterator, Once) or (isinstance(iterator, Folding) and not iterator.is_pythons):
        return _first(iterator, *default)
    method = inspect.getattr_static(type(iterator), '__next__', None)
    if not isinstance(method, types.FunctionType) or isinstance(iterator, Folding):
        check_taken(iterator)
        return taken(iterator, *default)
    taking = types.MethodType(method, iterator)
    if not default:
        return call(taking)
    return try_(lambda: call(taking), [(lambda: StopIteration, lambda _: default[0])])


def _first(elements: Any, *default: Any) -> Any:
    """The first element of what only a loop goes over; if there is none, the default."""
    found, first = for_loop(
        elements, lambda element, *_: (True, element), False, default[0] if default else None,
        test=lambda found, _: not_(found), names=['<found>', 'the element'])
    if default:
        return first
    if not isinstance(found, Tensor) and not found:
        raise StopIteration
    cond(found, unchanged, _stop)
    if isinstance(first, Perhaps):
        return _sure(first)
    return unwrap(first, sure=True) if isinstance(first, Tensor) else first


def _sure(first: Perhaps) -> Any:
    """What may be None, where it is there: an object itself, not what stands for it."""
    found, joined = closed_object(first.sure()), actual(closed_object(first.nest))
    if found is not joined:
        returned_by_blocks().append((found, what_it_may_be(joined) or [joined]))
        if is_watched(id(joined)):
            watch(found)
    return found


class SequenceIterator(Progress, Folding, Iterator[Any]):
    """What goes through an array, a list, a tuple or a range once.

    Attributes:
      sequence: what it goes through.
      position: how many of the elements are taken.
    """

    def __init__(self, sequence: Any) -> None:
        self.sequence = sequence
        self.position: Any = 0
        _ = self._length  # an array without axes has none

    @property
    def is_pythons(self) -> bool:
        return not isinstance(self.has_more(), Tensor)

    def take(self, *default: Any) -> Any:
        """The next element; if there is none, the default."""
        more = self.has_more()
        if default:
            return cond(more, self.taken, lambda: default[0])
        if not isinstance(more, Tensor) and not more:
            raise StopIteration
        cond(more, unchanged, _stop)
        return self.taken()

    def __next__(self) -> Any:
        """The next element, for Python itself, which must know whether there is one.

        Raises:
          StagingError: only the running graph knows.
        """
        if isinstance(self.has_more(), Tensor):
            raise StagingError(
                describe(
                    'Python itself takes from an iterator here; whether there is more to take only '
                    'the running graph knows.',
                    user_location(),
                    'Take it by `next(...)` or in a `for` statement.',
                )
            )
        return self.take()

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """The loop `for element in self: state = body(element, *state)`."""
        if isinstance(self.position, _Lent):
            raise _TakesToo
        rows = staged(self._items)
        start, reached = checkpoint(), Reachable(body, *state)
        # What is left of a list is a list of its own, which the body does not change.
        is_list = isinstance(self._items, (StagedList, NestList)) and (
            isinstance(self.position, Tensor) or self.position > 0)
        may_lend = rows is not None and not is_list
        if test is None and (may_lend or isinstance(self.sequence, range)):
            position, self.position = self.position, _Lent()
            rest = self._rest(position)
            with trying():
                try:
                    state = for_loop(rest, body, *state, names=names)
                    self.position = self._length
                    return state
                except _TakesToo:
                    undo(start)
                    reached.restore()
                finally:
                    if isinstance(self.position, _Lent):
                        self.position = position

        def going_on(*state: Any) -> Any:
            return self.has_more() if test is None else and_(test(*state), self.has_more)

        def turn(*state: Any) -> Any:
            return body(self.taken(), *state)

        if rows is None:
            return while_loop(going_on, turn, *state, names=names)
        return stage_while(Loop(None, going_on, turn, state, names))

    def listed(self) -> Any:
        """The list of the elements that are left."""
        if isinstance(self.has_more(), Tensor):
            return listed_of(lambda element: element, self)
        return [*self]

    def _rest(self, position: Any) -> Any:
        """What is left from a position on."""
        if not isinstance(position, Tensor) and position == 0:
            return self._items
        if isinstance(self.sequence, (range, Range)):
            numbers = self.sequence
            return numbers_from(
                numbers.start + position * numbers.step, numbers.stop, numbers.step)
        return self._items[position:]

    @property
    def _items(self) -> Any:
        """What the sequence has become since."""
        return actual(self.sequence)

    @property
    def _length(self) -> Any:
        if isinstance(self.sequence, Range):
            return self.sequence.size()
        return length_of(self._items)

    def has_more(self) -> Any:
        """Whether there is an element at the position."""
        return self.position < self._length

    def taken(self) -> Any:
        """The element at the position, which goes on."""
        position, self.position = self.position, self.position + 1
        if isinstance(self.sequence, range):
            return self.sequence.start + position * self.sequence.step
        if isinstance(self.sequence, Range):
            return self.sequence.at(position)
        return item(self.sequence, position)


class _TakesToo(Exception):
    """The body of a loop over an iterator takes from it, too."""


class _Lent:
    """The position of an iterator while a loop runs over all that is left of it."""

    def __lt__(self, other: object) -> Any:
        raise _TakesToo


def _stop() -> Any:
    emit(RAISE, [], {'error': StopIteration, 'parts': []})
    raise Diverged
