"""Nested structures: tuples, lists, dicts, named tuples and dataclasses of leaves."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any


class Nest:
    """What stands for a nest of another type while a graph is traced."""

    __slots__ = ()

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


class Successor:
    """The only element of a list that has become something else, which it knows.

    Attributes:
      successor: what the list has become; None where that is not known.
    """

    __slots__ = ()
    successor: Any


def actual(value: Any) -> Any:
    """What a list has become; anything else itself."""
    while type(value) is list and len(value) == 1 and isinstance(value[0], Successor):
        if value[0].successor is None:
            break
        value = value[0].successor
    return value


@dataclass(frozen=True)
class Structure:
    """The shape of a nest without its leaves: comparable, hashable, and able to rebuild a nest.

    A leaf is a structure whose `type` is None. `keys` are a dict's keys or a dataclass's fields.
    """

    type: type[Any] | None = None
    keys: tuple[Any, ...] = ()
    children: tuple[Structure, ...] = ()

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


def _is_plain_dataclass(value: Any) -> bool:
    """A dataclass instance that is nothing but its fields."""
    if not dataclasses.is_dataclass(value):
        return False
    fields = [f.name for f in dataclasses.fields(value)]
    return all(hasattr(value, name) for name in fields) and set(
        getattr(value, '__dict__', fields)
    ) <= set(fields)


def _parts(value: Any) -> tuple[tuple[Any, ...], list[Any]] | None:
    """The keys and children of a nest; None for a leaf."""
    kind = type(value)
    if kind is tuple or kind is list:
        return (), list(value)
    if isinstance(value, dict):
        return (tuple(value), list(value.values())) if kind.__init__ is dict.__init__ else None
    if isinstance(value, tuple) and hasattr(kind, '_fields'):
        return (), list(value)
    if isinstance(value, Nest):
        return value.parts()
    if not isinstance(value, type) and _is_plain_dataclass(value):
        names = tuple(f.name for f in dataclasses.fields(value))
        return names, [getattr(value, name) for name in names]
    return None


def flatten(nest: Any) -> tuple[list[Any], Structure]:
    """The leaves in order, and the structure that holds them."""
    leaves: list[Any] = []
    return leaves, _flatten(nest, leaves)


def _flatten(nest: Any, leaves: list[Any]) -> Structure:
    nest = actual(nest)
    parts = _parts(nest)
    if parts is None:
        leaves.append(nest)
        return LEAF
    keys, children = parts
    return Structure(type(nest), keys, tuple(_flatten(child, leaves) for child in children))


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The nest with these leaves."""
    return structure.build(iter(leaves))


def is_leaf(value: Any) -> bool:
    """Whether the value is no nest."""
    return _parts(actual(value)) is None


def map_leaves(function: Callable[[Any], Any], nest: Any) -> Any:
    """The nest with the function applied to every leaf."""
    leaves, structure = flatten(nest)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def parts(nest: Any) -> tuple[tuple[Any, ...], list[Any]] | None:
    """The keys and the children of a nest; None for a leaf."""
    return _parts(actual(nest))


def children(nest: Any) -> list[Any]:
    """The parts of a nest; none of a leaf."""
    parts = _parts(actual(nest))
    return parts[1] if parts else []


def map_children(function: Callable[..., Any], *nests: Any) -> Any:
    """The first nest with the function applied to its children and those of the other nests.

    Where the nests are not of one form, the first is left as it is.
    """
    nests = tuple(map(actual, nests))
    parts = [_parts(nest) for nest in nests]
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
    if issubclass(structure.type, dict):
        steps = [f'[{key!r}]' for key in structure.keys]
    elif issubclass(structure.type, Nest):
        steps = structure.type.steps(structure.keys, len(structure.children))
    elif structure.keys or hasattr(structure.type, '_fields'):
        steps = [f'.{key}' for key in structure.keys or structure.type._fields]
    else:
        steps = [f'[{i}]' for i in range(len(structure.children))]
    return [
        path
        for step, child in zip(steps, structure.children, strict=True)
        for path in paths(child, root + step)
    ]


def contents(nest: Any) -> list[tuple[Any, Any]]:
    """What the lists, dicts and dataclasses of the nest hold now."""
    found: list[tuple[Any, Any]] = []
    nest = actual(nest)
    parts = _parts(nest)
    if isinstance(nest, (list, dict)) or (parts and _is_plain_dataclass(nest)):
        found.append((nest, content(nest)))
    for child in parts[1] if parts else ():
        found += contents(child)
    return found


def content(container: Any) -> Any:
    """What a list, dict or dataclass holds now, as a list or dict of its own."""
    if isinstance(container, (list, dict)):
        return container.copy()
    keys, parts = _parts(container) or ((), [])
    return dict(zip(keys, parts, strict=True))


def holds(container: Any, before: Any) -> bool:
    """Whether a list, dict or dataclass still holds the very same."""
    now = container if isinstance(container, (list, dict)) else content(container)
    if len(now) != len(before):
        return False
    if isinstance(now, dict):
        return all(key in before and before[key] is value for key, value in now.items())
    return all(a is b for a, b in zip(now, before, strict=True))
