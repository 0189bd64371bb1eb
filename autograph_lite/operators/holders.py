"""Places that hold values: attributes, items, variables; what can be reached through them."""
from __future__ import annotations

import functools
import io
import itertools
import operator
import types
import weakref
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import length_hint
from typing import Any, NamedTuple

import numpy as np

from ..errors import OwnershipError, StagingError, describe, is_internal, user_location
from ..graph import nest
from ..graph.state import State
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute, has_attribute, package_of
from .chosen_functions import OneFunction
from .nest_lists import NestList
from .optional_nests import Perhaps
from .unbound import NOTHING, Unbound

_PACKAGE = __package__.partition('.')[0]

# How many objects are looked at.
MOST = 1000

Content = dict[Any, Any]


class Progress:
    """An object of the library whose attributes are state of a staged block, as a user's are."""


class Parts(list[Any]):
    """What a block is called with besides its state; nobody but the block has this list."""


class Collection(Progress):
    """What stands for a collection of Python's, and keeps a list of what is in it.

    Attributes:
      python_class: the class of that.
    """

    python_class: type[Any]

    @property
    def listed(self) -> Any:
        """What the list is now."""
        raise NotImplementedError

    def has(self, item: Any) -> Any:
        """Whether an item is in it; NotImplemented where the list tells."""
        return NotImplemented

    def in_order(self) -> Any:
        """The list, or another one, as Python goes over the collection."""
        return self.listed

    def closed(self) -> Any:
        """The collection itself, for what keeps it after the trace.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Holder:
    """An attribute, an item or a variable.

    Attributes:
      owner: the object, the list or dict, or the function whose variable it is.
      key: the name, the key or the number of the variable.
      name: what the user calls it.
      others: other places that hold the same object, and shall hold the same one again.
    """

    owner: Any
    key: Any
    name: str
    others: tuple[Holder, ...] = ()

    def together_with(self, others: Sequence[Holder]) -> Holder:
        """One place for several that hold the same object."""
        return replace(self, others=tuple(others))

    def read(self) -> Any:
        """What it holds; something without a value where there is no such place.

        Raises:
          OwnershipError: the other places hold another object now.
        """
        value = self._value()
        for other in self.others:
            if nest.actual(other._value()) is not nest.actual(value):
                raise OwnershipError(
                    describe(
                        f'{self.name} and {other.name} are one object before a staged block, and '
                        'two after it.',
                        user_location(),
                        f'Let one of them be a copy from the start: `{self.name}.copy()`.',
                    )
                )
        return value

    def held(self) -> Any:
        """What it holds itself, and not what the object reads of its class instead."""
        return content(self.owner).get(self.key, Unbound(self.name))

    def _value(self) -> Any:
        held = self.held()
        if not isinstance(held, Unbound) or held.there is not NOTHING or not is_object(self.owner):
            return held
        # An object reads of its class what it has not been given itself.
        default = get_attribute(type(self.owner), str(self.key), held)
        return held if hasattr(type(default), '__get__') else default

    def put(self, value: Any) -> None:
        """Lets it hold a value; there is no such place where the value is none."""
        for other in self.others:
            other.put(value)
        owner, key = self.owner, self.key
        if isinstance(owner, types.FunctionType):
            owner.__closure__[key].cell_contents = value  # type: ignore[index]
        elif isinstance(owner, (list, deque, dict)):
            is_list = not isinstance(owner, dict)
            if nest.actual(owner) is not owner or (is_list and key >= len(owner)):
                raise _has_become_another(self.name)
            owner[key] = value
        elif isinstance(value, Unbound) and value.there is NOTHING:
            if key in content(owner):
                object.__delattr__(owner, key)
        elif key in _slots(owner):
            object.__setattr__(owner, key, value)
        else:
            if key not in _attributes(owner):
                note_own(owner, key)
            _attributes(owner)[key] = value

    def held_by_each(self) -> list[Any]:
        """What this place and the others hold: what one list has become since, or that list."""
        return [self.held(), *(other.held_by_each() for other in self.others)]

    def holds(self, value: Any) -> bool:
        """Whether it holds this very object."""
        return self.read() is value

    def put_back(self, values: Sequence[Any]) -> None:
        """Lets this place and the others hold what `held_by_each` gave.

        A list that has become another one by now holds only that: it is given back as a whole.
        """
        first, *more = values
        if nest.actual(self.owner) is self.owner:
            self.put(first)
        for other, held in zip(self.others, more, strict=True):
            other.put_back(held)

    @property
    def identity(self) -> tuple[int, Any]:
        """Equal for two places that are the same."""
        if isinstance(self.owner, types.FunctionType):
            return id(self.owner.__closure__[self.key]), None  # type: ignore[index]
        return id(self.owner), self.key


def _has_become_another(name: str) -> StagingError:
    """The error for an item of a list of which only the running graph knows the length by now."""
    return StagingError(describe(
        f'{name or "An item"} is changed in a staged block in which only the running graph knows '
        'how many items the list has.', user_location(),
        'Let the list begin empty, and put in there what it is to hold: `rows.append(x)`, '
        '`seen.add(x)`.'))


@dataclass(frozen=True)
class Held:
    """Something that holds values, and what it held.

    Attributes:
      owner: the object, container or function.
      path: what the user calls it; empty for the function that was asked about.
      content: the values by name, key or number.
      elsewhere: places that are none of these: of the variables of a function, those that another
        function before it has, too.
    """

    owner: Any
    path: str
    content: Content
    elsewhere: frozenset[Any] = frozenset()

    def place(self, key: Any) -> Holder:
        """One of its places."""
        return Holder(self.owner, key, _step(self.owner, self.path, key))

    def now(self) -> Held:
        """The same, with what it holds now."""
        return replace(self, content=content(self.owner))

    @property
    def is_object(self) -> bool:
        """Whether it is an object with attributes."""
        return is_object(self.owner)

    def without(self, keys: frozenset[Any]) -> Held:
        """The same without some of its places."""
        if not keys:
            return self
        content = {k: v for k, v in self.content.items() if k not in keys}
        return replace(self, content=content, elsewhere=self.elsewhere | keys)

    @property
    def is_changed(self) -> bool:
        """Whether it holds something else now."""
        return not are_same(self.held_now(), self.content)

    def changes(self) -> dict[Any, Any]:
        """What it holds now in the places that held something else, or nothing; None for gone."""
        now = self.held_now()
        keys = dict.fromkeys([*self.content, *now])
        nothing = object()
        return {
            key: now.get(key) for key in keys
            if now.get(key, nothing) is not self.content.get(key, nothing)
        }

    def held_now(self) -> Content:
        """What it holds now."""
        now = content(self.owner)
        return {k: v for k, v in now.items() if k not in self.elsewhere} if self.elsewhere else now

    def changed_attribute(self) -> str:
        """The first attribute of an object that is another now."""
        now = self.held_now() if self.is_object else {}
        changed = (k for k in {**self.content, **now} if now.get(k) is not self.content.get(k))
        return next(changed, '') if self.is_object else ''

    @property
    def can_be_put(self) -> bool:
        """Whether its places can be given another value one by one."""
        owner = self.owner
        if isinstance(owner, _FIXED):
            return False
        return isinstance(owner, (list, dict, types.FunctionType)) or is_object(owner)

    def restore(self) -> None:
        """Gives it back what it held."""
        owner = self.owner
        if isinstance(owner, (list, deque)):
            owner.clear()
            owner.extend(self.content.values())
        elif isinstance(owner, nest.Mutable):
            owner.restore(self.content)
        elif isinstance(owner, Perhaps):
            owner.become(None)
        elif isinstance(owner, dict) and self.elsewhere:
            for key in self.held_now().keys() - self.content.keys():
                del owner[key]
            kind = OrderedDict if isinstance(owner, OrderedDict) else dict
            kind.update(owner, self.content)  # a Counter's own counts
        elif isinstance(owner, (dict, set)):
            owner.clear()
            owner.update(self.content)
        elif isinstance(owner, bytearray):
            owner[:] = bytes(self.content.values())
        elif self.can_be_put:
            for key in self.held_now().keys() - self.content.keys():
                if is_object(owner):
                    object.__delattr__(owner, key)
            for key, value in self.content.items():
                self.place(key).put(value)


def walk(*roots: tuple[str, Any], without: Any = None) -> Iterator[Held]:
    """Everything that holds values and can be reached from the roots, the nearest first.

    Args:
      *roots: what the user calls each, and the value.
      without: what identifies a place that is not looked into.
    """
    waiting = deque(roots)
    seen: dict[int, Any] = {}
    while waiting and len(seen) < MOST:
        path, x = waiting.popleft()
        x = nest.actual(x)
        if id(x) in seen or isinstance(x, (Tensor, State, np.ndarray)):
            continue
        found = content(x)
        if found is None:
            continue
        seen[id(x)] = x
        elsewhere: frozenset[int] = frozenset()
        if isinstance(x, types.FunctionType):
            cells = x.__closure__ or ()
            elsewhere = frozenset(i for i, cell in enumerate(cells) if id(cell) in seen)
            found = {i: value for i, value in found.items() if i not in elsewhere}
            seen |= {id(cells[i]): cells[i] for i in found}
        if not isinstance(x, (set, bytearray)):
            waiting += (
                (_step(x, path, key), value) for key, value in found.items()
                if type(value) not in _ENDS and (id(x), key) != without)
        yield Held(x, path, found, elsewhere)


def are_same(a: Content, b: Content) -> bool:
    """Whether two contents are the very same."""
    return list(a) == list(b) and all(map(operator.is_, a.values(), b.values()))


# What leads no further.
_ENDS = frozenset((Tensor, np.ndarray, bool, int, float, complex, str, bytes, type(None)))


def content(x: Any) -> Any:
    """The values that can be reached from it in one step; None for what leads no further."""
    if isinstance(x, types.FunctionType):
        cells = enumerate(x.__closure__ or ())
        values = {i: cell.cell_contents for i, cell in cells if cell != _EMPTY}
        return _code_in(values) if is_internal(x.__code__.co_filename) else values
    if isinstance(x, types.MethodType):
        return {0: x.__self__, 1: x.__func__}
    if isinstance(x, types.BuiltinMethodType):
        return None if isinstance(x.__self__, types.ModuleType) else {0: x.__self__}
    if isinstance(x, functools.partial):
        return dict(enumerate((x.func, *x.args, *x.keywords.values())))
    if isinstance(x, (list, tuple, deque, bytearray)):
        return dict(enumerate(x))
    if isinstance(x, dict):
        return dict(x)
    if isinstance(x, set):
        return dict.fromkeys(x)
    if isinstance(x, NestList):
        return {'columns': x.columns}
    if isinstance(x, nest.Mutable):
        return x.content()
    if isinstance(x, Perhaps):
        return {'nest': x.nest}
    if isinstance(x, OneFunction):
        return dict(enumerate(x._functions))
    if isinstance(x, io.IOBase):
        return {_left_to_read(x): None}
    if isinstance(x, Iterator) and not is_object(x):
        return _code_in(vars(x)) if _is_ours(x) else _content_of_iterator(x)
    if not is_object(x):
        return None
    found = attributes(x)
    for name in _members(x).caches:
        found.pop(name, None)
    return found


_EMPTY = types.CellType()
# What these hold never changes, whatever attributes they have beside it.
_FIXED = (tuple, functools.partial, types.MethodType, types.BuiltinMethodType)


def _content_of_iterator(x: Any) -> Content:
    """How far an iterator of Python's has come, or the iterators that it takes from."""
    if isinstance(x, (enumerate, filter, map, zip)):
        return dict(enumerate(x.__reduce__()[1]))
    if isinstance(x, types.GeneratorType):
        return {x.gi_frame.f_lasti: None, **x.gi_frame.f_locals} if x.gi_frame else {}
    return {repr(x) if isinstance(x, itertools.count) else length_hint(x, -1): None}


