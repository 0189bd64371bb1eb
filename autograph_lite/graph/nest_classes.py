"""Classes of nests in pickles: where a named tuple or dataclass cannot be imported, one like it."""
from __future__ import annotations

import collections
import dataclasses
import functools
import importlib
from typing import Any

Described = tuple[str, str, str, tuple[str, ...]]


def described(kind: type[Any]) -> Described | None:
    """Its kind, module, name and fields, if it is a named tuple or a dataclass."""
    if issubclass(kind, tuple) and hasattr(kind, '_fields'):
        return 'named tuple', kind.__module__, kind.__qualname__, tuple(kind._fields)
    if dataclasses.is_dataclass(kind):
        names = tuple(field.name for field in dataclasses.fields(kind))
        return 'dataclass', kind.__module__, kind.__qualname__, names
    return None


def class_of(description: Described) -> type[Any]:
    """The class that is described, or one like it."""
    _, module, name, _ = description
    try:
        found: Any = importlib.import_module(module)
        for part in name.split('.'):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return _like(description)
    return found if isinstance(found, type) and described(found) == description else (
        _like(description))


@functools.cache
def _like(description: Described) -> type[Any]:
    kind, module, name, fields = description
    short = name.rpartition('.')[2]
    makers: dict[str, Any] = {
        'named tuple': collections.namedtuple,
        'dataclass': dataclasses.make_dataclass,
    }
    made: type[Any] = makers[kind](short, fields)
    made.__module__, made.__qualname__ = module, name
    return made
