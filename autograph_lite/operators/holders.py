"""Places that hold values: attributes, items, variables; what can be reached through them."""
from __future__ import annotations

import functools
import re
import types
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import length_hint
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, is_internal, user_frame, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor
from ..pyct.asking import get_attribute, has_attribute
from .nest_lists import NestList
from .unbound import Unbound

_PACKAGE = __package__.partition('.')[0]

# How many objects are looked at.
_MOST = 1000

Content = dict[Any, Any]


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
            if other._value() is not value:
                raise OwnershipError(
                    describe(
                        f'{self.name} and {other.name} are one object before a staged block, and '
                        'two after it.',
                        user_location(),
                        f'Let one of them be a copy from the start: `{self.name}.copy()`.',
                    )
                )
        return value

    def _value(self) -> Any:
        return content(self.owner).get(self.key, Unbound(self.name))

    def put(self, value: Any) -> None:
        """Lets it hold a value; there is no such place where the value is none."""
        for other in self.others:
            other.put(value)
        owner, key = self.owner, self.key
        if isinstance(owner, types.FunctionType):
            owner.__closure__[key].cell_contents = value  # type: ignore[index]
        elif isinstance(owner, (list, deque, dict)):
            owner[key] = value
        elif isinstance(value, Unbound) and value.tensor is None:
            if key in content(owner):
                object.__delattr__(owner, key)
        elif key in _slots(owner):
            object.__setattr__(owner, key, value)
        else:
            _attributes(owner)[key] = value

    @property
    def identity(self) -> tuple[int, Any]:
        """Equal for two places that are the same."""
        if isinstance(self.owner, types.FunctionType):
            return id(self.owner.__closure__[self.key]), None  # type: ignore[index]
        return id(self.owner), self.key


@dataclass(frozen=True)
class Held:
    """Something that holds values, and what it held.

    Attributes:
      owner: the object, container or function.
      path: what the user calls it; empty for the function that was asked about.
      content: the values by name, key or number.
    """

    owner: Any
    path: str
    content: Content

    def place(self, key: Any) -> Holder:
        """One of its places."""
        return Holder(self.owner, key, _step(self.owner, self.path, key))

    def now(self) -> Held:
        """The same, with what it holds now."""
        return replace(self, content=content(self.owner))

    @property
    def is_object(self) -> bool:
        """Whether it is an object with attributes."""
        return _is_object(self.owner)

    @property
    def is_changed(self) -> bool:
        """Whether it holds something else now."""
        now = content(self.owner)
        return list(now) != list(self.content) or any(
            now[key] is not value for key, value in self.content.items()
        )

    def changed_attribute(self) -> str:
        """The first attribute of an object that is another now."""
        now = content(self.owner) if self.is_object else {}
        changed = (k for k in {**self.content, **now} if now.get(k) is not self.content.get(k))
        return next(changed, '') if self.is_object else ''

    @property
    def can_be_put(self) -> bool:
        """Whether its places can be given another value one by one."""
        owner = self.owner
        return isinstance(owner, (list, dict, types.FunctionType)) or _is_object(owner)

    def restore(self) -> None:
        """Gives it back what it held."""
        owner = self.owner
        if isinstance(owner, (list, deque)):
            owner.clear()
            owner.extend(self.content.values())
        elif isinstance(owner, (dict, set)):
            owner.clear()
            owner.update(self.content)
        elif isinstance(owner, bytearray):
            owner[:] = bytes(self.content.values())
        elif isinstance(owner, types.FunctionType) or _is_object(owner):
            for key in content(owner).keys() - self.content.keys():
                if _is_object(owner):
                    object.__delattr__(owner, key)
            for key, value in self.content.items():
                self.place(key).put(value)


def walk(*roots: tuple[str, Any]) -> Iterator[Held]:
    """Everything that holds values and can be reached from the roots, the nearest first.

    Args:
      *roots: what the user calls each, and the value.
    """
    waiting = deque(roots)
    seen: dict[int, Any] = {}
    while waiting and len(seen) < _MOST:
        path, x = waiting.popleft()
        x = nest.actual(x)
        if id(x) in seen or isinstance(x, (Tensor, State, np.ndarray)):
            continue
        found = content(x)
        if found is None:
            continue
        seen[id(x)] = x
        if isinstance(x, types.FunctionType):
            cells = x.__closure__ or ()
            found = {i: value for i, value in found.items() if id(cells[i]) not in seen}
            seen |= {id(cells[i]): cells[i] for i in found}
        if not isinstance(x, (set, bytearray)):
            waiting += ((_step(x, path, key), value) for key, value in found.items())
        yield Held(x, path, found)


