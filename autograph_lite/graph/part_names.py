"""What the user calls an attribute or an item, with what Python raises where it is not there."""
from __future__ import annotations

import types
from typing import Any

from ..errors import UnboundError, no_value
from ..pyct.asking import in_dict, members_of


class PartName(str):
    """A name such as `o.x` or `TABLE['x']`.

    Attributes:
      error: the class of what Python raises where that is missing.
      argument: what that is given.
    """

    __slots__ = ('argument', 'error')
    argument: Any
    error: type[Exception]

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return 'no_item' if issubclass(self.error, KeyError) else 'no_attribute'


def part_name(name: str, owner: Any, key: Any) -> str:
    """The name of what an object, a class, a module or a dict holds; as it is, for any other.

    Args:
      name: what the user calls it.
      owner: what lacks it now.
      key: the name of the attribute, or the key.
    """
    if isinstance(owner, dict):
        return _named(name, KeyError, key)
    if not isinstance(key, str) or isinstance(owner, (types.FunctionType, types.CellType)):
        return name
    kinds: tuple[Any, ...] = (type, types.ModuleType, object)
    kind = next(kind for kind in kinds if isinstance(owner, kind))
    is_computed = kind is object and key in members_of(owner).caches  # who asks, computes it
    try:
        if is_computed and key not in in_dict(owner):
            kind.__delattr__(owner, key)
        kind.__getattribute__(owner, key)
    except AttributeError as error:
        return _named(name, AttributeError, str(error))
    return name


def _named(name: str, error: type[Exception], argument: Any) -> PartName:
    named = PartName(name)
    named.error, named.argument = error, argument
    return named


def missing(name: str) -> tuple[type[Exception], tuple[Any, ...]]:
    """What the running program raises where there is nothing under a name: its class, and parts.
    """
    if isinstance(name, PartName):
        return name.error, (name.argument,)
    return UnboundError, no_value(name)
