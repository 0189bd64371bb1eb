"""What a traced function reads from outside: arrays become tensors, and everything is guarded.

A trace holds for as long as what it read from outside (globals, closure cells, `self.x`,
`cfg['lr']`) is what it was. Captured arrays are read where they are, at every call; which array it
is, its dtype and its shape are guarded, its contents are not.
"""
from __future__ import annotations

import ast
import threading
import types
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import constant, is_tracing
from ..signatures import Identity, leaf_key
from .outside import is_outside, note, outside_world
from .staging import identifier


@dataclass(frozen=True)
class Guard:
    """One thing that was read from outside, and what it was.

    Attributes:
      path: what the user wrote, such as `RATE`, `self.rate`, `cfg['rate']`.
    """

    path: str
    read: Callable[[], Any]
    key: Hashable

    def holds(self) -> bool:
        """Whether it is what it was."""
        try:
            return value_key(self.read()) == self.key
        except (AttributeError, NameError, LookupError, TypeError):
            return False


Guards = dict[Hashable, Guard]

_OWN = Guard('', lambda: None, None)  # in the place of a guard: the function itself has set it


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
        with outside_world():
            yield guards
    finally:
        _recording.guards = outer
        for where in [where for where, guard in guards.items() if guard is _OWN]:
            del guards[where]


def captured(read: Callable[[], Any], name: str) -> Any:
    """The value of a global or a closure variable."""
    value = read()
    if not is_tracing():
        return value
    _note(_variable(read, name), Guard, name, read, value)
    note(value)
    return as_tensor(value, name)


def set_captured(read: Callable[[], Any], name: str) -> None:
    """The function has set a global or a closure variable: what it reads of it is its own."""
    _note_own(_variable(read, name))


def set_part(root: Any, steps: str) -> None:
    """The function has set an attribute or item of an object that has a name."""
    _note_own((id(root), steps))


def _variable(read: Callable[[], Any], name: str) -> Hashable:
    cells = read.__closure__ or (read.__globals__,)
    return (name, id(cells[0]))


def part(value: Any, root: Any, steps: str) -> Any:
    """The value of an attribute or item of an object that has a name: `root` and then `steps`."""
    if not is_tracing() or isinstance(root, Tensor):
        return value
    if is_outside(root):
        note(value)
    if not isinstance(value, Tensor) and nest.is_leaf(root):
        read = PartOfObject(Identity(root).value, steps)
        _note((id(root), steps), Guard, type(root).__name__ + steps, read, value)
    return as_tensor(value, steps)


@dataclass(frozen=True)
class PartOfObject:
    """Reads an attribute or item again. What is gone was made by the trace: it cannot change."""

    root: Callable[[], Any]
    steps: str

    def __call__(self) -> Any:
        value = self.root()
        if value is None:
            return _GONE
        for attribute, key in _parsed(self.steps):
            value = getattr(value, key) if attribute else value[key]
        return value


_GONE = object()


@lru_cache(maxsize=1024)
def _parsed(steps: str) -> tuple[tuple[bool, Any], ...]:
    """`.a['k']` as the attribute `a`, then the item `'k'`."""
    node: Any = ast.parse(f'_{steps}', mode='eval').body
    found: list[tuple[bool, Any]] = []
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Attribute):
            found.append((True, node.attr))
        else:
            found.append((False, ast.literal_eval(node.slice)))
        node = node.value
    return tuple(reversed(found))


def _note_own(where: Hashable) -> None:
    guards = _recording.guards
    if is_tracing() and guards is not None:
        guards.setdefault(where, _OWN)


def _note(where: Hashable, guard: Any, path: str, read: Callable[[], Any], value: Any) -> None:
    guards = _recording.guards
    if guards is not None and where not in guards and not isinstance(value, Tensor):
        guards[where] = guard(path, read, value_key(value))


def as_tensor(value: Any, path: str) -> Any:
    """An array from outside as a tensor; anything else itself."""
    return constant(value, identifier(path)) if type(value) is np.ndarray else value


def value_key(value: Any) -> Hashable:
    """What of a value from outside a trace depends on."""
    if value is _GONE:
        return _Anything()
    leaves, structure = nest.flatten(value)
    return (structure, *map(_key, leaves))


def _key(leaf: Any) -> Hashable:
    if isinstance(leaf, np.ndarray):
        return (Identity(leaf), leaf.dtype, leaf.shape)
    if isinstance(leaf, np.generic):
        return (type(leaf), leaf.tobytes())
    if isinstance(leaf, types.MethodType):
        return (Identity(leaf.__self__), _key(leaf.__func__))
    if isinstance(leaf, types.FunctionType):
        defaults = (leaf.__defaults__, leaf.__kwdefaults__)
        return (Identity(leaf), Identity(leaf.__code__), value_key(defaults))
    return leaf_key(leaf)


class _Anything:
    """Equal to every key."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0
