"""One list or array under several names, all of them given to a staged block.

The block works on a copy for each name. Where it modifies one of these, it is staged again with one
copy for them all.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor


def aliased(name: str) -> OwnershipError:
    """The error for a name whose array has another name too."""
    return OwnershipError(
        describe(
            f'{name} shares memory with another array, and the loop modifies one of them.',
            user_location(),
            f'Take a copy first: `{name} = {name}.copy()`.',
        )
    )


def check_aliases(given: Any, modified: Collection[int]) -> None:
    """No list or dict that a staged block modifies was given to it twice.

    Args:
      given: the operands.
      modified: the positions of what it modifies, among the lists and dicts in them.

    Raises:
      OwnershipError: it was.
    """
    containers = [container for container, _ in nest.contents(given)]
    times = Counter(map(id, containers))
    for i in sorted(modified):
        if times[id(containers[i])] > 1:
            raise _two_names(containers[i])


def _two_names(x: Any) -> OwnershipError:
    kind = 'list' if hasattr(x, 'append') else 'array' if isinstance(x, Tensor) else 'dict'
    return OwnershipError(
        describe(
            f'A staged block modifies what two names stand for, one {kind} before it and perhaps '
            'two after it.',
            user_location(),
            'Take a copy first: `b = a.copy()`.',
        )
    )


class OneForAll:
    """Passes what has several names once, and gives it to a function under all of them.

    Args:
      values: what is to be passed.
    """

    def __init__(self, values: Sequence[Any]) -> None:
        values = [nest.actual(value) for value in values]
        first: dict[int, int] = {}
        self._places = [
            first.setdefault(id(value), i) if _can_change(value) else i
            for i, value in enumerate(values)
        ]
        self._kept = [i for i, place in enumerate(self._places) if i == place]

    @property
    def helps(self) -> bool:
        """Whether something has several names."""
        return len(self._kept) < len(self._places)

    def once(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Of the values under all names, those to pass."""
        return tuple(values[i] for i in self._kept)

    def all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Of the values passed, those under all names."""
        passed = dict(zip(self._kept, values, strict=True))
        return tuple(passed[place] for place in self._places)

    def check(self, values: Sequence[Any]) -> None:
        """What had several names must still be one.

        Raises:
          OwnershipError: it is not.
        """
        for value, place in zip(values, self._places, strict=True):
            if nest.actual(value) is not nest.actual(values[place]):
                raise _two_names(value)

    def function(self, function: Callable[..., Any], skip: int = 0) -> Callable[..., Any]:
        """The function with its arguments behind the first ones passed once."""
        return lambda *args: function(*args[:skip], *self.all(args[skip:]))


def _can_change(value: Any) -> bool:
    return bool(value.memory) if isinstance(value, Tensor) else not nest.is_leaf(value)
