"""Objects of which a name gets one on one way and another on the other: what they hold is joined.

    if x > 0:
        v = Vector(x, y)
    else:
        v = Vector(y, x)

After that `v` is a new object of the class. An object is not looked into otherwise: it stays the
one that it is, and its attributes that a staged block changes are state of the block.
"""
from __future__ import annotations

import functools
import types
from collections import Counter, UserDict, UserList
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from ..converters.callees import is_of_library
from ..graph import nest
from ..graph.state import State
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.new_objects import bare
from ..pyct.asking import get_attribute
from .block_ways import Way, returned_by_blocks
from .chosen_functions import (
    OneFunction,
    are_functions,
    as_one_of,
    can_be_chosen,
    chosen_among,
    closed_function,
)
from .contents import content, is_object
from .holders import Holder
from .members import Member, are_members, closed_member, is_member, kind_of, member
from .object_advice import leads_on
from .optional_nests import Perhaps
from .other_names import has_other_name
from .outside import is_outside
from .unbound import NOTHING, Unbound, value_of_name
from .watched import is_watched, joined, modified_one_of_two, watch

# Where an object stands in what a block returns: the numbers of the parts that lead to it.
Path = tuple[int, ...]


class Opened(nest.Nest):
    """Stands for an object in a nest: its children are what its attributes hold.

    Attributes:
      kind: the class.
      names: the attributes.
      values: what they hold.
      owner: the object, if there is one already.
    """

    __slots__ = ('kind', 'names', 'owner', 'values')

    def __init__(
        self, kind: type[Any], names: Sequence[str], values: Sequence[Any], owner: Any = None
    ) -> None:
        self.kind = kind
        self.names = names
        self.values = list(values)
        self.owner = owner

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.kind, *self.names), self.values

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        kind, *names = keys
        made = cls(kind, names, parts)
        return made if is_tracing() else made.closed()

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        kind, *names = keys
        inside = (f'{name}={value}' for name, value in zip(names, parts, strict=True))
        return f'{kind.__name__}({", ".join(inside)})'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return [f'.{name}' for name in keys[1:]]

    def __getattr__(self, name: str) -> Any:
        if name in self.names:
            return self.values[self.names.index(name)]
        return getattr(self.closed(), name)

    def closed(self) -> Any:
        """The object; what has no value where the object has none yet."""
        if self.owner is not None:
            return self.owner
        values = [closed(value) for value in self.values]
        missing = next((each for each in values if _is_nothing(each)), None)
        if missing is not None:
            return missing
        self.owner = joined(bare(self.kind))
        for name, value in zip(self.names, values, strict=True):
            found = value_of_name(value) if isinstance(value, Unbound) else value
            Holder(self.owner, name, '').put(found)
        return self.owner


def _is_nothing(x: Any) -> bool:
    return isinstance(x, Unbound) and x.there is NOTHING


def closed(nested: Any) -> Any:
    """A nest with objects in the places of what stands for them."""
    if isinstance(nested, Member):
        return closed_member(nested)
    if isinstance(nested, OneFunction):
        return closed_function(nested)
    if isinstance(nested, Opened):
        return nested.closed()
    if isinstance(nested, tuple) and _has_opened(nested):
        return _tuple_of(nested, map(closed, nested))
    return nested


def _has_opened(x: Any) -> bool:
    if isinstance(x, tuple):
        return any(map(_has_opened, x))
    return isinstance(x, (Member, OneFunction, Opened))


def _tuple_of(like: Any, parts: Iterable[Any]) -> Any:
    return type(like)(*parts) if hasattr(like, '_fields') else tuple(parts)


def opened_object(x: Any, names: Sequence[str] | None = None) -> Opened:
    """What stands for an object: its class, and what its attributes hold.

    Args:
      x: the object.
      names: the attributes in the order that counts; unless told, whatever order they were set in.
    """
    names = _names(x) if names is None else names
    return Opened(type(x), names, [_attribute(x, name) for name in names], x)


def _names(x: Any) -> list[str]:
    """The attributes, in the same order for every object of the class that has them."""
    code = get_attribute(get_attribute(type(x), '__init__'), '__code__')
    first = {} if code is None else {name: i for i, name in enumerate(code.co_names)}
    return sorted(content(x), key=lambda name: (first.get(name, len(first)), name))


