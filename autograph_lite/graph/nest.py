"""Nested structures: tuples, lists, dicts, named tuples and dataclasses of leaves."""
from __future__ import annotations

import copy
import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .nest_classes import Described


class Stackable:
    """What stands for something that NumPy makes an array of, and is no array itself.

    Attributes:
      instead_of_array: what to write where NumPy makes none of it but of what is in it; else empty.
    """

    __slots__ = ()
    instead_of_array = ''

    def stacked(self) -> Any:
        """The array, or the list that NumPy makes it of; itself where it makes none."""
        return self

    def for_numpy(self) -> Any:
        """What NumPy makes of it where it is given it."""
        return self.stacked()

    def as_index(self) -> Any:
        """What NumPy makes of it where it is an index."""
        return self.stacked()


class Nest(Stackable):
    """What stands for a nest of another type while a graph is traced.

    Attributes:
      successor: what it has become, if it has become something else.
    """

    __slots__ = ()

    stands_for: type[Any] | None = None  # the type, where all of them stand for the same
    successor: Any = None

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        """What its structure says of it beside its type, and its children."""
        raise NotImplementedError

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        """One of these children; of what the graph returned, the nest that it stands for."""
        raise NotImplementedError

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        """Its form, as messages show it."""
        raise NotImplementedError

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        """What the user would write behind its name for each child."""
        raise NotImplementedError

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return map_children(lambda part: copy.deepcopy(part, memo), self)


class Mutable(Nest):
    """What stands for a list or a dict that can be changed in place.

    Attributes:
      kind: what it stands for.
    """

    __slots__ = ()
    kind: type[Any]
    instead_of_array = '`np.array(list(d.values()))`, or `np.array(list(d))` for its keys'

    def content(self) -> dict[Any, Any]:
        """What it holds now, for `restore`."""
        raise NotImplementedError

    def restore(self, content: dict[Any, Any]) -> None:
        """Gives it back what it held."""
        raise NotImplementedError

    def leave(self, moved: Any) -> None:
        """Lets it hold nothing but what says that another name has its contents."""
        raise NotImplementedError


class Successor:
    """The only element of a list or a dict that has become something else, which it knows.

    Attributes:
      successor: what the list has become; None where that is not known.
    """

    __slots__ = ()
    successor: Any


def actual(value: Any) -> Any:
    """What a list or a dict has become; anything else itself."""
    kind = type(value)
    if kind in LEAVES or kind is tuple:
        return value
    while (successor := _successor(value)) is not None:
        value = successor
    return value


def kind_of(value: Any) -> type[Any]:
    """The class of a value, or of what it stands for."""
    if isinstance(value, Mutable):
        return value.kind
    return (isinstance(value, Nest) and value.stands_for) or type(value)


def _successor(value: Any) -> Any:
    if isinstance(value, Nest):
        return value.successor
    if type(value) not in (list, dict, OrderedDict) or len(value) != 1:
        return None
    (held,) = value if type(value) is list else value.values()
    return held.successor if isinstance(held, Successor) else None


@dataclass(frozen=True)
class Structure:
    """The shape of a nest without its leaves: comparable, hashable, and able to rebuild a nest.

    A leaf is a structure whose `type` is None. `keys` are a dict's keys or a dataclass's fields.
    """

    type: type[Any] | None = None
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Keys are told by type and value: 1 and True are two, though a dict takes them for one."""
        return isinstance(other, Structure) and self._told() == other._told()

    def __reduce__(self) -> Any:
        from .nest_classes import described  # only pickles need it

        known = None if self.type is None else described(self.type)
        if known is None:
            return Structure, (self.type, self.keys, self.children)
        return _structure, (known, self.keys, self.children)

    def _told(self) -> tuple[Any, ...]:
        return self.type, self.keys, tuple(map(type, self.keys)), self.children

    def build(self, leaves: Iterator[Any]) -> Any:
        """The nest with the next leaves in its places."""
        if self.type is None:
            return next(leaves)
        parts = [child.build(leaves) for child in self.children]
        if issubclass(self.type, Nest):
            return self.type.of(self.keys, parts)
        if issubclass(self.type, dict):
            return _new_dict(self.type, self.keys, parts)
        if dataclasses.is_dataclass(self.type):
            return _new_dataclass(self.type, self.keys, parts)
        if hasattr(self.type, '_fields'):
            return self.type(*parts)
        return self.type(parts)

    def __str__(self) -> str:
        if self.type is None:
            return '*'
        parts = [str(child) for child in self.children]
        if issubclass(self.type, Nest):
            return self.type.shown(self.keys, parts)
        if issubclass(self.type, dict):
            items = (f'{key!r}: {part}' for key, part in zip(self.keys, parts, strict=True))
            return '{' + ', '.join(items) + '}'
        if self.type is list:
            return '[' + ', '.join(parts) + ']'
        if self.type is tuple:
            return '(' + ', '.join(parts) + (',)' if len(parts) == 1 else ')')
        names = self.keys or getattr(self.type, '_fields', ())
        inside = ', '.join(f'{k}={p}' for k, p in zip(names, parts, strict=True))
        return f'{self.type.__name__}({inside})'


def _structure(
    description: Described, keys: tuple[Any, ...], children: tuple[Structure, ...]
) -> Structure:
    from .nest_classes import class_of

    return Structure(class_of(description), keys, children)


LEAF = Structure()


def _new_dict(type_: Any, keys: Sequence[Any], parts: Sequence[Any]) -> Any:
    result = type_.__new__(type_)
    for key, part in zip(keys, parts, strict=True):
        result[key] = part
    return result


def _new_dataclass(type_: type[Any], keys: Sequence[str], parts: Sequence[Any]) -> Any:
    """A dataclass with the given fields; `__init__` is not run, since it ran for the original."""
    result: Any = object.__new__(type_)
    for key, part in zip(keys, parts, strict=True):
        object.__setattr__(result, key, part)
    return result


def is_plain_dataclass(value: Any) -> bool:
    """A dataclass instance that is nothing but its fields."""
    if not dataclasses.is_dataclass(value) or isinstance(value, Nest):
        return False
    fields = [f.name for f in dataclasses.fields(value)]
    return all(hasattr(value, name) for name in fields) and set(
        getattr(value, '__dict__', fields)
    ) <= set(fields)


# Kinds of leaves, which most are of: they are known without a look at what may make a nest.
LEAVES: set[type[Any]] = {
    type(None), bool, int, float, complex, str, bytes, np.ndarray, np.float64, np.int64, np.bool_}


def parts_of(value: Any) -> tuple[tuple[Any, ...], list[Any]] | None:
    """The keys and children of a nest; None for a leaf."""
    kind = type(value)
    if kind in LEAVES:
        return None
    if kind is tuple or kind is list:
        return (), list(value)
    if isinstance(value, dict):
        is_plain = kind.__init__ is dict.__init__ or kind is OrderedDict
        return (tuple(value), list(value.values())) if is_plain else None
    if isinstance(value, tuple) and hasattr(kind, '_fields'):
        return (), list(value)
    if isinstance(value, Nest):
        return type(value).parts(value)
    if not isinstance(value, type) and is_plain_dataclass(value):
        names = tuple(f.name for f in dataclasses.fields(value))
        return names, [getattr(value, name) for name in names]
    return None


def flatten(nest: Any) -> tuple[list[Any], Structure]:
    """The leaves in order, and the structure that holds them.

    Raises:
      StagingError: it holds itself.
    """
    leaves: list[Any] = []
    try:
        return leaves, _flatten(nest, leaves)
    except RecursionError:
        from .endless_nests import check_has_end  # it looks into nests, of which few are endless

        check_has_end(nest)
        raise


def _flatten(nest: Any, leaves: list[Any]) -> Structure:
    if type(nest) in LEAVES:
        leaves.append(nest)
        return LEAF
    nest = actual(nest)
    parts = parts_of(nest)
    if parts is None:
        leaves.append(nest)
        return LEAF
    keys, children = parts
    return Structure(type(nest), keys, tuple(_flatten(child, leaves) for child in children))


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The nest with these leaves."""
    return structure.build(iter(leaves))


