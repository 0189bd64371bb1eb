"""What the lowered program calls where a value may be missing."""
from __future__ import annotations

from typing import Any

from ..graph.part_names import missing


def present(value: Any, name: str) -> Any:
    """The value itself.

    Args:
      value: a value of the program.
      name: the user's variable that has no value if this is missing.

    Raises:
      UnboundError: it is missing, and so the variable has no value.
      AttributeError: the same of an attribute.
      KeyError: the same of an item.
    """
    if value is None:
        error, parts = missing(name)
        raise error(*parts)
    return value


def not_none(value: Any, name: str) -> Any:
    """The value itself.

    Args:
      value: a value of the program.
      name: what the user calls it; empty for what has no name.

    Raises:
      TypeError: it is None.
    """
    if value is None:
        raise TypeError(f'An array or a number is needed here, and {name or "the value"} is None.')
    return value


def not_none_to(value: Any, says: str) -> Any:
    """The value itself, for an operator.

    Args:
      value: a value of the program.
      says: what Python says where it is None.

    Raises:
      TypeError: it is None.
    """
    if value is None:
        raise TypeError(says)
    return value
