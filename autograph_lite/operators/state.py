"""The state of a staged block: what it can reach is noted before, compared after, and rolled back.

A block of a graph is traced once and runs as often as the graph says. So what tracing it changes
(attributes, items, variables of functions around it, globals) must not stay: it becomes state of
the block. A `Snapshot` finds it by comparison. It holds the content of every mutable container
that the block's functions and operands lead to; `changes` are the places whose content is another
object now, and `rollback` restores them all.

    x.n = 0
    snapshot = Snapshot(('', block))        # block's closure leads to x
    block()                                 # x.n = x.n + y
    snapshot.changes()                      # [Change(Place(x, 'n'), before=0, after=<Tensor>)]
    snapshot.rollback()                     # x.n is 0 again

Arrays are not compared: a symbolic array is a handle whose writes are logged (`graph.tensor`).
"""
from __future__ import annotations

import enum
import functools
import types
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from operator import length_hint
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import OwnershipError, describe, is_internal, once_by_code, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor
from ..pyct.asking import get_attribute
from .unbound import Unbound


@dataclass(frozen=True, eq=False)
class Root:
    """What leads to the arguments of a call: the values of the parameters."""


class _Absent:
    """The content of a place that does not exist."""

    def __repr__(self) -> str:
        return 'absent'


ABSENT = _Absent()
# The key of a list's content as a whole, where its length changed.
WHOLE = _Absent()

Content = dict[Any, Any]


@dataclass(frozen=True, eq=False)
class Place:
    """An attribute, an item or a variable.

    Attributes:
      owner: the object, class, list or dict, the cell of a closure, or the namespace of a module.
      key: the attribute's or variable's name, the item's key, or `WHOLE`.
      name: how the user's code writes it.
    """

    owner: Any
    key: Any
    name: str

    @property
    def identity(self) -> tuple[int, Any]:
        """Equal for two `Place`s that are one place."""
        return id(self.owner), id(self.key) if self.key is WHOLE else self.key

    def read(self) -> Any:
        """The content; `ABSENT` if the place does not exist."""
        return list(self.owner) if self.key is WHOLE else content(self.owner).get(self.key, ABSENT)

    def put(self, value: Any) -> None:
        """Sets the content; `ABSENT` deletes the place."""
        owner, key = self.owner, self.key
        if is_attribute(self) and isinstance(value, Unbound) and value.tensor is None:
            value = ABSENT
        if key is WHOLE:
            owner[:] = value
        elif isinstance(owner, types.CellType):
            if value is ABSENT:
                del owner.cell_contents
            else:
                owner.cell_contents = value
        elif isinstance(owner, list):
            owner[key] = value
        elif isinstance(owner, dict):
            if value is ABSENT:
                dict.pop(owner, key, None)
            else:
                dict.__setitem__(owner, key, value)
        elif isinstance(owner, type):
            if value is ABSENT:
                type.__delattr__(owner, key)
            else:
                type.__setattr__(owner, key, value)
        elif value is ABSENT:
            if key in content(owner):
                object.__delattr__(owner, key)
        elif key in _slots(_class_of(owner)):
            object.__setattr__(owner, key, value)
        else:
            attributes: dict[str, Any] = owner.__dict__
            attributes[key] = value


@dataclass(frozen=True)
class Change:
    """A place whose content is another object than in the snapshot."""

    place: Place
    before: Any
    after: Any


def is_attribute(place: Place) -> bool:
    """Whether it is an attribute of an object."""
    return is_object(place.owner) and not isinstance(place.owner, (list, dict, type))


@dataclass
class _Noted:
    """A container, how the user's code writes it, and its content in the snapshot."""

    owner: Any
    path: str
    content: Content
    names: set[str] | None = None  # of a namespace: those that some function mentions
    holder: tuple[Any, Any] | None = None  # the container that leads to it, and the key there

    def now(self) -> Content:
        if self.names is None:
            found: Content = content(self.owner)
            return found
        return {name: self.owner[name] for name in self.names if name in self.owner}