def content(x: Any) -> Any:
    """The values that can be reached from it in one step; None for what leads no further."""
    if isinstance(x, types.FunctionType):
        cells = enumerate(x.__closure__ or ())
        values = {i: cell.cell_contents for i, cell in cells if cell != _EMPTY}
        return _code_in(values) if is_internal(x.__code__.co_filename) else values
    if isinstance(x, types.MethodType):
        return {0: x.__self__, 1: x.__func__}
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
    if isinstance(x, Iterator):
        return _code_in(vars(x)) if _is_ours(x) else {0: length_hint(x, -1)}
    if not _is_object(x):
        return None
    slots = {name: getattr(x, name) for name in _slots(x) if hasattr(x, name)}
    attributes = {k: value for k, value in _attributes(x).items() if not _is_cache(x, k)}
    return attributes | slots


_EMPTY = types.CellType()


def _code_in(values: Content) -> Content:
    """Of what the library holds, that through which it reaches the user's functions."""
    return {key: value for key, value in values.items() if _is_code(value)}


def _is_code(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_code, value))
    is_our_iterator = isinstance(value, Iterator) and _is_ours(value)
    return is_our_iterator or isinstance(
        value, (types.FunctionType, types.MethodType, functools.partial)
    )


def _is_ours(x: Any) -> bool:
    return (type(x).__module__ or '').partition('.')[0] == _PACKAGE


def _step(x: Any, path: str, key: Any) -> str:
    """What the user calls a part of what has a name."""
    if isinstance(x, types.FunctionType):
        name = x.__code__.co_freevars[key]
        if is_internal(x.__code__.co_filename):
            return ''
        return f'{name} of {path}' if path else name
    if isinstance(x, (types.MethodType, functools.partial, NestList, Iterator)):
        return path
    if isinstance(x, (list, tuple, deque, dict)):
        return f'{path}[{key!r}]'
    return f'{path}.{key}'


def _is_object(x: Any) -> bool:
    """Whether it is an object of a class that is written in Python, and not by this library."""
    return (
        (has_attribute(x, '__dict__') or bool(_slots(x)))
        and not isinstance(x, (type, types.ModuleType, types.FunctionType))
        and not _is_ours(x)
    )


def _attributes(x: Any) -> dict[str, Any]:
    return get_attribute(x, '__dict__', {})  # type: ignore[no-any-return]


def _is_cache(x: Any, name: str) -> bool:
    """Whether an attribute is what `functools.cached_property` keeps."""
    return isinstance(getattr(type(x), name, None), functools.cached_property)


@functools.lru_cache(maxsize=1024)
def _slots_of(kind: type) -> tuple[str, ...]:
    return tuple(
        name
        for each in kind.__mro__
        for name, member in vars(each).items()
        if isinstance(member, types.MemberDescriptorType) and '__slots__' in vars(each)
    )


def _slots(x: Any) -> tuple[str, ...]:
    return _slots_of(type(x))  # type: ignore[arg-type]  # types are hashable




def root_of(name: str) -> str:
    """The variable in the name of a place: `x` of `x[0].y`."""
    return re.split(r'[.\[]', name, maxsplit=1)[0]


def has_other_name(x: Any, name: str) -> bool:
    """Whether a variable of the functions that are being traced has another name and holds it."""
    frame = user_frame()
    while frame is not None and frame.f_globals.get('__name__') != f'{_PACKAGE}.trace':
        if not is_internal(frame.f_code.co_filename):
            names = [key for key, value in frame.f_locals.items() if nest.actual(value) is x]
            if any(key != name for key in names):
                return True
        frame = frame.f_back
    return False


def put_into(places: Sequence[Holder], values: Sequence[Any]) -> None:
    """Lets each place hold one of the values."""
    for place, value in zip(places, values, strict=True):
        place.put(value)