def _left_to_read(file: Any) -> Any:
    """How far a file has been read; None where it does not tell, or is one to write to."""
    try:
        if not isinstance(file, io.StringIO | io.BytesIO):
            return file.tell() if file.readable() and not file.writable() else None
        position = file.tell()
        left = file.seek(0, io.SEEK_END) - position
        file.seek(position)
        return left
    except (OSError, ValueError):  # it is being iterated over, or closed
        return None


def _code_in(values: Content) -> Content:
    """Of what the library holds, that through which it reaches the user's functions."""
    return {key: value for key, value in values.items() if _is_code(value)}


def _is_code(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_code, value))
    is_our_iterator = isinstance(value, Iterator) and _is_ours(value)
    is_users = callable(value) and is_object(value)
    return is_our_iterator or is_users or isinstance(
        value, (types.FunctionType, types.MethodType, functools.partial, Progress)
    )


def _is_ours(x: Any) -> bool:
    return package_of(type(x)) == _PACKAGE


def _step(x: Any, path: str, key: Any) -> str:
    """What the user calls a part of what has a name."""
    if isinstance(x, types.FunctionType):
        name = x.__code__.co_freevars[key]
        if is_internal(x.__code__.co_filename):
            return ''
        return f'{name} of {path}' if path else name
    if isinstance(x, (types.MethodType, functools.partial, NestList, OneFunction, Parts, Perhaps)):
        return path
    if isinstance(x, Iterator) and not is_object(x):
        return path
    if isinstance(x, (list, tuple, deque, dict, nest.Mutable)):
        return f'{path}[{key!r}]'
    return f'{path}.{key}'


