"""A value for a name that has none yet, so that it can be passed and returned like any other."""
from __future__ import annotations

from typing import Any

from ..errors import UnboundError, describe, user_location


class Unbound:
    """What a name holds where plain Python would have nothing: reading it is an error.

    `why` says, in a staged program, which way left the name without a value.
    """

    def __init__(self, name: str, why: str = '') -> None:
        self.name = name
        self.why = why

    def __repr__(self) -> str:
        return f'<{self.name} is unbound>'

    def __bool__(self) -> bool:
        bound(self)
        return False


def unbound(name: str) -> Unbound:
    """A value for the name that has none yet."""
    return Unbound(name)


def bound(value: Any) -> Any:
    """The value itself.

    Raises:
      UnboundError: the name that holds it has no value.
    """
    if isinstance(value, Unbound):
        raise UnboundError(
            describe(
                f'{value.name!r} is read here, but {value.why or "it has no value yet"}.',
                user_location(),
                f'Give {value.name!r} a value on every way that leads here.',
            )
        )
    return value
