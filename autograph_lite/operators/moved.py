"""Lists and dicts that a staged block modifies: what other names for them see afterwards.

A block works on copies of its own and gives new ones, which the user's name then holds. Whoever
reads the old one through another name is told so. One that lives outside the function is the
user's: no staged block modifies it.
"""
from __future__ import annotations

from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import State
from .outside import is_outside, modifies_outside


class Moved(State):
    """What a list or dict holds after a staged block modified it: reading it is an error."""

    __slots__ = ('_kind', '_location')

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._location = user_location()

    @property
    def value(self) -> Any:
        """Nothing.

        Raises:
          OwnershipError: always.
        """
        raise OwnershipError(
            describe(
                f'A {self._kind} is read through another name than the one through which this '
                'modifies it.',
                self._location,
                f'Use one name for the {self._kind}, or take a copy before: `b = a.copy()`.',
            )
        )

    def __repr__(self) -> str:
        return f'<a part of a modified {self._kind}>'

    def __bool__(self) -> bool:
        return bool(self.value)


def is_moved(container: Any) -> bool:
    """Whether a staged block has modified the list or dict."""
    parts = container.values() if isinstance(container, dict) else container
    return any(isinstance(part, Moved) for part in parts)


def check_held(x: Any) -> None:
    """Raises OwnershipError for a list that was modified through another name."""
    if type(x) is list and x and isinstance(x[0], Moved):
        _ = x[0].value


def move(operands: Any, positions: set[int]) -> None:
    """Other names for the lists and dicts at these positions among the operands are stale.

    Raises:
      OwnershipError: one of them lives outside the function.
    """
    containers = [container for container, _ in nest.contents(operands)]
    for i in sorted(positions):
        _leave(containers[i])


def move_staged(before: Any, after: Any) -> None:
    """Other names for the lists that became staged lists are stale."""
    if type(before) is list and type(after) is not list:
        _leave(before)
        return
    for one, other in zip(nest.children(before), nest.children(after), strict=False):
        move_staged(one, other)


def _leave(container: Any) -> None:
    if is_outside(container):
        raise modifies_outside(container)
    moved = Moved(type(container).__name__)
    if isinstance(container, dict):
        container.update(dict.fromkeys(container, moved))
    else:
        container[:] = [moved] * max(1, len(container))
