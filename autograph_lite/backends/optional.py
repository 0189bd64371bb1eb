"""What the lowered program calls where a value may be missing."""
from __future__ import annotations

from typing import Any

from ..errors import UnboundError


def present(value: Any, name: str) -> Any:
    """The value itself.

    Args:
      value: a value of the program.
      name: the user's variable that has no value if this is missing; empty where None is a value.

    Raises:
      UnboundError: it is missing, and so the variable has no value.
      TypeError: it is None.
    """
    if value is not None:
        return value
    if name:
        raise UnboundError(f'{name!r} is read here, but no way that led here gave it a value.')
    raise TypeError('An array or a number is needed here, and the value is None.')