def depth(nest: Any) -> int:
    """How many containers are in each other at most."""
    return _depth(flatten(nest)[1])


def _depth(structure: Structure) -> int:
    return 1 + max(map(_depth, structure.children)) if structure.children else 0


def is_leaf(value: Any) -> bool:
    """Whether the value is no nest."""
    return parts_of(actual(value)) is None


def map_leaves(function: Callable[[Any], Any], nest: Any) -> Any:
    """The nest with the function applied to every leaf."""
    leaves, structure = flatten(nest)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def children(nest: Any) -> list[Any]:
    """The parts of a nest; none of a leaf."""
    if type(nest) in LEAVES:
        return []
    parts = parts_of(actual(nest))
    return parts[1] if parts else []


def have_same_parts(a: Any, b: Any) -> bool:
    """Whether two nests have the same parts, whatever these are, or are no nests both."""
    a, b = actual(a), actual(b)
    parts, others = parts_of(a), parts_of(b)
    if parts is None or others is None:
        return parts is others
    return type(a) is type(b) and parts[0] == others[0] and len(parts[1]) == len(others[1])


def map_children(function: Callable[..., Any], *nests: Any) -> Any:
    """The first nest with the function applied to its children and those of the other nests.

    Where the nests are not of one form, the first is left as it is.
    """
    nests = tuple(map(actual, nests))
    parts = [parts_of(nest) for nest in nests]
    first = parts[0]
    if first is None or any(
        type(nest) is not type(nests[0]) or part is None or part[0] != first[0]
        or len(part[1]) != len(first[1])
        for nest, part in zip(nests, parts, strict=True)
    ):  # fmt: skip
        return nests[0]
    mapped = [function(*row) for row in zip(*(part[1] for part in parts if part), strict=True)]
    one_level = Structure(type(nests[0]), first[0], (LEAF,) * len(mapped))
    return unflatten(one_level, mapped)


def paths(structure: Structure, root: str) -> list[str]:
    """What the user would write for each leaf: `x`, `x[0]`, `x['k']`, `x.field`."""
    if structure.type is None:
        return [root]
    return [
        path
        for step, child in zip(steps(structure), structure.children, strict=True)
        for path in paths(child, root + step)
    ]


def steps(structure: Structure) -> list[str]:
    """What the user would write behind its name for each child of a structure that has some."""
    if structure.type is None:
        return []
    if issubclass(structure.type, dict):
        return [f'[{key!r}]' for key in structure.keys]
    if issubclass(structure.type, Nest):
        return structure.type.steps(structure.keys, len(structure.children))
    if structure.keys or hasattr(structure.type, '_fields'):
        return [f'.{key}' for key in structure.keys or structure.type._fields]
    return [f'[{i}]' for i in range(len(structure.children))]


def difference(a: Structure, b: Structure, root: str) -> tuple[Structure, Structure, str]:
    """The innermost parts in which alone two structures differ, and what the user calls them."""
    while a.type is b.type and a.keys == b.keys and len(a.children) == len(b.children):
        pairs = zip(a.children, b.children, steps(a), strict=True)
        differing = [each for each in pairs if each[0] != each[1]]
        if len(differing) != 1:
            break
        a, b, step = differing[0]
        root += step
    return a, b, root
