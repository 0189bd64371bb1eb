"""Dataclasses and dicts from outside in what a staged block is given: each stays the one it is.

    def step(self, x):          # of a dataclass
        if x > 0:
            self.count += 1

One that the function makes is what it holds, and a block gives another. What a block sets of one
that lives outside, as of any object there, are variables outside (see `outer_parts`).
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from typing import Any

from ..errors import OwnershipError, StagingError
from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from .outside import is_outside, rebound
from .recalled import Recalled


class Itself:
    """Stands for something that is no nest, whatever it holds.

    Attributes:
      value: what it stands for.
    """

    __slots__ = ('value',)

    def __init__(self, value: Any) -> None:
        self.value = value


class ByIdentity:
    """Passes what lives outside as what it is.

    Args:
      values: what is to be passed.
    """

    def __init__(self, values: Iterable[Any]) -> None:
        self._known = {id(x): Itself(x) for x in _in_tuples(values) if _stays(x)}

    @property
    def helps(self) -> bool:
        """Whether something lives outside."""
        return bool(self._known)

    @property
    def is_needed(self) -> bool:
        """Whether the function has put some of it there: by its name, a block changes that one."""
        world = rebound()
        return world is not None and not self._known.keys().isdisjoint(world.new)

    def given(self, value: Any) -> Any:
        """A value as a block is given it, and gives it."""
        if type(value) is tuple:
            return tuple(map(self.given, value))
        return self._known.get(id(value), value)

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which is given such values."""

        @functools.wraps(function)
        def run(*args: Any) -> Any:
            return self.given(function(*map(taken, args)))

        return run


def by_identity_or_not(
    recalled: Recalled, passing: ByIdentity, kept: Callable[[], Any], plainly: Callable[[], Any]
) -> Any:
    """What the first of two ways to stage a block gives; what the second does, if that fails.

    Args:
      recalled: what is known of the block.
      passing: what lives outside.
      kept: the first way.
      plainly: the second.

    Raises:
      AutographError: both fail, or there is no second.
    """
    start = checkpoint()
    try:
        return kept()
    except (OwnershipError, StagingError) as error:
        if passing.is_needed:
            raise
        undo(start)
        recalled.forget()
        try:
            with recalled.otherwise('by value', error):
                return plainly()
        except OwnershipError:
            raise error from None


def taken(value: Any) -> Any:
    """What a value stands for that a block is given, or gives."""
    if type(value) is tuple:
        return tuple(map(taken, value))
    return value.value if isinstance(value, Itself) else value


def _in_tuples(values: Iterable[Any]) -> Iterable[Any]:
    for each in values:
        if type(each) is tuple:
            yield from _in_tuples(each)
        else:
            yield each


def _stays(x: Any) -> bool:
    return (isinstance(x, dict) or is_dataclass(x)) and not nest.is_leaf(x) and is_outside(x)
