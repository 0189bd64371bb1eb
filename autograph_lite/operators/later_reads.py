"""What a graph takes for granted after a Python function that it calls, which could change it.

    ag.py_function(log, [x], None)
    return x * self.rate

What the function does is not known while tracing: each time that it has run, what is read after it
is looked at.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from ..errors import Location, OwnershipError, describe
from ..keys import value_key

Read = Callable[[], Any]


class LaterReads:
    """What is read from outside after one call of a Python function, or before it in a loop."""

    def __init__(self) -> None:
        self._reads: dict[Hashable, tuple[str, Read]] = {}

    def add(self, key: Hashable, name: str, read: Read) -> None:
        """One thing is read.

        Args:
          key: tells it from others.
          name: what the user calls it.
          read: reads it again.
        """
        self._reads[key] = name, read

    def include(self, others: LaterReads) -> None:
        """All of these are read, too."""
        self._reads.update(others._reads)

    def now(self) -> list[tuple[str, Hashable]]:
        """What each of them is."""
        return [(name, _found(read)) for name, read in self._reads.values()]

    def check(self, before: list[tuple[str, Hashable]], location: Location | None) -> None:
        """They are what they were before the call.

        Args:
          before: what `now` gave.
          location: where the function is called.

        Raises:
          OwnershipError: one is not.
        """
        for (name, was), (_, is_) in zip(before, self.now(), strict=True):
            if was != is_:
                raise OwnershipError(describe(
                    f'{name!r} is changed by a Python function that the graph calls, and is read '
                    'after that.', location,
                    f'Let the function return what {name!r} is to be, and set it from the result '
                    'of `ag.py_function`.'))


def _found(read: Read) -> Hashable:
    try:
        return value_key(read())
    except Exception as error:
        return ('raises', type(error))
