"""What is read where it is used: `State`, which lives on between calls, and names for lists."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .dispatch import BINARY, SPECIAL_METHODS
from .nest import actual


class State:
    """What lives on between calls and can be used as an array: it is read where it is used."""

    __slots__ = ('__weakref__',)

    @property
    def value(self) -> Any:
        """What it holds now; a tensor while tracing."""
        raise NotImplementedError

    @property
    def is_set(self) -> bool:
        """Whether it holds anything yet."""
        return True


class Assignable(State):
    """State that is assigned to."""

    __slots__ = ()

    def _held(self) -> Any:
        """What it holds now, for a name that may stand for it: stale when it is assigned to."""
        raise NotImplementedError


class ReadAsValue:
    """A name for what can be changed in place, of which only the running graph knows what it is."""

    __slots__ = ()

    @property
    def value(self) -> Any:
        """What that holds now; neither that nor this is modified from now on."""
        raise NotImplementedError

    @property
    def looked_at(self) -> Any:
        """What that holds now, where nothing keeps it, but perhaps what is in it."""
        raise NotImplementedError

    @property
    def asked(self) -> Any:
        """What tells whether it is true."""
        return self.looked_at

    @property
    def chosen(self) -> Any:
        """What it is for, to be changed where it is."""
        raise NotImplementedError

    def unchanged_by(self, run: Callable[[Any], Any]) -> Any:
        """What a function gives for what it holds, which it does not modify."""
        raise NotImplementedError

    def by(self, symbol: str, other: Any) -> Any:
        """The same, after `self += other` and the like."""
        raise NotImplementedError

    def bound(self, read: Callable[[Any], Any]) -> Any:
        """The same, where the name that may have no value is read."""
        raise NotImplementedError

    def is_one(self, x: Any) -> Any:
        """Whether that is the same object as something else."""
        raise NotImplementedError


def valued(x: Any) -> Any:
    """What state holds now, and what a list has become; anything else itself."""
    return x.value if isinstance(x, State | ReadAsValue) else actual(x)


def looked_at(x: Any) -> Any:
    """The same, where nothing keeps it, but perhaps what is in it."""
    return x.looked_at if isinstance(x, ReadAsValue) else valued(x)


def asked(x: Any) -> Any:
    """The same, where only whether it is true is asked."""
    return x.asked if isinstance(x, ReadAsValue) else valued(x)


def _forwarded(name: str) -> Any:
    def method(self: State, *args: Any) -> Any:
        implementation = getattr(self.value, name, None)
        if implementation is None:
            return NotImplemented
        return implementation(*map(valued, args))

    method.__name__ = name
    method.__doc__ = f'`ndarray.{name}`, of the value.'
    return method


# `v += x` gives the name an array, as `v = v + x` does; state is changed by assigning to it.
_IN_PLACE = {f'__i{name}__' for name in BINARY}
for _name in SPECIAL_METHODS:
    if _name not in _IN_PLACE:
        setattr(State, _name, _forwarded(_name))


def _rounded(round_: Any) -> Any:
    def method(self: State, *args: Any) -> Any:
        return round_(self.value, *args)

    method.__name__ = f'__{round_.__name__}__'
    method.__doc__ = f'`{round_.__name__}`, of the value.'
    return method


# Python tries more than the method of this name where there is none.
for _round in (round, math.floor, math.ceil, math.trunc):
    setattr(State, f'__{_round.__name__}__', _rounded(_round))
