"""Guards: what a traced function has read from outside, and what it was.

A trace holds for as long as what it read from outside (globals, closure cells, `self.x`,
`cfg['lr']`, that there is no `self.y`) is what it was. Which array it is, its dtype and its shape
are guarded, its contents are not: they are read where they are, at every call.
"""
from __future__ import annotations

import threading
import types
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from typing import Any

from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.types import TensorType, type_of
from ..keys import Identity, value_key
from .left_outside import outside_world
from .outside import is_made_here, lives_outside, rebound
from .outside_errors import SHARED
from .places import GoneError, Place, place_of


@dataclass(frozen=True)
class Guard:
    """One thing that was read from outside, and what it was.

    Attributes:
      path: what the user wrote, such as `RATE`, `self.rate`, `cfg['rate']`.
      read: reads it again: a place, or a weak reference to an argument.
      key: tells what it was.
      identity: of what was read.
    """

    path: str
    read: Callable[[], Any]
    key: Hashable
    identity: int = 0

    def holds(self) -> bool:
        """Whether it is what it was."""
        try:
            key = value_key(self.read())
        except GoneError:
            return True
        except Exception as error:
            key = raised_key(error)
        return key == self.key


@dataclass(frozen=True)
class TypeGuard(Guard):
    """One thing that the graph reads when it runs: of what type it was is its key."""

    key: TensorType

    def holds(self) -> bool:
        """Whether it is of that type."""
        try:
            return type_of(self.read()) == self.key
        except Exception:
            return False


@dataclass(frozen=True)
class SameGuard(Guard):
    """A container of which the graph sets something, whatever that holds: which one is its key."""

    key: Identity

    def holds(self) -> bool:
        """Whether it is that one."""
        try:
            return self.read() is self.key.value()
        except Exception:
            return False


Guards = dict[Hashable, Guard]

_OWN = Guard('', lambda: None, None)  # in the place of a guard: the function itself has set it


def _is_of_the_trace(guard: Guard) -> bool:
    """Whether it is of an object that the function made and has changed since."""
    if not isinstance(guard.read, Place) or not guard.read.is_object or guard.holds():
        return False
    root = guard.read.root()
    return is_made_here(root) if isinstance(root, SHARED) else not lives_outside(root)


class _Recording(threading.local):
    guards: Guards | None = None
    known: dict[Hashable, Collection[Hashable]]  # of dataclasses, what the graph knew of by then


_recording = _Recording()


@contextmanager
def recording(read: list[str] | None, expected: Collection[Hashable]) -> Iterator[Guards]:
    """Collects what is read from outside while a function is traced in this thread.

    Args:
      read: takes the names of the variables outside that the graph reads; None if it may read none.
      expected: attributes and items outside that the function is known to set.
    """
    guards: Guards = {}
    outer = _recording.guards, getattr(_recording, 'known', {})
    _recording.guards, _recording.known = guards, {}
    try:
        with outside_world(read, expected):
            yield guards
            for where in [where for where, guard in guards.items() if _is_of_the_trace(guard)]:
                del guards[where]
    finally:
        _recording.guards, _recording.known = outer
        for where in [where for where, guard in guards.items() if guard is _OWN]:
            del guards[where]


# What nobody changes in a call.
_CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def record(place: Place, value: Any) -> None:
    """Guards what was read from a place, unless the function itself has set it."""
    guards = _recording.guards
    if guards is None or isinstance(value, Tensor):
        return
    world = rebound()
    if world is not None and not isinstance(value, _CODE):
        world.note_look(place.key, str(place), place)
    if place.key in guards and not isinstance(guards[place.key], TypeGuard):
        return
    if _is_own(place, guards):
        return
    guards[place.key] = Guard(str(place), place, value_key(value), id(value))
    if world is not None and is_dataclass(value):
        _recording.known[place.key] = world.of_the_graph()
    function = value.__func__ if isinstance(value, types.MethodType) else value
    if isinstance(function, types.FunctionType):
        guards.setdefault(('function', id(function)), _OWN)  # its code is guarded with it


def attributes_known(place: Place) -> Collection[Hashable]:
    """What the graph read, or had set, of a dataclass outside when that was read."""
    return _recording.known.get(place.key, ())


def record_type(place: Place, type_: TensorType) -> None:
    """Guards of what type a variable is that the graph reads."""
    guards = _recording.guards
    if guards is not None:
        guards.setdefault(place.key, TypeGuard(str(place), place, type_))


def record_same(place: Place, container: Any) -> None:
    """Guards which container it is of which the graph sets something."""
    guards = _recording.guards
    if guards is not None:
        guard = SameGuard(str(place), place, Identity(container))
        guards.setdefault(('same', place.key), guard)


def is_recorded(where: Hashable) -> bool:
    """Whether a variable that is there was read from outside, or a part of what it is."""
    known = _recording.guards or {}
    places = (guard.read for guard in known.values())
    return any(isinstance(place, Place) and place.where == where for place in places)


def recorded_places() -> list[Place]:
    """The places that were read from outside, and those on the way to them."""
    known = [guard.read for guard in (_recording.guards or {}).values()]
    found = [
        replace(place, steps=place.steps[:n]) for place in known if isinstance(place, Place)
        for n in range(len(place.steps) + 1)]
    return list({place.key: place for place in found}.values())


def is_read_whole(place: Place) -> bool:
    """Whether what is at a place is guarded itself, and not only parts of it."""
    return place.key in (_recording.guards or {})


def record_error(place: Place, error: Exception) -> None:
    """Guards that reading a place raises an error: nothing is there."""
    guards = _recording.guards
    if guards is not None and not _is_own(place, guards):
        guards.setdefault(place.key, Guard(str(place), place, raised_key(error)))


def record_function(f: types.FunctionType) -> None:
    """Guards the code and the default values of a function that is called."""
    guards = _recording.guards
    if guards is not None and ('function', id(f)) not in guards:
        place = place_of(f, f.__qualname__)
        guards['function', id(f)] = Guard(f.__qualname__, place, value_key(f))


def record_asked(what: str, ask: Callable[[], Hashable]) -> Hashable:
    """The answer to a question about what is outside, which is guarded."""
    answer, guards = ask(), _recording.guards
    if guards is not None:
        guards.setdefault(('asked', what), Guard(what, ask, value_key(answer)))
    return answer


def record_own(place: Place) -> None:
    """The function has set what is there: what it reads of it is its own."""
    guards = _recording.guards
    if is_tracing() and guards is not None:
        guards.setdefault(place.key, _OWN)


def _is_own(place: Place, guards: Guards) -> bool:
    steps = place.steps
    world = rebound()
    if world is not None and place.where in world.now:
        return True
    return any(guards.get((place.where, steps[:n])) is _OWN for n in range(len(steps) + 1))


def raised_key(error: Exception) -> Hashable:
    """What stands for a value that cannot be read."""
    return ('raises', type(error))
