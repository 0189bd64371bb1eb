"""An iterator that a loop may leave before its end, where only the running graph knows when."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import OwnershipError, describe, user_location
from .folding import Folding
from .holders import walk
from .other_names import is_reached
from .outside import lives_outside
from .progress import Progress


def check_may_be_left(items: Iterator[Any]) -> None:
    """Nothing else can tell how much of it is taken.

    Raises:
      OwnershipError: the user has a name for it, or for an iterator that it takes from.
    """
    for held in walk(('', items)):
        x = held.owner
        if isinstance(x, Folding) and not isinstance(x, Progress):
            continue  # it knows that it was left
        if isinstance(x, Iterator) and (lives_outside(x) or is_reached(x)):
            raise OwnershipError(
                describe(
                    'A loop takes from an iterator, and where it stops only the running graph '
                    'knows; so does it alone know what is left.',
                    user_location(),
                    'Run over an array, a list, or `iter(...)` of one, made in the function.',
                )
            )
