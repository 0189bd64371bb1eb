"""What is known of a value while the body of a loop is read as a program on arrays."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.graph import Graph, Value
from ..graph.tensor import Tensor
from ..graph.types import TensorType, python_scalar
from .integer_ranges import Range
from .rewriting import constant
from .scalar_loops import BOOL, INT

# How large a number may be that is no integer of 64 bits.
ANY: Range = (-(2**200), 2**200)


@dataclass(frozen=True)
class Span:
    """What a loop counts.

    Attributes:
      first: where it begins, a number or what is one when the program runs.
      last: where it ends, likewise.
      step: how far a turn goes.
      rows: the array whose elements are the items, if one's are.
      counts: whether the counter is an item.
    """

    first: Value | int
    last: Value | int
    step: int
    rows: Value | None = None
    counts: bool = True

    @property
    def known(self) -> tuple[int | None, int | None]:
        """The bounds, where they are known."""
        first, last = (
            x if isinstance(x, int) else constant(x) for x in (self.first, self.last))
        return first, last


@dataclass(frozen=True)
class Turns:
    """What many turns add to each state of a loop.

    Attributes:
      block: a graph that gives it for an array of counters, and what it reads from outside.
      added: for each state whether the block has a result for it.
      span: what the loop counts.
      numbers: those from outside that the test looks at.
      inputs: all that is read from outside.
      bits: how large the numbers and the counters may be.
    """

    block: Graph
    added: list[bool]
    span: Span
    numbers: list[Value]
    inputs: list[Value]
    bits: int


class UnfitError(Exception):
    """The loop is to run as it is."""


def is_integer(type_: TensorType) -> bool:
    """Whether it is a Python integer, or NumPy's int64."""
    return type_ in (python_scalar(int), TensorType(INT, (), 'scalar'))


@dataclass(frozen=True)
class Lane:
    """A number of each turn.

    Attributes:
      x: one for all turns, or an array of one for each.
      range: how large it may be.
    """

    x: Any
    range: Range

    @property
    def is_bool(self) -> bool:
        """Whether it is true or false."""
        return self.dtype == BOOL

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the number."""
        return self.x.dtype if isinstance(self.x, Tensor) else np.asarray(self.x).dtype


@dataclass(frozen=True)
class Total:
    """A state of the loop.

    Attributes:
      index: which.
      added: what the turn has added to it.
    """

    index: int
    added: Lane


NOTHING = Lane(0, (0, 0))
Read = Lane | Total


def read(term: Any) -> Read:
    """A term, which may be written as a number.

    Raises:
      UnfitError: it is something else.
    """
    if isinstance(term, Lane | Total):
        return term
    if isinstance(term, float):
        return Lane(term, ANY)
    if not isinstance(term, int | np.int64):
        raise UnfitError
    return Lane(term, (int(term), int(term)))


def as_lane(read: Read) -> Lane:
    """What is read, as a number of each turn.

    Raises:
      UnfitError: it is a total.
    """
    if not isinstance(read, Lane):
        raise UnfitError
    return read


def value_of(lane: Lane) -> Any:
    """The number that it is in all turns; None if it is not one."""
    return None if isinstance(lane.x, Tensor) else lane.x