def _attribute(owner: Any, name: str) -> Any:
    from .captures import part

    return part(owner, f'.{name}') if is_outside(owner) else content(owner)[name]


class Opens(BaseException):
    """A staged block can be traced again, with objects opened in what it returns.

    Attributes:
      paths: where they stand.
      functions: where functions stand, with those that stand there on some way.
    """

    def __init__(self, paths: Sequence[Path], functions: Mapping[Path, tuple[Any, ...]]) -> None:
        super().__init__()
        self.paths = paths
        self.functions = functions

    def again(self, operands: Any) -> Opens:
        """The same, for a block that is traced again and given operands of the same form."""
        return Opens(self.paths, self.functions)

    def function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with what it returns opened."""

        @functools.wraps(function)
        def opening(*args: Any) -> Any:
            return self.opened(function(*args))

        return opening

    def opened(self, returned: Any) -> Any:
        """What a block returns, or is given, with the objects opened.

        Raises:
          OwnershipError: one of them stands in two places of it.
        """
        for path in self.paths:
            times = Counter(id(leaf) for leaf in nest.flatten(returned)[0])
            returned = _open(returned, path, times, self.functions.get(path, ()))
        return returned

    def turn(
        self, body: Callable[..., Any], state: Sequence[Any], names: Sequence[str]
    ) -> Callable[..., Any]:
        """A loop's body, which sets attributes only of what has no other name.

        Args:
          body: takes an item, if there is one, and the state.
          state: what it is before the loop, with the objects opened.
          names: what the user calls the state.
        """
        named = [
            path for path in self.paths
            if isinstance(opened := at(state, path), Opened)
            and _is_named_elsewhere(opened.owner, names[path[0]])
        ]

        def turn(*given: Any) -> Any:
            skip = len(given) - len(state)
            watch(*(closed(at(given[skip:], path)) for path in named))
            return body(*given[:skip], *map(closed, given[skip:]))

        return turn


def _is_named_elsewhere(x: Any, name: str) -> bool:
    """Whether something else than this name may lead to an object."""
    return is_outside(x) or is_watched(id(x)) or has_other_name(x, name)


def _possible(x: Any) -> list[Any]:
    """An object, and those of before the blocks that gave it which it may be."""
    if is_watched(id(x)):
        return [x]  # and so are those
    noted: dict[int, list[Any]] = {}
    for one, ends in returned_by_blocks():
        noted.setdefault(id(one), []).extend(ends)
    found, left = {}, [x]
    while left:
        one = left.pop()
        if id(one) not in found:
            found[id(one)] = one
            left += noted.get(id(one), [])
    return list(found.values())


def at(nested: Any, path: Path) -> Any:
    """What stands in a place of a nest."""
    for i in path:
        nested = nest.children(opened_object(nested) if _can_be_opened(nested) else nested)[i]
    return nested


def check_opens(a: Any, b: Any) -> None:
    """Two ways give different objects in the same places only where these cannot be opened.

    Raises:
      Opens: they can.
    """
    paths = list(_differing(a, b, ()))
    if paths:
        raise Opens(paths, {path: chosen_among(at(a, path), at(b, path)) for path in paths})


def _differing(a: Any, b: Any, path: Path) -> Iterator[Path]:
    """Where the ways give two objects of one class, or one only."""
    if a is b or (isinstance(a, Opened) and isinstance(b, Opened) and a.kind is not b.kind):
        return
    if _is_one(a, b) or _is_one(b, a) or _are_two(a, b) or _are_chosen(a, b):
        yield path
    elif type(a) is type(b) and isinstance(a, (tuple, Opened)):
        pairs = zip(nest.children(a), nest.children(b), strict=False)
        for i, (one, other) in enumerate(pairs):
            yield from _differing(one, other, (*path, i))


def _are_chosen(a: Any, b: Any) -> bool:
    return are_members(a, b) or are_functions(a, b)


def _kind_of(x: Any) -> Any:
    return x.kind if isinstance(x, Opened) else kind_of(x)


def _are_two(a: Any, b: Any) -> bool:
    return (
        type(a) is type(b) and _can_be_opened(a) and _can_be_opened(b) and _names(a) == _names(b)
    )


def _is_one(a: Any, b: Any) -> bool:
    """Whether one way gives an object, and the other perhaps none: None, or nothing by a flag."""
    is_perhaps = isinstance(a, Perhaps) and isinstance(a.nest, (Member, Opened)) and (
        _kind_of(a.nest) is kind_of(b))
    is_nothing = a is None or (_is_nothing(a) and not a.name) or is_perhaps
    if is_member(b):
        return is_nothing and not isinstance(b, Member)
    if can_be_chosen(b):
        return is_nothing and not isinstance(b, OneFunction)
    return is_nothing and _can_be_opened(b) and (is_perhaps or any(
        isinstance(value, Tensor) for value in content(b).values()))


def _can_be_opened(x: Any) -> bool:
    """Whether an object of the user's is nothing but attributes that hold what is no container."""
    return is_plain(x) and all(map(_is_fixed, content(x).values()))


