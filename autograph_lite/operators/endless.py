"""`itertools.count` and `itertools.cycle`: where they are is state of the blocks that take of them.

    for attempt in itertools.count():
        x = x / 2
        if x < limit:
            break
"""
from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.checkpoints import checkpoint
from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .checking import check_integer
from .folding import Folding
from .lengths import len as length_of
from .listing import listed
from .loops import while_loop
from .membership import item
from .numbers_made import int as number
from .progress import Progress
from .staging import changes_since


class Endless(Progress, Folding, Iterator[Any]):
    """An iterator that gives an element for every position.

    Attributes:
      position: how many elements are taken.
    """

    def __init__(self) -> None:
        self.position: Any = 0

    def at(self, position: Any) -> Any:
        """The element at a position."""
        raise NotImplementedError

    @property
    def is_pythons(self) -> bool:
        return True

    def __next__(self) -> Any:
        position, self.position = self.position, self.position + 1
        return self.at(position)

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        """The loop `for element in self: state = body(element, *state)`."""

        def going_on(*state: Any) -> Any:
            return True if test is None else test(*state)

        def turn(*state: Any) -> Any:
            return body(next(self), *state)

        return while_loop(going_on, turn, *state, names=names)


class Count(Endless):
    """`itertools.count(start, step)`."""

    def __init__(self, start: Any, step: Any) -> None:
        super().__init__()
        self.start, self.step = start, step

    def at(self, position: Any) -> Any:
        return self.start + position * self.step


def counting_from(start: Any) -> Count:
    """The numbers that `enumerate` gives: Python's own, whatever it is to start with.

    Raises:
      TypeError: that is no integer.
    """
    if not isinstance(start, Tensor):
        return Count(operator.index(start), 1)
    check_integer(start)
    return Count(number(start), 1)


class Cycle(Endless):
    """`itertools.cycle(elements)`."""

    def __init__(self, elements: Any) -> None:
        super().__init__()
        self.elements = elements

    def at(self, position: Any) -> Any:
        return item(self.elements, position % length_of(self.elements))


class Repeat(Endless):
    """`itertools.repeat(element)`."""

    def __init__(self, element: Any) -> None:
        super().__init__()
        self.element = element

    def at(self, position: Any) -> Any:
        del position  # it is the same everywhere
        return self.element


class Together(Endless):
    """`zip` of iterators of which none ends."""

    def __init__(self, parts: Sequence[Endless]) -> None:
        super().__init__()
        self.parts = parts

    def __next__(self) -> Any:
        return tuple(next(part) for part in self.parts)


@replaces(itertools.count)
def _count(start: Any = 0, step: Any = 1) -> Any:
    start, step = valued(start), valued(step)
    # The sum of many steps is their number times the step for integers alone.
    if is_tracing() and type(start) is type(step) is int:
        return Count(start, step)
    return itertools.count(start, step)


@replaces(itertools.cycle)
def _cycle(elements: Any) -> Any:
    elements = valued(elements)
    if not is_tracing():
        return itertools.cycle(elements)
    if isinstance(elements, Tensor):
        return Cycle(elements)
    start, is_sized = checkpoint(), not isinstance(elements, Iterator | Folding)
    elements = nest.actual(listed(elements))
    if not is_sized and changes_since(start):
        raise StagingError(describe(
            '`itertools.cycle` takes one element after the other, each when it is asked for; here '
            'that has effects, and the graph takes them all at once.', user_location(),
            'Make a list of them first: `itertools.cycle(list(items))`.'))
    return Cycle(elements) if isinstance(elements, Tensor) or elements else itertools.cycle(())
