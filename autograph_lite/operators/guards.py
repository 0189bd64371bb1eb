"""Guards: what a traced function has read from outside, and what it was.

A trace holds for as long as what it read from outside (globals, closure cells, `self.x`,
`cfg['lr']`, that there is no `self.y`) is what it was. Which array it is, its dtype and its shape
are guarded, its contents are not: they are read where they are, at every call.
"""
from __future__ import annotations

import array
import functools
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..signatures import Identity, leaf_key
from .outside import is_outside
from .places import GoneError, Place, place_of


@dataclass(frozen=True)
class Guard:
    """One thing that was read from outside, and what it was.

    Attributes:
      path: what the user wrote, such as `RATE`, `self.rate`, `cfg['rate']`.
      read: reads it again: a place, or a weak reference to an argument.
    """

    path: str
    read: Callable[[], Any]
    key: Hashable

    def holds(self) -> bool:
        """Whether it is what it was."""
        try:
            key = value_key(self.read())
        except GoneError:
            return True
        except Exception as error:
            key = raised_key(error)
        return key == self.key


Guards = dict[Hashable, Guard]

_OWN = Guard('', lambda: None, None)  # in the place of a guard: the function itself has set it


def _is_of_the_trace(guard: Guard) -> bool:
    """Whether it is of an object that the function made and has changed since."""
    if not isinstance(guard.read, Place) or not guard.read.is_object or guard.holds():
        return False
    return not is_outside(guard.read.root())


class _Recording(threading.local):
    guards: Guards | None = None


_recording = _Recording()


@contextmanager
def recording() -> Iterator[Guards]:
    """Collects what is read from outside while a function is traced in this thread."""
    guards: Guards = {}
    outer = _recording.guards
    _recording.guards = guards
    try:
        yield guards
        for where in [where for where, guard in guards.items() if _is_of_the_trace(guard)]:
            del guards[where]
    finally:
        _recording.guards = outer
        for where in [where for where, guard in guards.items() if guard is _OWN]:
            del guards[where]


def record(place: Place, value: Any) -> None:
    """Guards what was read from a place, unless the function itself has set it."""
    guards = _recording.guards
    if guards is None or isinstance(value, Tensor) or place.key in guards:
        return
    if _is_own(place, guards):
        return
    guards[place.key] = Guard(str(place), place, value_key(value))
    function = value.__func__ if isinstance(value, types.MethodType) else value
    if isinstance(function, types.FunctionType):
        guards.setdefault(('function', id(function)), _OWN)  # its code is guarded with it


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


def record_own(place: Place) -> None:
    """The function has set what is there: what it reads of it is its own."""
    guards = _recording.guards
    if is_tracing() and guards is not None:
        guards.setdefault(place.key, _OWN)


def _is_own(place: Place, guards: Guards) -> bool:
    steps = place.steps
    return any(guards.get((place.where, steps[:n])) is _OWN for n in range(len(steps) + 1))


# What is told of a value.


def value_key(value: Any) -> Hashable:
    """What of a value from outside a trace depends on."""
    leaves, structure = nest.flatten(value)
    return (structure, *map(_key, leaves))


def raised_key(error: Exception) -> Hashable:
    """What stands for a value that cannot be read."""
    return ('raises', type(error))


def _key(leaf: Any) -> Hashable:
    if isinstance(leaf, np.ndarray):
        return (Identity(leaf), leaf.dtype, leaf.shape)
    if isinstance(leaf, np.generic):
        return (type(leaf), leaf.tobytes())
    if isinstance(leaf, types.MethodType):
        return ('method', Identity(leaf.__self__), _key(leaf.__func__))
    if is_bound_builtin(leaf):
        return ('method', Identity(leaf.__self__), leaf.__name__)
    if isinstance(leaf, types.FunctionType):
        defaults = (leaf.__defaults__, leaf.__kwdefaults__)
        return (Identity(leaf), Identity(leaf.__code__), value_key(defaults))
    if isinstance(leaf, functools.partial):
        return (Identity(leaf), value_key((leaf.func, leaf.args, dict(leaf.keywords))))
    if is_container(leaf):
        return (type(leaf), *_content_key(leaf))
    if isinstance(leaf, dict | list):  # of a class of the user's
        return (Identity(leaf), value_key(_plain(leaf)))
    key = leaf_key(leaf)
    return (key, Identity(type(leaf))) if isinstance(key, Identity) else key


def is_bound_builtin(value: Any) -> bool:
    """Whether it is a method such as `items.append`, which is another object at every read."""
    builtin = isinstance(value, types.BuiltinMethodType)
    return builtin and not isinstance(value.__self__, types.ModuleType | None)


def _plain(container: Any) -> Any:
    if isinstance(container, dict):
        return dict(dict.items(container))
    return list(list.__iter__(container))


def _content_key(container: Any) -> Iterator[Hashable]:
    if isinstance(container, set | frozenset):
        yield frozenset(map(leaf_key, container))
    elif isinstance(container, bytes | bytearray | memoryview | array.array):
        yield bytes(container)
    elif isinstance(container, Mapping):
        yield value_key(dict(container))
    else:
        yield value_key(list(container))


_PLAIN_CONTAINERS = (list, dict, tuple, set, frozenset, bytearray, memoryview, deque, array.array)
_NO_CONTAINERS = (str, bytes, range, np.ndarray, np.generic)


def is_container(value: Any) -> bool:
    """Whether a value is told by what it holds: a collection of Python's own, or a nest."""
    if isinstance(value, _NO_CONTAINERS):
        return False
    if type(value) in _PLAIN_CONTAINERS or not nest.is_leaf(value):
        return True
    if isinstance(value, types.MappingProxyType):
        return True
    return isinstance(value, Collection) and _is_pythons(type(value))


def _is_pythons(kind: type[Any]) -> bool:
    return kind.__module__.partition('.')[0] in sys.stdlib_module_names
