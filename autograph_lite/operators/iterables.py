"""What a staged `for` runs over: rows of an array, `range`, `enumerate`, `zip`, `reversed`.

A staged iterable flattens into the sources that it reads when the graph runs (arrays, bounds), and
its item is a nest of tensors, made anew for each body that is traced.
"""
from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.tensor import Memory, Tensor, valued
from ..graph.tracing import constant, is_tracing
from ..graph.types import ListType, TensorType, python_scalar, row_type
from ..ops.lists import element_of
from .nest_lists import NestList
from .watched import watch_parts

# (type, memory) of each leaf of one turn's item.
Items = list[tuple[TensorType, Memory]]


class Staged:
    """An iterable that only the running graph can iterate over."""

    def sources(self) -> list[Any]:
        """The tensors and numbers that it reads."""
        raise NotImplementedError

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        """Its entry in `attrs['iterable']`, with the next positions for its sources."""
        raise NotImplementedError

    def items(self) -> Items:
        """The leaves of one turn's item."""
        raise NotImplementedError

    def item(self, leaves: Iterator[Any]) -> Any:
        """One turn's item, of the next leaves."""
        return next(leaves)

    def length(self) -> int | None:
        """How many turns it makes, where that is known while tracing."""
        return None

    def __iter__(self) -> Iterator[Any]:
        """Python's own iteration, where the length is known; it unrolls."""
        raise NotImplementedError


class Folding:
    """An iterable that runs a loop over itself."""

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """`for item in self: state = body(item, *state)`, as `for_loop` gives it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Rows(Staged):
    """The rows of an array; the elements of a vector."""

    array: Tensor

    def sources(self) -> list[Any]:
        return [self.array]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('rows', next(position))

    def items(self) -> Items:
        type_ = self.array.type
        if isinstance(type_, ListType):
            return [(element_of(type_), self.array.memory)]
        return [(row_type(type_), self.array.memory)]

    def length(self) -> int | None:
        type_ = self.array.type
        # What nothing is ever put into has no elements; as yet, in the first round of a loop.
        is_empty = isinstance(type_, ListType) and type_.element is None
        return 0 if is_empty else self.array.static_shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.array)


@dataclass(frozen=True)
class Range(Staged):
    """`range` with a bound that is a tensor."""

    start: Any
    stop: Any
    step: Any

    def sources(self) -> list[Any]:
        return [self.start, self.stop, self.step]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('range', next(position), next(position), next(position))

    def items(self) -> Items:
        return [(python_scalar(int), ())]

    def __iter__(self) -> Iterator[Any]:
        return iter(builtins.range(self.start, self.stop, self.step))


@dataclass(frozen=True)
class Enumerate(Staged):
    """`enumerate` of a staged iterable."""

    inner: Staged
    start: Any

    def sources(self) -> list[Any]:
        return [*self.inner.sources(), self.start]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('enumerate', self.inner.template(position), next(position))

    def items(self) -> Items:
        return [(python_scalar(int), ()), *self.inner.items()]

    def item(self, leaves: Iterator[Any]) -> Any:
        return (next(leaves), self.inner.item(leaves))

    def length(self) -> int | None:
        return self.inner.length()

    def __iter__(self) -> Iterator[Any]:
        return builtins.enumerate(self.inner, self.start)


@dataclass(frozen=True)
class Zip(Staged):
    """`zip` of staged iterables."""

    inner: tuple[Staged, ...]

    def sources(self) -> list[Any]:
        return [source for part in self.inner for source in part.sources()]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('zip', *(part.template(position) for part in self.inner))

    def items(self) -> Items:
        return [item for part in self.inner for item in part.items()]

    def item(self, leaves: Iterator[Any]) -> Any:
        return tuple(part.item(leaves) for part in self.inner)

    def __iter__(self) -> Iterator[Any]:
        return builtins.zip(*self.inner, strict=False)


@dataclass(frozen=True)
class Elements(Zip):
    """The elements of a list of nests, from the lists of their leaves."""

    element: nest.Structure

    def item(self, leaves: Iterator[Any]) -> Any:
        element = nest.unflatten(self.element, super().item(leaves))
        watch_parts(element)
        return element


@dataclass(frozen=True)
class Reversed(Staged):
    """`reversed` of rows or of a range."""

    inner: Staged

    def sources(self) -> list[Any]:
        return self.inner.sources()

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('reversed', self.inner.template(position))

    def items(self) -> Items:
        return self.inner.items()

    def __iter__(self) -> Iterator[Any]:
        rows: list[Any] = list(self.inner)
        return iter(rows[::-1])


def staged(iterable: Any) -> Staged | None:
    """The iterable as a staged one; None if it is Python's.

    While a graph is traced an array is staged too: it is read when the graph runs.
    """
    if isinstance(iterable, Staged):
        return iterable
    iterable = valued(iterable) if is_tracing() else iterable
    if isinstance(iterable, np.ndarray) and is_tracing():
        iterable = constant(iterable)
    if isinstance(iterable, NestList):
        return Elements(tuple(Rows(column) for column in iterable.columns), iterable.element)
    if isinstance(iterable, Tensor):
        if not iterable.static_shape:
            raise TypeError('iteration over a 0-d array')
        return Rows(iterable)
    return None


def as_range(numbers: range) -> Range:
    """A Python range as a staged one."""
    return Range(numbers.start, numbers.stop, numbers.step)
