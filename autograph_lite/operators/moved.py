"""Lists and dicts that a staged block modifies: what other names for them see afterwards.

A block works on copies of its own. Where it only changes what they hold, what the user holds gets
the new contents, and every name for it sees them. A list that becomes a staged list knows so, and
what the library is given it for is done with that; Python itself is told of it by an error. What
lives outside the function is the user's: no staged block modifies it.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import State
from .aliases import check_aliases
from .outside import is_outside, modifies_outside


class Moved(State, nest.Successor):
    """What a list or dict holds after a staged block modified it: reading it is an error."""

    __slots__ = ('_kind', '_location', 'successor')

    def __init__(self, kind: str, successor: Any = None) -> None:
        self._kind = kind
        self._location = user_location()
        self.successor = successor

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


def move(operands: Any, positions: set[int], results: Any) -> None:
    """Other names for the lists and dicts at these positions among the operands are stale.

    Those among the results have the new contents.

    Raises:
      OwnershipError: one of them lives outside the function.
    """
    containers = [container for container, _ in nest.contents(operands)]
    current = {id(container) for container, _ in nest.contents(results)}
    for i in sorted(positions):
        if is_outside(containers[i]):
            raise modifies_outside(containers[i])
        if id(containers[i]) not in current:
            _leave(containers[i])


class staged_lists:
    """Other names for the lists that become staged lists know what they have become.

    Raises:
      OwnershipError: one of them has another name among the operands, or lives outside.
    """

    def __init__(self, before: Any, after: Any) -> None:
        lists = list(_staged_lists(before, after))
        self._held = [(one, one.copy()) for one, _ in lists]
        names = [id(one) for one, _ in lists]
        containers = [container for container, _ in nest.contents(before)]
        check_aliases(before, [i for i, each in enumerate(containers) if id(each) in names])
        for one, other in lists:
            _leave(one, other)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            nest.restore(self._held)


def _staged_lists(before: Any, after: Any) -> Iterator[tuple[list[Any], Any]]:
    before = nest.actual(before)
    if type(before) is list and type(after) is not list:
        yield before, after
        return
    for one, other in zip(nest.children(before), nest.children(after), strict=False):
        yield from _staged_lists(one, other)


def _leave(container: Any, successor: Any = None) -> None:
    if is_outside(container):
        raise modifies_outside(container)
    moved = Moved(type(container).__name__, successor)
    if isinstance(container, list):
        container[:] = [moved]
    else:
        nest.restore([(container, dict.fromkeys(nest.content(container), moved))])
