"""Lists, dicts and the like that stand at several places of what a traced function returns.

    return rows, {'rows': rows}

The graph gives what each place holds: at the others that is what stands at the first one.
"""
from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

from ..graph import nest
from ..keys import is_container
from .contents import content
from .lists import StagedList
from .opened import Path, is_plain
from .progress import Collection

Places = tuple[tuple[Path, Path], ...]


class Repeated(nest.Nest):
    """Stands for what is returned, with places that hold what other places do.

    Attributes:
      value: what is returned.
      places: the first place of each container that has several, and another one.
    """

    __slots__ = ('places', 'value')

    def __init__(self, value: Any, places: Places) -> None:
        self.value = value
        self.places = places

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return self.places, [self.value]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (value,) = parts
        for first, other in keys:
            value = _put(value, other, _at(value, first))
        return value

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return parts[0]

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']


def with_repeated(returned: Any, opened: Any) -> Any:
    """What a traced function returns, as one whose repeated containers are one each.

    Args:
      returned: what it returns.
      opened: the same, with the objects opened that it has made.
    """
    _, structure = nest.flatten(opened)
    places = tuple(
        (first, other) for first, other in _repeated(returned, (), {}) if _leads(structure, other))
    return Repeated(opened, places) if places else opened


def _repeated(x: Any, path: Path, seen: dict[int, Path]) -> Iterator[tuple[Path, Path]]:
    x = nest.actual(x)
    if isinstance(x, Collection | StagedList | nest.Mutable) or (
            is_container(x) and not isinstance(x, tuple)) or is_plain(x):
        if id(x) in seen:
            yield seen[id(x)], path
            return
        seen[id(x)] = path
    for i, part in enumerate(_parts(x)):
        yield from _repeated(part, (*path, i), seen)


def _parts(x: Any) -> list[Any]:
    if is_plain(x):
        return list(content(x).values())
    return [] if isinstance(x, nest.Nest) else nest.children(x)


def _leads(structure: nest.Structure, path: Path) -> bool:
    """Whether a path leads through what each call makes."""
    for i in path:
        if i >= len(structure.children):
            return False
        structure = structure.children[i]
    return True


def _at(x: Any, path: Path) -> Any:
    for i in path:
        x = _parts(x)[i]
    return x


def _put(x: Any, path: Path, value: Any) -> Any:
    """What holds a value at a path: `x` itself, or another one if that is a tuple."""
    if not path:
        return value
    i, *rest = path
    part = _put(_parts(x)[i], tuple(rest), value)
    if isinstance(x, tuple):
        parts = [*x[:i], part, *x[i + 1 :]]
        return type(x)(*parts) if hasattr(x, '_fields') else type(x)(parts)
    if isinstance(x, list):
        x[i] = part
    elif isinstance(x, dict):
        x[list(x)[i]] = part
    else:
        is_data = dataclasses.is_dataclass(x)
        names = [field.name for field in dataclasses.fields(x)] if is_data else list(content(x))
        object.__setattr__(x, names[i], part)
    return x
