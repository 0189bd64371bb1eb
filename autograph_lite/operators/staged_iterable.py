"""The interface of what a staged `for` runs over.

A staged iterable flattens into the sources that it reads when the graph runs (arrays, bounds), and
its item is a nest of tensors, made anew for each body that is traced.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ..errors import StagingError, describe, user_location
from ..graph.advice import TAKE_IN_A_LOOP
from ..graph.storage import Memory
from ..graph.tensor import Tensor
from ..graph.types import ListType, TensorType
from .progress import Progress

# (type, memory) of each leaf of one turn's item.
Items = list[tuple[TensorType, Memory]]


class Staged:
    """An iterable that only the running graph can iterate over.

    Attributes:
      stands_for: the class of what it is in Python; None where it stands for nothing there.
    """

    stands_for: ClassVar[type[Any] | None] = None

    def sources(self) -> list[Any]:
        """The tensors and numbers that it reads."""
        raise NotImplementedError

    def read(self) -> list[Any]:
        """For each of its sources, what Python reads turn by turn: of a copy, what is copied."""
        return self.sources()

    def template(self, position: Iterator[int]) -> tuple[Any, ...]:
        """Its entry in `attrs['iterable']`, with the next positions for its sources."""
        raise NotImplementedError

    def items(self) -> Items:
        """The leaves of one turn's item."""
        raise NotImplementedError

    def item(self, leaves: Iterator[Any]) -> Any:
        """One turn's item, of the next leaves."""
        return next(leaves)

    def takes_elements(self) -> bool:
        """Whether some of its items are elements of a list, and no objects of their own."""
        return any(isinstance(getattr(x, 'type', None), ListType) for x in self.sources())

    def length(self) -> int | None:
        """How many turns it makes, where that is known while tracing."""
        return None

    def has_items(self) -> bool:
        """Whether it surely makes a turn."""
        return bool(self.length())

    def size(self) -> Any:
        """How many turns it makes; a tensor where only the running graph knows."""
        raise NotImplementedError

    def equal_sizes(self) -> list[Any]:
        """What has to be equal where all is taken: the sizes of the parts of a strict `zip`."""
        return []

    def __iter__(self) -> Iterator[Any]:
        """Python's own iteration, where the length is known; it unrolls."""
        return self.run()

    def run(self) -> Iterator[Any]:
        """The items, wherever it was taken from before."""
        raise NotImplementedError


@dataclass(eq=False)
class Once(Progress, Staged):
    """What Python makes an iterator of: it is run over once.

    Attributes:
      taken: whether it was run over; None where a loop may have left it before its end.
    """

    taken: Any = field(default_factory=bool, init=False)

    def taken_by(self, leaves: bool) -> Staged | tuple[()]:
        """What a loop takes of it, which then is gone.

        Args:
          leaves: whether the loop may end before it has taken all.

        Raises:
          StagingError: only the running graph knows what is left.
        """
        if self.taken is None or isinstance(self.taken, Tensor):
            raise StagingError(
                describe(
                    f'`{type(self).__name__.lower()}` is run over again; what is left of it only '
                    'the running graph knows.',
                    user_location(),
                    'Make it anew for each loop, or take from a list of it: `iter(list(...))`.',
                )
            )
        is_gone, self.taken = self.taken, None if leaves else True
        for part in self.parts():
            if isinstance(part, Once):
                # What the longer ones of several have left is not known.
                is_gone = not part.taken_by(leaves or len(self.parts()) > 1) or is_gone
        return () if is_gone else self

    def parts(self) -> tuple[Staged, ...]:
        """What it takes from; where that is one, it is as long."""
        raise NotImplementedError

    def length(self) -> int | None:
        return self.parts()[0].length()

    def size(self) -> Any:
        return self.parts()[0].size()

    def equal_sizes(self) -> list[Any]:
        return self.parts()[0].equal_sizes()

    def __iter__(self) -> Iterator[Any]:
        return self.run() if self.taken_by(False) and self.length() != 0 else iter(())

    def __next__(self) -> Any:
        what = 'Python itself takes from an iterator here.'
        raise StagingError(describe(what, user_location(), 'Take it by `next(...)`.'))

    def read(self) -> list[Any]:
        found = [source for part in self.parts() for source in part.read()]
        return found + self.sources()[len(found) :]


def uncounted() -> StagingError:
    """The error of Python's own iteration, as by `tuple` or `set`, where the length is unknown."""
    return StagingError(
        describe(
            'Python itself takes the elements here, and only the running graph knows how many '
            'there are.',
            user_location(),
            TAKE_IN_A_LOOP,
        )
    )