class Snapshot:
    """The content of everything mutable that values lead to.

    Args:
      *roots: how the user's code writes each value, and the value; functions lead to their
        closures, default values and the globals that their code mentions.
    """

    def __init__(self, *roots: tuple[str, Any]) -> None:
        self._noted: dict[int, _Noted] = {}
        self.add(*roots)

    def add(self, *roots: tuple[str, Any], holder: tuple[Any, Any] | None = None) -> None:
        """Notes what more values lead to, as it is now.

        Args:
          *roots: as above.
          holder: a container that leads to them all, and the key there.
        """
        waiting: deque[tuple[str, Any, tuple[Any, Any] | None]] = deque(
            (path, x, holder) for path, x in roots)
        while waiting:
            path, x, holder = waiting.popleft()
            if type(x) in _ATOMS or id(x) in self._noted:
                continue
            waiting.extend(self._visit(path, x, holder))

    def locate(self, owner: Any) -> tuple[Any, list[Any]] | None:
        """How a container is found again: an object that is told by identity, and the keys from it.

        None if nothing leads to it. Lists, dicts, tuples and dataclasses are told by what holds
        them, since other ones may be there at another time.
        """
        keys: list[Any] = []
        while True:
            noted = self._noted.get(id(owner))
            if noted is None:
                return None
            if noted.names is not None or nest.parts(owner) is None:
                return owner, keys
            if noted.holder is None:
                return (owner, keys) if not isinstance(owner, (list, dict, tuple)) else None
            owner, key = noted.holder
            keys.insert(0, key)
            if isinstance(owner, Root):
                return owner, keys

    def holds(self, x: Any) -> bool:
        """Whether the snapshot has the content of a container: it is older than the block."""
        return id(x) in self._noted

    def content(self, owner: Any) -> Content:
        """What a container held."""
        return self._noted[id(owner)].content

    def owners(self) -> Iterator[Any]:
        """The containers."""
        return (noted.owner for noted in self._noted.values())

    def changes(self, is_block: bool = True) -> list[Change]:
        """The places whose content is another object now, in the order in which they were found.

        Args:
          is_block: whether a container that has no places, such as a set, must not change.

        Raises:
          OwnershipError: such a container changed.
        """
        return [
            change for noted in list(self._noted.values())
            if is_block or not isinstance(noted.owner, _WITHOUT_PLACES)
            for change in _changes(noted)
        ]

    def rollback(self, is_block: bool = True) -> None:
        """Restores the content of everything; outside of blocks not that of sets and the like."""
        for noted in self._noted.values():
            if is_block or not isinstance(noted.owner, _WITHOUT_PLACES):
                _restore(noted)

    def check_unchanged(self) -> None:
        """Raises OwnershipError, after a rollback, if something was changed."""
        try:
            changes = self.changes()
        finally:
            self.rollback()
        if changes:
            raise OwnershipError(
                describe(
                    f'{changes[0].place.name} is changed where a graph cannot change it: in a '
                    'test, a message, or a function that calls itself on tensors.',
                    user_location(),
                    'Return the new value, and assign it in a statement of its own.',
                )
            )

    # Finding what there is.

    def _visit(
        self, path: str, x: Any, holder: tuple[Any, Any] | None
    ) -> Iterator[tuple[str, Any, tuple[Any, Any] | None]]:
        found = content(x)
        has_places = isinstance(x, tuple) or (
            found is not None and not isinstance(x, _LEAVES) and not _is_ours(x)
            and not (isinstance(x, type) and is_of_library(x)))
        if not has_places:
            for name, part in self._behind(path, x):
                yield name, part, None
            return
        if isinstance(x, tuple):
            found = dict(enumerate(x))
        if not self._note(x, path, found, holder):
            return
        for key, part in found.items():
            yield _step(x, path, key), part, (x, key)
        if not isinstance(x, type):
            for kind in _users_classes(_class_of(x)):
                yield kind.__name__, kind, None

    def _behind(self, path: str, x: Any) -> Iterator[tuple[str, Any]]:
        """What something leads to that has no places of its own."""
        if isinstance(x, types.FunctionType):
            yield from self._visit_function(path, x)
        elif isinstance(x, types.MethodType):
            yield from ((path, x.__self__), (path, x.__func__))
        elif isinstance(x, functools.partial):
            yield from ((path, part) for part in (x.func, *x.args, *x.keywords.values()))
        elif isinstance(x, (staticmethod, classmethod)):
            yield path, x.__func__
        elif isinstance(x, property):
            yield from ((path, part) for part in (x.fget, x.fset) if part is not None)
        elif not isinstance(x, _LEAVES) and _is_ours(x):
            yield from ((path, part) for part in _functions_in(x))

    def _visit_function(self, path: str, f: types.FunctionType) -> Iterator[tuple[str, Any]]:
        if is_of_library(f) and not is_internal(f.__code__.co_filename):
            return
        if not self._note(f, path, {}):
            return
        for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
            found = content(cell)
            if not is_internal(f.__code__.co_filename):
                self._note(cell, name, found)
                for part in found.values():
                    self.add((name, part), holder=(cell, 'cell_contents'))
            yield from ((name, part) for part in found.values())
        yield from ((path, part) for part in f.__defaults__ or ())
        yield from ((path, part) for part in (f.__kwdefaults__ or {}).values())
        if is_internal(f.__code__.co_filename):
            return
        names = _names(f.__code__)
        namespace = self._noted.setdefault(
            id(f.__globals__), _Noted(f.__globals__, '', {}, set()))
        assert namespace.names is not None
        for name in names:
            if name in namespace.names:
                continue
            namespace.names.add(name)
            if name in f.__globals__:
                namespace.content[name] = f.__globals__[name]
                self.add((name, f.__globals__[name]), holder=(f.__globals__, name))
        for module in map(f.__globals__.get, names):
            if not isinstance(module, types.ModuleType) or is_of_library(module):
                continue
            yield from self._visit_module(module, names)

    def _visit_module(
        self, module: types.ModuleType, names: tuple[str, ...]
    ) -> Iterator[tuple[str, Any]]:
        namespace = self._noted.setdefault(
            id(module.__dict__), _Noted(module.__dict__, module.__name__, {}, set()))
        assert namespace.names is not None
        for name in names:
            if name in module.__dict__ and name not in namespace.names:
                namespace.names.add(name)
                namespace.content[name] = module.__dict__[name]
                path = f'{module.__name__}.{name}'
                self.add((path, module.__dict__[name]), holder=(module.__dict__, name))
                yield path, module.__dict__[name]

    def _note(
        self, x: Any, path: str, found: Content, holder: tuple[Any, Any] | None = None
    ) -> bool:
        """Whether it was not noted yet."""
        if id(x) in self._noted:
            return False
        self._noted[id(x)] = _Noted(x, path, found, holder=holder)
        return True