def is_object(x: Any) -> bool:
    """Whether it is an object of a class that is written in Python, and not by this library."""
    return (
        (has_attribute(x, '__dict__') or bool(_slots(x)))
        and not isinstance(x, (type, types.ModuleType, types.FunctionType, io.IOBase))
        and (not _is_ours(x) or isinstance(x, Progress))
    )


def attributes(x: Any) -> dict[str, Any]:
    """What an object itself holds by name, in slots too."""
    slots = {name: getattr(x, name) for name in _slots(x) if hasattr(x, name)}
    return _attributes(x) | slots


def _attributes(x: Any) -> dict[str, Any]:
    return get_attribute(x, '__dict__', {})  # type: ignore[no-any-return]


class _Members(NamedTuple):
    """Of a class, the attributes in slots, and those that `functools.cached_property` keeps."""

    slots: tuple[str, ...]
    caches: tuple[str, ...]


def _slots(x: Any) -> tuple[str, ...]:
    return _members(x).slots


def _members(x: Any) -> _Members:
    known = _members_of.get(type(x))
    if known is None:
        members = [
            (name, member, '__slots__' in vars(each))
            for each in type(x).__mro__ for name, member in vars(each).items()]
        known = _members_of[type(x)] = _Members(
            tuple(name for name, member, has_slots in members
                  if has_slots and isinstance(member, types.MemberDescriptorType)),
            tuple(name for name, *_ in members
                  if isinstance(getattr(type(x), name, None), functools.cached_property)))
    return known


# Classes may be as short-lived as their objects.
_members_of: weakref.WeakKeyDictionary[type, _Members] = weakref.WeakKeyDictionary()


def note_own(owner: Any, name: str) -> None:
    """A staged block gives an object an attribute, perhaps, that it had of its class until then."""
    from .class_parts import note_given  # it looks at what is known, which is made of places

    note_given(owner, name)


def put_into(places: Sequence[Holder], values: Sequence[Any]) -> None:
    """Lets each place hold one of the values."""
    for place, value in zip(places, values, strict=True):
        place.put(value)
