"""What a staged `for` runs over: rows of an array, `range`, `enumerate`, `zip`, `reversed`."""
from __future__ import annotations

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import constant, is_tracing
from ..graph.types import ListType, names_of_fields, python_scalar, row_type
from ..ops.calls import class_name
from ..ops.flat import Flat
from ..ops.lists import element_of
from ..ops.strings import StagedText
from .lists import element_of_list
from .moved import check_held
from .nest_lists import NestList
from .staged_iterable import Items, Once, Staged, uncounted
from .tuples import StagedTuple
from .watched import watch_parts


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

    def item(self, leaves: Iterator[Any]) -> Any:
        return element_of_list(next(leaves))

    def length(self) -> int | None:
        type_ = self.array.type
        # What nothing is ever put into has no elements; as yet, in the first round of a loop.
        is_empty = isinstance(type_, ListType) and type_.element is None
        return 0 if is_empty else self.array.static_shape[0]

    def size(self) -> Any:
        from .lengths import len as length_of

        return length_of(self.array)

    def run(self) -> Iterator[Any]:
        if self.length() is None:
            raise uncounted()
        return iter(self.array) if self.length() else iter(())


@dataclass(frozen=True)
class FlatRow(Rows):
    """The items of an array, from a copy in one row."""

    flat: Flat

    def read(self) -> list[Any]:
        return [self.flat]


@dataclass(frozen=True)
class Range(Staged, nest.Stackable):
    """`range` with a bound that is a tensor."""

    stands_for: ClassVar[type[Any] | None] = builtins.range

    start: Any
    stop: Any
    step: Any

    def sources(self) -> list[Any]:
        return [self.start, self.stop, self.step]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('range', next(position), next(position), next(position))

    def items(self) -> Items:
        return [(python_scalar(int), ())]

    def has_items(self) -> bool:
        bounds = self.sources()
        return all(isinstance(x, int) for x in bounds) and bool(builtins.range(*bounds))

    def size(self) -> Any:
        from .extremes import max as greatest
        from .numbers_made import int as number

        start, stop, step = map(number, self.sources())
        return greatest(0, -((start - stop) // step))

    as_condition = size

    def count(self, number: Any) -> Any:
        """`numbers.count(number)`."""
        return self.numbers().count(number)

    def index(self, number: Any) -> Any:
        """`numbers.index(number)`, which the graph does not know to say."""
        what = 'A range whose end only the running graph knows is asked for the place of a number.'
        fix = 'Ask a list: `list(range(...)).index(i)`.'
        raise StagingError(describe(what, user_location(), fix))

    def at(self, index: Any) -> Any:
        """The number at an index that it has."""
        from .numbers_made import int as number

        return number(self.start) + index * number(self.step)

    def numbers(self) -> Any:
        """The list of its numbers, for what asks for more than a loop over them."""
        from .comprehensions import listed_of

        return listed_of(lambda number: number, self)

    def stacked(self) -> Any:
        return self.numbers()

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            what = 'A slice is taken of a range whose end only the running graph knows.'
            fix = 'Give the range these bounds, or slice the list: `list(range(...))[i:j]`.'
            raise StagingError(describe(what, user_location(), fix))
        return self.numbers()[index]

    def run(self) -> Iterator[Any]:
        bounds = self.start, self.stop, self.step
        if any(isinstance(bound, Tensor) for bound in bounds):
            raise uncounted()
        return iter(builtins.range(*bounds))


@dataclass(eq=False)
class Enumerate(Once):
    """`enumerate` of a staged iterable."""

    stands_for = builtins.enumerate

    inner: Staged
    start: Any

    def parts(self) -> tuple[Staged, ...]:
        return (self.inner,)

    def sources(self) -> list[Any]:
        return [*self.inner.sources(), self.start]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('enumerate', self.inner.template(position), next(position))

    def items(self) -> Items:
        return [(python_scalar(int), ()), *self.inner.items()]

    def item(self, leaves: Iterator[Any]) -> Any:
        return (next(leaves), self.inner.item(leaves))

    def run(self) -> Iterator[Any]:
        from .endless import counting_from

        return builtins.zip(counting_from(self.start), self.inner.run(), strict=False)


@dataclass(eq=False)
class Zip(Once):
    """`zip` of staged iterables.

    Attributes:
      strict: whether it is an error that they differ in length, which only the running graph knows.
    """

    stands_for: ClassVar[type[Any] | None] = builtins.zip
    inner: tuple[Staged, ...]
    strict: bool = field(default=False, kw_only=True)

    def parts(self) -> tuple[Staged, ...]:
        return self.inner

    def sources(self) -> list[Any]:
        return [source for part in self.inner for source in part.sources()]

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('zip', *(part.template(position) for part in self.inner))

    def items(self) -> Items:
        return [item for part in self.inner for item in part.items()]

    def item(self, leaves: Iterator[Any]) -> Any:
        return tuple(part.item(leaves) for part in self.inner)

    def length(self) -> int | None:
        lengths = {part.length() for part in self.inner}
        known = [length for length in lengths if length is not None]
        if self.strict and len(lengths) > 1:
            return None
        return min(known) if 0 in known or len(known) == len(lengths) else None

    def size(self) -> Any:
        from .extremes import min as least

        return reduce(least, (part.size() for part in self.inner))

    def equal_sizes(self) -> list[Any]:
        return [part.size() for part in self.inner] if self.strict else []

    def run(self) -> Iterator[Any]:
        return builtins.zip(*(part.run() for part in self.inner), strict=self.strict)


@dataclass(eq=False)
class Elements(Zip):
    """The elements of a list of nests, from the lists of their leaves."""

    stands_for = None

    element: nest.Structure

    def item(self, leaves: Iterator[Any]) -> Any:
        element = nest.unflatten(self.element, super().item(leaves))
        watch_parts(element)
        return element


@dataclass(eq=False)
class Reversed(Once):
    """`reversed` of rows or of a range."""

    inner: Staged

    def parts(self) -> tuple[Staged, ...]:
        return (self.inner,)

    def sources(self) -> list[Any]:
        return self.inner.sources()

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        return ('reversed', self.inner.template(position))

    def items(self) -> Items:
        return self.inner.items()

    def item(self, leaves: Iterator[Any]) -> Any:
        return self.inner.item(leaves)

    def run(self) -> Iterator[Any]:
        return iter([*self.inner.run()][::-1])


def staged(iterable: Any) -> Staged | None:
    """The iterable as a staged one; None if it is Python's.

    While a graph is traced an array is staged too: it is read when the graph runs.
    """
    if isinstance(iterable, Staged):
        return iterable
    if isinstance(iterable, Flat):
        return FlatRow(iterable.value, iterable)
    iterable = valued(iterable) if is_tracing() else iterable
    if isinstance(iterable, StagedTuple):
        iterable = iterable.items
    if isinstance(iterable, np.ndarray) and is_tracing():
        iterable = constant(iterable)
    if isinstance(iterable, NestList):
        return Elements(tuple(Rows(column) for column in iterable.columns), iterable.element)
    if isinstance(iterable, StagedText):
        iterable = iterable.listed()
    if isinstance(iterable, Tensor):
        if names_of_fields(iterable.type.present):
            return None
        if not iterable.static_shape and iterable.type.kind == 'array':
            raise TypeError('iteration over a 0-d array')
        if not iterable.static_shape:
            raise TypeError(f'{class_name(iterable)} object is not iterable')
        return Rows(iterable)
    check_held(iterable)
    return None


def as_range(numbers: range) -> Range:
    """A Python range as a staged one."""
    return Range(numbers.start, numbers.stop, numbers.step)
