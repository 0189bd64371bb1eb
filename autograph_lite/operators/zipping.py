"""`enumerate` and `zip` of what runs a loop over itself: `filter`, a generator expression, `iter`.

    for i, x in enumerate(filter(f, xs)):    each turn of the loop over `filter` counts one on
    for x, y in zip(filter(f, xs), ys):      and takes one of `ys`, up to where there is none
"""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.checkpoints import checkpoint
from ..graph.state import valued
from ..graph.tensor import Tensor
from .checking import check
from .comprehensions import Each, applied, each, listed_of
from .conditionals import cond
from .endless import Endless
from .extremes import min as least
from .folding import Folding
from .iterables import Range, Zip, as_range, staged
from .iterators import SequenceIterator
from .logic import and_, not_, or_
from .loop_turns import as_state
from .nest_lists import NestList
from .progress import Progress
from .staged_iterable import Staged
from .staging import graph_now, unchanged


class Numbered(Progress, Folding, Iterator[Any]):
    """`enumerate` of what runs a loop over itself.

    Attributes:
      number: the number of the next item.
    """

    stands_for = enumerate

    def __init__(self, items: Any, start: Any) -> None:
        self.items = items
        self.number = start

    @property
    def is_pythons(self) -> bool:
        return self.items.is_pythons  # type: ignore[no-any-return]

    def __next__(self) -> Any:
        return self._numbered(next(self.items))

    def _numbered(self, item: Any) -> Any:
        number, self.number = self.number, self.number + 1
        return number, item

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """The loop `for numbered in self: state = body(numbered, *state)`."""

        def turn(item: Any, *state: Any) -> Any:
            return body(self._numbered(item), *state)

        return self.items.fold(turn, *state, test=test, names=names)

    def listed(self) -> Any:
        """The list of the items with their numbers."""
        return listed_of(lambda numbered: numbered, self)


_Part = SequenceIterator | Endless


class Zipped(Progress, Folding, Iterator[Any]):
    """`zip` of what runs a loop over itself with what can be taken from.

    Attributes:
      first: what is taken from before it.
      items: what runs a loop over itself.
      rest: what is taken from behind it.
      is_over: whether one of these had no more.
    """

    stands_for = zip

    def __init__(self, first: Sequence[_Part], items: Any, rest: Sequence[_Part]) -> None:
        self.first = first
        self.items = items
        self.rest = rest
        self.is_over: Any = False

    @property
    def is_pythons(self) -> bool:
        return all(part.is_pythons for part in (*self.first, self.items, *self.rest))

    def __next__(self) -> Any:
        found = []
        for part in (*self.first, self.items, *self.rest):
            found.append(next(part))
        return tuple(found)

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """The loop `for items in self: state = body(items, *state)`."""

        def going_on(*state: Any) -> Any:
            asked = True if test is None else test(*state)
            return and_(asked, lambda: not_(self.is_over), lambda: _have_more(self.first))

        def take(item: Any, *state: Any) -> Any:
            first, rest = ([_next(part) for part in parts] for parts in (self.first, self.rest))
            return body((*first, item, *rest), *state)

        def end(*state: Any) -> Any:
            self.is_over = True
            _ask(self.first)
            _ask(self.rest)
            return unchanged(*state)

        def turn(item: Any, *state: Any) -> Any:
            more = _have_more(self.rest)
            return cond(more, lambda *state: take(item, *state), end, *state)

        def ask_before() -> None:
            _ask(self.first)

        results = self.items.fold(turn, *state, test=going_on, names=names)
        if any(isinstance(part, Endless) for part in self.first):
            is_left = not_(True if test is None else test(*as_state(results, len(state))))
            cond(or_(is_left, lambda: self.is_over), unchanged, ask_before)
        return results

    def listed(self) -> Any:
        """The list of the tuples."""
        return listed_of(lambda items: items, self)


def _have_more(parts: Sequence[_Part]) -> Any:
    """Whether there is one more in each."""
    asked = [part.has_more for part in parts if isinstance(part, SequenceIterator)]
    return functools.reduce(and_, asked, True)


def _next(part: _Part) -> Any:
    """The next of what has one."""
    return next(part) if isinstance(part, Endless) else part.taken()


