"""What the lowered program calls where a value may be missing."""
from __future__ import annotations

from typing import Any


def present(value: Any, name: str) -> Any:
    """The value itself.

    Raises:
      UnboundLocalError: it is missing, and so the variable of this name has no value.
      TypeError: it is missing, and no variable is: it is an optional value that is None.
    """
    if value is not None:
        return value
    if name:
        raise UnboundLocalError(f'{name!r} is read here, but it has no value yet.')
    raise TypeError('A value is used here that is None.')
