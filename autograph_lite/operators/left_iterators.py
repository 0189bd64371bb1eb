"""An iterator that a loop may leave before its end, where only the running graph knows when."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph.checkpoints import checkpoint
from .folding import Folding
from .holders import walk
from .other_names import is_reached, variables
from .outside import lives_outside
from .progress import Progress
from .reachable import Reachable
from .reaches import Reaches
from .staging import changes_since
from .unconverted import read_element

NO_MORE: Any = object()


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


def next_unseen(items: Iterator[Any], state: tuple[Any, ...]) -> Any:
    """The next item, which is taken although the loop may have ended before it.

    Args:
      items: what the loop takes from.
      state: what the loop has come to.

    Returns:
      The item; NO_MORE if there is none.

    Raises:
      StagingError: that would be seen, as to take it has an effect.
    """
    if _changes_nothing(items):
        return next(items, NO_MORE)
    start, reached = checkpoint(), Reachable(state, *(value for _, value in variables()))
    item = next(items, NO_MORE)
    try:
        reached.check_unchanged()
    except (Reaches, OwnershipError):
        raise _has_effect() from None
    if changes_since(start):
        raise _has_effect()
    return item


_EMPTY: tuple[Any, ...] = ([], (), range(0), '', b'', {}, {}.values(), {}.items(), set())
_OF_PYTHON = tuple(type(iter(each)) for each in _EMPTY)


def _changes_nothing(items: Iterator[Any]) -> bool:
    """Whether to take an item of it runs no code of the user's, and changes nothing else."""
    if isinstance(items, (enumerate, zip)) or (
        isinstance(items, map) and items.__reduce__()[1][0] is read_element
    ):
        parts = items.__reduce__()[1]
        return all(_changes_nothing(part) for part in parts if isinstance(part, Iterator))
    return isinstance(items, _OF_PYTHON)


def _has_effect() -> StagingError:
    return StagingError(
        describe(
            'How many items this loop takes only the running graph knows, and to take one has '
            'an effect.',
            user_location(),
            'Make a list of the items first, `items = list(...)`, or count in a loop over '
            '`range(n)` and do there what has the effect.',
        )
    )
