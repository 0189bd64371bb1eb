"""Comprehensions and generator expressions: Python's own for Python values, staged for tensors.

    [x * 2 for x in xs if x > 1]    ag.list_of(lambda x: x * 2, xs, where=lambda x: x > 1)
    (x * y for x in xs for y in x)  ag.each(lambda x: ag.each(lambda y: x * y, x), xs, flat=True)

A function of several parameters takes the parts of an item, as `for i, x in ...` does.
"""
from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.graph import Graph
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, is_tracing
from ..graph.trials import trying
from .conditionals import cond
from .folding import Folding
from .iterables import Rows, staged
from .lists import new_list
from .live_kinds import of_comprehension
from .loops import for_loop
from .own_iterators import iterated
from .reachable import Reachable
from .staged_iterable import Staged
from .staging import condition, truth, unchanged
from .unconverted import elements
from .unpacking import unpacked

Body = Callable[..., Any]


def list_of(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Any:
    """`[element(item) for item in iterable if where(item)]`.

    Args:
      element: gives the element for an item; with `flat`, what gives several.
      iterable: a Python iterable, or what a staged `for` runs over.
      where: tells which items count; all, unless told.
      flat: whether `element` is a generator expression whose elements count one by one.

    Returns:
      A Python list; a staged list where only the running graph knows its elements.
    """
    return of_comprehension(listed_of(element, iterable, where=where, flat=flat))


def listed_of(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Any:
    """The same for the library itself, which changes nothing of what it gives."""
    if isinstance(iterable, ReadAsValue):
        return iterable.unchanged_by(
            lambda items: each(element, items, where=where, flat=flat).listed())
    return each(element, iterable, where=where, flat=flat).listed()


def each(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Each:
    """`(element(item) for item in iterable if where(item))`; the same arguments as `list_of`."""
    if not is_tracing():
        return Each(element, iter(iterable), where, flat)
    is_read_later = isinstance(iterable, ReadAsValue)
    items: Any = iterable if is_read_later else items_of(iterable)
    return Each(element, items, where, flat)


def items_of(iterable: Iterable[Any]) -> Iterator[Any] | Staged:
    """What elements are made of while a graph is traced."""
    iterable = iterated(iterable)
    rows = staged(iterable)
    if rows is None and not isinstance(iterable, Folding):
        return elements(iterable)
    return iter(iterable) if rows is None else rows


class Each(Folding, Iterator[Any]):
    """The elements of a generator expression, one after the other; each is there once.

    Args:
      element: gives the element for an item.
      items: what is taken.
      where: tells which items count; None for all.
      flat: whether `element` gives several.
    """

    stands_for: type[Any] | None = types.GeneratorType

    def __init__(
        self, element: Body, items: Iterator[Any] | Staged, where: Body | None, flat: bool
    ) -> None:
        self.element = element
        self.items = items
        self.where = where
        self.flat = flat
        self._graph: Graph | None = current_graph()
        # Those that Python takes one by one.
        self._elements: Iterator[Any] | None = None
        # Whether a loop has taken as many as only the running graph knows.
        self._is_left = False

    def __next__(self) -> Any:
        self._check_taking()
        if self._elements is None:
            self._elements = self._iterate(self.taken())
        return next(self._elements)

    def taken(self) -> Iterator[Any] | Staged:
        """The items, of which all that are staged now are taken."""
        self._check_taking()
        items = self.items
        if isinstance(items, Staged | ReadAsValue):
            self.items = iter(())
        return items

    def left(self) -> Iterator[Any] | Staged:
        """The items, of which something else takes as many as only the running graph knows."""
        items = self.taken()
        self._is_left = True
        return items

    def _check_taking(self) -> None:
        """What is left of it is known here.

        Raises:
          OwnershipError: a staged block takes what was made outside of it.
          StagingError: only the running graph knows what is left.
        """
        if current_graph() is not self._graph:
            raise OwnershipError(
                describe(
                    'A staged block takes the elements of a generator expression, `map` or '
                    '`filter` that was made outside of it; it would do so at every turn.',
                    user_location(),
                    'Make a list, which can be read again.',
                )
            )
        if self._is_left:
            raise StagingError(
                describe(
                    'A generator expression, `map` or `filter` is run over again; what is left of '
                    'it only the running graph knows.',
                    user_location(),
                    'Make a list, which can be read again, or `iter([...])` of it to take from.',
                )
            )

    def _iterate(self, items: Iterator[Any] | Staged) -> Iterator[Any]:
        for item in items:
            if self.where is not None and not decided(applied(self.where, item)):
                continue
            found = applied(self.element, item)
            if self.flat:
                yield from found
            else:
                yield found

    def fold(
        self,
        body: Body,
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """The loop `for element in self: state = body(element, *state)`, staged where need be."""
        asked = None if test is None else self._asking(test)
        if self._elements is not None:
            self._check_taking()
            return for_loop(self._elements, body, *state, test=asked, names=names)
        # In variables of their own, so that what they reach is seen.
        element, where, flat = self.element, self.where, self.flat

        def take(item: Any, *state: Any) -> Any:
            found = applied(element, item)
            if flat:
                return found.fold(body, *state, test=test)
            return body(found, *state)

        def turn(item: Any, *state: Any) -> Any:
            if where is None:
                return take(item, *state)
            chosen = applied(where, item)
            return cond(chosen, lambda *state: take(item, *state), unchanged, *state)

        code = self.element.__code__
        items = code.co_varnames[: code.co_argcount]
        return for_loop(self.taken(), turn, *state, test=asked, names=names, items=items)

    def _asking(self, test: Callable[..., Any]) -> Callable[..., Any]:
        """The test of a loop over it, which tells whether what is left of it is known then."""
        is_staged = isinstance(self.items, Staged)

        def asked(*state: Any) -> Any:
            going_on = test(*state)
            self._is_left |= is_staged or isinstance(condition(going_on), Tensor)
            return going_on

        return asked

    @property
    def is_chosen(self) -> bool:
        """Whether an item may give no element, or several."""
        return self.where is not None or self.flat

    @property
    def is_counted(self) -> bool:
        """Whether it is known while tracing how many items it takes the elements from."""
        items = self.items
        if isinstance(items, Folding):
            return items.is_pythons
        return not isinstance(items, Staged) or items.length() is not None

    @property
    def is_pythons(self) -> bool:
        if isinstance(self.items, ReadAsValue):
            return False
        is_started = self._elements is not None
        return is_started or (self.is_counted and self.where is None)

    def listed(self) -> Any:
        """The list of the elements."""
        if not is_tracing():
            return list(self)
        if not isinstance(self.items, Staged):
            return self.fold(_append, [])
        ways: list[Callable[[], Any]] = [lambda: self.fold(_append, new_list([]))]
        if self.where is None and self.is_counted:
            ways.append(lambda: list(self))
        start, items = checkpoint(), self.items
        reached = Reachable(self.element, self.where, items)
        for way in ways:
            with trying():
                try:
                    return way()
                except (StagingError, OwnershipError):
                    undo(start)
                    reached.restore()
                    self.items, self._elements = items, None
        return self.fold(_append, [])

    def summed(self, start: Any) -> Any:
        """The sum of the elements and what is there before them."""
        items = self.items
        if isinstance(items, Rows) and items.length() and not self.flat and self.where is None:
            rows: Any = items.array
            start = start + applied(self.element, rows[0])  # it may be an array
            self.items = Rows(rows[1:])
        return self.fold(lambda element, total: total + element, start, names=['the sum'])


def _append(element: Any, elements: Any) -> Any:
    elements.append(element)
    return elements


def applied(function: Callable[..., Any], item: Any) -> Any:
    """The function of an item, or of its parts if it takes several."""
    count = function.__code__.co_argcount
    return function(*unpacked(item, (None,) * count)) if count > 1 else function(item)


def decided(condition: Any) -> bool:
    """Whether a condition holds that is no tensor.

    Raises:
      StagingError: it is one, so only the running graph knows which elements there are.
    """
    if isinstance(condition, Tensor):
        truth(condition)
        raise StagingError(
            describe(
                'The condition of this comprehension is a tensor, and Python itself takes its '
                'elements.',
                user_location(),
                'Make it a list, `[... for x in xs if ...]`, and go on with that.',
            )
        )
    return bool(condition)