def content(x: Any) -> Any:
    """What a container holds, by attribute, item or variable; None for anything else."""
    if isinstance(x, types.CellType):
        try:
            return {'cell_contents': x.cell_contents}
        except ValueError:  # it has no value yet
            return {}
    if isinstance(x, dict):
        return dict(dict.items(x))
    if isinstance(x, (list, deque)):
        return dict(enumerate(x))
    if isinstance(x, (set, bytearray)):
        return dict.fromkeys(x) if isinstance(x, set) else dict(enumerate(x))
    if isinstance(x, Iterator):
        return None if _is_ours(x) else {0: _position(x)}
    if isinstance(x, type):
        return {k: v for k, v in vars(x).items() if not k.startswith('__')}
    if not is_object(x):
        return None
    slots = {name: getattr(x, name) for name in _slots(_class_of(x)) if hasattr(x, name)}
    return {**get_attribute(x, '__dict__', {}), **slots}


def _position(iterator: Iterator[Any]) -> Any:
    """What tells how far an iterator has come, as far as Python says so."""
    frame = get_attribute(iterator, 'gi_frame')
    return length_hint(iterator, -1), frame and frame.f_lasti, repr(iterator)


def _changes(noted: _Noted) -> Iterator[Change]:
    before, now, owner = noted.content, noted.now(), noted.owner
    if before is now or isinstance(owner, (tuple, types.FunctionType)):
        return
    if isinstance(owner, _WITHOUT_PLACES):
        if list(before.items()) != list(now.items()):
            raise _cannot_change(noted)
        return
    if isinstance(owner, list) and (len(now) != len(before) or _is_staged(now)):
        if len(now) != len(before) or any(now[i] is not before[i] for i in now):
            name = noted.path or 'a list'
            yield Change(Place(owner, WHOLE, name), list(before.values()), list(now.values()))
        return
    for key in dict.fromkeys((*before, *now)):
        old, new = before.get(key, ABSENT), now.get(key, ABSENT)
        if old is not new and not _is_cache(owner, key):
            path = noted.path or type(owner).__name__
            yield Change(Place(owner, key, _step(owner, path, key)), old, new)


def _is_staged(items: Content) -> bool:
    return len(items) == 1 and isinstance(items[0], nest.Successor)


