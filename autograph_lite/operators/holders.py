"""Places that hold values: attributes, items, variables; what can be reached through them."""
from __future__ import annotations

import array
import functools
import types
from collections import OrderedDict, deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import OwnershipError, StagingError, describe, is_internal, user_location
from ..graph import nest
from ..graph.part_names import part_name
from ..graph.state import State
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute, in_dict, in_slots
from .chosen_functions import OneFunction
from .contents import Content, are_same, content, is_object
from .local_code import local_classes, set_default
from .nest_lists import NestList
from .optional_nests import Perhaps
from .unbound import NOTHING, Unbound

# How many objects are looked at.
MOST = 1000
# What these hold never changes, whatever attributes they have beside it.
_FIXED = (tuple, functools.partial, types.MethodType, types.BuiltinMethodType)


class Parts(list[Any]):
    """What a block is called with besides its state; nobody but the block has this list."""


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
        held = content(self.owner)
        if self.key in held:
            return held[self.key]
        return Unbound(part_name(self.name, self.owner, self.key))

    def _value(self) -> Any:
        held, owner = self.held(), self.owner
        is_class = isinstance(owner, type)
        if not isinstance(held, Unbound) or held.there is not NOTHING:
            return held
        if not is_class and not is_object(owner):
            return held
        # An object reads of its class what it has not been given itself.
        of = super(owner, owner) if is_class else type(owner)
        default = get_attribute(of, str(self.key), held)
        return held if hasattr(type(default), '__get__') else default

    def put(self, value: Any) -> None:
        """Lets it hold a value; there is no such place where the value is none."""
        for other in self.others:
            other.put(value)
        owner, key = self.owner, self.key
        if isinstance(owner, types.FunctionType):
            if isinstance(key, str):
                set_default(owner, key, value)
            else:
                owner.__closure__[key].cell_contents = value  # type: ignore[index]
        elif isinstance(owner, type):
            _put_into_class(owner, key, value)
        elif isinstance(owner, (list, deque, dict)):
            is_list = not isinstance(owner, dict)
            if nest.actual(owner) is not owner or (is_list and key >= len(owner)):
                raise _has_become_another(self.name)
            owner[key] = value
        elif isinstance(value, Unbound) and value.there is NOTHING:
            if key in content(owner):
                object.__delattr__(owner, key)
        elif key in in_slots(owner):
            object.__setattr__(owner, key, value)
        else:
            if key not in in_dict(owner):
                note_own(owner, key)
            in_dict(owner)[key] = value

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
        if isinstance(self.owner, types.FunctionType) and isinstance(self.key, int):
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

    @property
    def tells_how_far(self) -> bool:
        """Whether it is no iterator of Python's that does not tell how far it has come."""
        return list(self.content) != [-1]

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
        return isinstance(owner, (list, dict, types.FunctionType, type)) or is_object(owner)

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
        elif isinstance(owner, array.array):
            owner[:] = array.array(owner.typecode, *self.content)
        elif isinstance(owner, memoryview):
            (owner.cast('B')[:],) = self.content
        elif self.can_be_put:
            now = self.held_now()
            for key in now.keys() - self.content.keys():
                if is_object(owner):
                    object.__delattr__(owner, key)
                elif isinstance(owner, type):
                    type.__delattr__(owner, key)
            for key, value in self.content.items():
                if key not in now or now[key] is not value:
                    self.place(key).put(value)


def list_of_columns(x: Any, held: Sequence[Held]) -> Any:
    """The list of nests of which a list holds the columns; anything else itself."""
    nests = (each.owner for each in held if isinstance(each.owner, NestList))
    return next((each for each in nests if each.columns is x), x)


def walk(*roots: tuple[str, Any], without: Collection[Any] = ()) -> Iterator[Held]:
    """Everything that holds values and can be reached from the roots, the nearest first.

    Args:
      *roots: what the user calls each, and the value.
      without: what identifies places that are not looked into.
    """
    waiting = deque(roots)
    seen: dict[int, Any] = {}
    while waiting and len(seen) < MOST:
        path, x = waiting.popleft()
        x = nest.actual(x)
        if id(x) in seen or isinstance(x, (Tensor, State, np.ndarray)):
            continue
        waiting += ((kind.__name__, kind) for kind in local_classes(x) if id(kind) not in seen)
        found = content(x)
        if found is None:
            continue
        seen[id(x)] = x
        elsewhere: frozenset[int] = frozenset()
        if isinstance(x, types.FunctionType):
            cells = x.__closure__ or ()
            elsewhere = frozenset(i for i, cell in enumerate(cells) if id(cell) in seen)
            found = {i: value for i, value in found.items() if i not in elsewhere}
            seen |= {id(cells[i]): cells[i] for i in found if isinstance(i, int)}
        if not isinstance(x, (set, bytearray)):
            waiting += (
                (_step(x, path, key), value) for key, value in found.items()
                if type(value) not in _ENDS and (id(x), key) not in without)
        yield Held(x, path, found, elsewhere)


# What leads no further.
_ENDS = frozenset((Tensor, np.ndarray, bool, int, float, complex, str, bytes, type(None)))


def _step(x: Any, path: str, key: Any) -> str:
    """What the user calls a part of what has a name."""
    if isinstance(x, types.FunctionType):
        name = x.__code__.co_freevars[key] if isinstance(key, int) else key
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


def _put_into_class(kind: type, name: str, value: Any) -> None:
    if not isinstance(value, Unbound) or value.there is not NOTHING:
        if name not in vars(kind):
            note_own(kind, name)
        type.__setattr__(kind, name, value)
    elif name in vars(kind):
        type.__delattr__(kind, name)


def note_own(owner: Any, name: str) -> None:
    """A staged block gives an object an attribute, perhaps, that it had of its class until then."""
    from .class_parts import note_given  # it looks at what is known, which is made of places

    note_given(owner, name)


def put_into(places: Sequence[Holder], values: Sequence[Any]) -> None:
    """Lets each place hold one of the values."""
    for place, value in zip(places, values, strict=True):
        place.put(value)