# Objects of Python's library that are no more than their attributes.
OPENED = (types.SimpleNamespace, UserDict, UserList)


def is_plain(x: Any) -> bool:
    """Whether an object is of a class of the user's, or such as those, and only its attributes."""
    kind = type(x)
    is_others = is_of_library(kind) and kind not in OPENED
    if isinstance(x, (State, Enum, BaseException)) or not is_object(x) or is_others:
        return False
    try:
        bare(kind)
    except TypeError:
        return False
    return nest.is_leaf(x) and not hasattr(kind, '__del__')


def _is_fixed(x: Any) -> bool:
    """Whether nothing in it can be changed in place, but by the names of arrays and objects."""
    if isinstance(x, tuple):
        return all(map(_is_fixed, x))
    return nest.is_leaf(x) and not isinstance(x, (set, bytearray))


def _open(
    returned: Any, path: Path, times: Counter[int], functions: tuple[Any, ...],
    around: Sequence[Any] = (),
) -> Any:
    """What a block returns with one more object opened, within those that are around it."""
    if any(returned is each for each in around):
        raise leads_on(returned)
    if not path:
        if is_member(returned):
            return member(returned)
        if functions and returned is not None and not isinstance(returned, Unbound):
            return as_one_of(functions, returned)
        if returned is None or isinstance(returned, (Opened, Perhaps, Unbound)):
            return returned
        if times[id(returned)] > 1:
            is_linked = any(type(each) is type(returned) for each in around)
            raise leads_on(returned) if is_linked else modified_one_of_two(returned)
        return opened_object(returned)
    if returned is None or isinstance(returned, (Perhaps, Unbound)):
        return returned
    if isinstance(returned, Opened):
        parts = list(nest.children(returned))
        around = (*around, returned.owner)
        parts[path[0]] = _open(parts[path[0]], path[1:], times, functions, around)
        return Opened(returned.kind, returned.names, parts, returned.owner)
    return replaced(
        returned, path[:1], lambda part: _open(part, path[1:], times, functions, around))


def replaced(nested: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """A nest of tuples with something else in a place."""
    if not path:
        return change(nested)
    parts = list(nest.children(nested))
    parts[path[0]] = replaced(parts[path[0]], path[1:], change)
    return _tuple_of(nested, parts)


def watch_opened_each(results: Any, names: Sequence[str], *ways: Way) -> None:
    """`watch_opened`, of the results with these names."""
    for way in ways:
        if len(names) == 1:
            watch_opened(results, names[0], way)
            continue
        returned = nest.children(way.returned)
        for result, name, one in zip(results, names, returned, strict=True):
            watch_opened(result, name, way.part(one))


def watch_opened(result: Any, name: str, way: Way) -> None:
    """Where an object that a block gives may be one that has another name, neither is modified."""
    returned = way.returned
    if isinstance(returned, Perhaps):
        watch_opened(result, name, way.part(returned.nest))
    elif isinstance(result, Perhaps):
        watch_opened(result.nest, name, way)
    elif isinstance(returned, Opened):
        possible = _possible(returned.owner)
        if any(_is_named_elsewhere(x, name) or way.is_held(x, name) for x in possible):
            watch(*possible, closed(result))
            returned_by_blocks().append((closed(result), possible))
        if isinstance(result, Opened):
            for one, other in zip(result.values, returned.values, strict=True):
                watch_opened(one, name, way.part(other))
    elif isinstance(returned, tuple) and nest.have_same_parts(result, returned):
        for one, other in zip(nest.children(result), returned, strict=True):
            watch_opened(one, name, way.part(other))