def _restore(noted: _Noted) -> None:
    owner, before = noted.owner, noted.content
    if isinstance(owner, (tuple, types.FunctionType, Iterator)):
        return
    if isinstance(owner, (list, deque)):
        values = list(before.values())
        if len(owner) != len(values) or any(map(_differ, owner, values)):
            owner.clear()
            owner.extend(values)
    elif isinstance(owner, set):
        if owner != set(before):
            owner.clear()
            owner.update(before)
    elif isinstance(owner, bytearray):
        owner[:] = bytes(before.values())
    elif type(owner) is dict and noted.names is None and list(owner) != list(before):
        owner.clear()
        owner.update(before)
    else:
        now = noted.now()
        for key in dict.fromkeys((*before, *now)):
            old = before.get(key, ABSENT)
            if now.get(key, ABSENT) is not old and not _is_cache(owner, key):
                Place(owner, key, '').put(old)


def _differ(a: Any, b: Any) -> bool:
    return a is not b


def _cannot_change(noted: _Noted) -> OwnershipError:
    kind = type(noted.owner).__name__
    name = noted.path or f'a {kind}'
    return OwnershipError(
        describe(
            f'A staged block changes {name}, a {kind}; a graph has no state of that kind.',
            user_location(),
            'Use a list, which may grow and shrink, or an array of bools for a set.',
        )
    )


_ATOMS = frozenset(
    (int, float, complex, bool, str, bytes, type(None), type(...), range, slice, np.ndarray, Tensor)
)
_LEAVES = (Tensor, State, np.ndarray, np.generic, np.dtype, types.BuiltinFunctionType, np.ufunc,
           types.ModuleType, types.CodeType)  # fmt: skip
_WITHOUT_PLACES = (set, deque, bytearray, Iterator)
_PACKAGE = __package__.partition('.')[0]


def _is_ours(x: Any) -> bool:
    return str(get_attribute(type(x), '__module__', '')).partition('.')[0] == _PACKAGE


def _functions_in(x: Any) -> Iterator[Any]:
    """The functions of the user that an object of the library will call."""
    if isinstance(x, nest.Nest):
        yield from nest.children(x)
    for part in get_attribute(x, '__dict__', {}).values():
        is_function = isinstance(part, (types.FunctionType, types.MethodType, functools.partial))
        if is_function or (_is_ours(part) and isinstance(part, Iterator)):
            yield part


def is_object(x: Any) -> bool:
    """Whether it is an object of a class that is written in Python, and not by a library."""
    kind = type(x)
    if isinstance(x, _NO_OBJECTS) or is_of_library(kind):
        return False
    return hasattr(x, '__dict__') or bool(_slots(_class_of(x)))


_NO_OBJECTS = (types.FunctionType, types.ModuleType, type, enum.Enum, BaseException, int, float,
               complex, str, bytes)  # fmt: skip


def _class_of(x: Any) -> Any:
    return type(x)


@functools.lru_cache(maxsize=1024)
def _users_classes(kind: Any) -> tuple[type, ...]:
    return tuple(each for each in kind.__mro__ if not is_of_library(each))


@functools.lru_cache(maxsize=1024)
def _slots(kind: Any) -> tuple[str, ...]:
    return tuple(
        name
        for each in kind.__mro__
        for name, member in vars(each).items()
        if isinstance(member, types.MemberDescriptorType) and '__slots__' in vars(each)
    )


def _is_cache(owner: Any, key: Any) -> bool:
    """Whether an attribute is what `functools.cached_property` keeps."""
    return isinstance(key, str) and isinstance(
        get_attribute(type(owner), key), functools.cached_property)


def _step(owner: Any, path: str, key: Any) -> str:
    """How the user's code writes a part of a container."""
    if isinstance(owner, types.CellType):
        return path
    if isinstance(owner, dict) and '__name__' in owner and '__builtins__' in owner:
        return str(key)
    if isinstance(owner, (list, deque, dict)):
        return f'{path}[{key!r}]'
    return f'{path}.{key}'


@once_by_code
def _names(code: types.CodeType) -> tuple[str, ...]:
    """The global names and attributes that a function mentions, and those defined in it."""
    inner = [name for const in code.co_consts if isinstance(const, types.CodeType)
             for name in _names(const)]  # fmt: skip
    return tuple(dict.fromkeys([*code.co_names, *inner]))