def _ask(parts: Sequence[_Part]) -> None:
    """Takes of what never ends, up to where another part has no more."""
    for i, part in enumerate(parts):
        if isinstance(part, Endless):
            cond(_have_more(parts[:i]), functools.partial(_skip, part), unchanged)


def _skip(part: Endless) -> None:
    next(part)


def zipped(iterables: Sequence[Any], strict: bool) -> Any:
    """`zip(*iterables)` of what is not staged as a whole; None where Python takes from all.

    Raises:
      StagingError: only the running graph knows which elements of several belong together.
    """
    uncounted = [i for i, part in enumerate(iterables) if _is_uncounted(part)]
    if not uncounted or sum(isinstance(part, SequenceIterator) for part in iterables) > 1:
        return None
    if all(_is_mapped(part) or _rows(part) is not None for part in iterables):
        return _mapped(iterables, strict)
    folding = [
        i for i, part in enumerate(iterables)
        if isinstance(part, Folding) and not isinstance(part, Endless)]
    driving = (folding or uncounted)[0]
    others = [part for i, part in enumerate(iterables) if i != driving]
    if strict or not all(map(_is_sequence, others)):
        raise StagingError(
            describe(
                'Which elements `zip` puts together here only the running graph knows.',
                user_location(),
                'Make lists first of what it takes from: `zip(list(a), list(b))`.',
            )
        )
    items = iterables[driving]
    parts = [part if isinstance(part, Endless) else SequenceIterator(part) for part in others]
    driver = items if isinstance(items, Folding) else SequenceIterator(items)
    return Zipped(parts[:driving], driver, parts[driving:])


def _is_uncounted(part: Any) -> bool:
    """Whether only the running graph knows how many elements there are, and perhaps which."""
    if isinstance(part, Each):
        return part.is_chosen or not part.is_counted
    if isinstance(part, Folding):
        return not part.is_pythons
    rows = staged(part)
    return rows is not None and rows.length() is None


def _is_mapped(part: Any) -> bool:
    """Whether each of its elements is made of one staged item."""
    return type(part) is Each and isinstance(part.items, Staged) and not part.is_chosen


def _is_sequence(part: Any) -> bool:
    """Whether it has items of which nobody sees how many are taken, or never ends."""
    return type(part) in (list, tuple, range) or isinstance(
        valued(part), (Tensor, NestList, Range, Endless, np.ndarray))


def _rows(part: Any) -> Staged | None:
    if isinstance(part, Folding):
        return None
    return staged(as_range(part) if isinstance(part, range) else part)


def _mapped(iterables: Sequence[Any], strict: bool) -> Each:
    """One generator expression of the items, to which the functions of all are applied."""
    functions = [part.element if isinstance(part, Each) else None for part in iterables]
    rows = [_rows(part.left() if isinstance(part, Each) else part) for part in iterables]
    parts = tuple(part for part in rows if part is not None)
    lengths = {part.length() for part in parts}
    is_even = len(lengths) == 1 and None not in lengths

    def elements(items: Any) -> Any:
        start = checkpoint()
        pairs = zip(functions, items, strict=True)
        found = tuple(item if f is None else applied(f, item) for f, item in pairs)
        if not is_even and any(node.effect for node in graph_now().nodes[start.nodes :]):
            raise _asks_once_more()
        return found

    return each(elements, Zip(parts, strict=strict and not is_even))


def _asks_once_more() -> StagingError:
    """Python has called the function of one before it finds that the next has no more."""
    return StagingError(
        describe(
            'A function that has an effect is called for the elements of a `zip`, which may be of '
            'different lengths.',
            user_location(),
            'Make a list of its results first: `zip(list(a), b)`.',
        )
    )


def check_equal(sizes: Sequence[Any]) -> None:
    """Raises what `zip(strict=True)` does where not all are as long as the first."""
    shortest = functools.reduce(least, sizes)
    for i, size in enumerate(sizes[1:], 1):
        is_first = and_(sizes[0] > shortest, functools.partial(operator.eq, size, shortest))
        check(is_first, f'zip() argument {i + 1} is shorter than {_first(i)}')
    for i, size in enumerate(sizes[1:], 1):
        check(size > shortest, f'zip() argument {i + 1} is longer than {_first(i)}')


def _first(count: int) -> str:
    return 'argument 1' if count == 1 else f'arguments 1-{count}'
