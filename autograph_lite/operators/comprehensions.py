"""Comprehensions and generator expressions: Python's own for Python values, staged for tensors.

    [x * 2 for x in xs if x > 1]    ag.list_of(lambda x: x * 2, xs, where=lambda x: x > 1)
    (x * y for x in xs for y in x)  ag.each(lambda x: ag.each(lambda y: x * y, x), xs, flat=True)

A function of several parameters takes the parts of an item, as `for i, x in ...` does.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph.graph import Graph
from ..graph.tensor import Tensor
from ..graph.tracing import checkpoint, current_graph, is_tracing, undo
from .conditionals import cond, unchanged
from .iterables import Folding, Rows, Staged, staged
from .lists import new_list
from .loops import for_loop
from .staging import truth
from .state import Snapshot

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
    return each(element, iterable, where=where, flat=flat).listed()


def each(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Each:
    """`(element(item) for item in iterable if where(item))`; the same arguments as `list_of`."""
    rows = staged(iterable) if is_tracing() else None
    return Each(element, iter(iterable) if rows is None else rows, where, flat)


@dataclass(eq=False)
class Each(Folding, Iterator[Any]):
    """The elements of a generator expression, one after the other; each is there once."""

    element: Callable[..., Any]
    items: Iterator[Any] | Staged
    where: Callable[..., Any] | None
    flat: bool
    _elements: Iterator[Any] | None = None
    _graph: Graph | None = field(default_factory=current_graph)

    def __next__(self) -> Any:
        if self._elements is None:
            self._elements = self._iterate(self._taken())
        return next(self._elements)

    def _taken(self) -> Iterator[Any] | Staged:
        """The items, which now are taken.

        Raises:
          OwnershipError: a staged block takes what was made outside of it.
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
        items, self.items = self.items, iter(())
        return items

    def _iterate(self, items: Iterator[Any] | Staged) -> Iterator[Any]:
        for item in items:
            if self.where is not None and not _decided(_apply(self.where, item)):
                continue
            found = _apply(self.element, item)
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
        # In variables of their own, so that what they reach is seen.
        element, where, flat = self.element, self.where, self.flat

        def take(item: Any, *state: Any) -> Any:
            found = _apply(element, item)
            if flat:
                return found.fold(body, *state, test=test)
            return body(found, *state)

        def turn(item: Any, *state: Any) -> Any:
            if where is None:
                return take(item, *state)
            chosen = _apply(where, item)
            return cond(chosen, lambda *state: take(item, *state), unchanged, *state)

        code = self.element.__code__
        items = code.co_varnames[: code.co_argcount]
        return for_loop(self._taken(), turn, *state, test=test, names=names, items=items)

    def listed(self) -> Any:
        """The list of the elements."""
        if not is_tracing():
            return list(self)
        if not isinstance(self.items, Staged):
            return self.fold(_append, [])
        start, items = checkpoint(), self.items
        snapshot = Snapshot(('', self.element), ('', self.where))
        try:
            return self.fold(_append, new_list([]))
        except (StagingError, OwnershipError):
            undo(start)
            snapshot.rollback()
            self.items = items
        if self.where is None and self.items.length() is not None:
            return list(self)
        return self.fold(_append, [])

    def summed(self, start: Any) -> Any:
        """The sum of the elements and what is there before them."""
        items = self.items
        if isinstance(items, Rows) and items.length() and not self.flat and self.where is None:
            rows: Any = items.array
            start = start + _apply(self.element, rows[0])  # it may be an array
            self.items = Rows(rows[1:])
        return self.fold(lambda element, total: total + element, start)


def _append(element: Any, elements: Any) -> Any:
    elements.append(element)
    return elements


def _apply(function: Callable[..., Any], item: Any) -> Any:
    """The function of an item, or of its parts if it takes several."""
    is_many = function.__code__.co_argcount > 1
    return function(*item) if is_many else function(item)


def _decided(condition: Any) -> bool:
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
