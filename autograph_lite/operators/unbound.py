"""A value for a name that has none yet, so that it can be passed and returned like any other."""
from __future__ import annotations

from typing import Any

from ..errors import UnboundError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import unwrap


class Unbound:
    """What a name holds where plain Python would have nothing: reading it is an error.

    Attributes:
      name: the user's name; empty for a name that only generated code uses, under a flag.
      why: which way left the name without a value, where that is known while tracing.
    """

    __slots__ = ('_value', 'name', 'why')

    def __init__(self, name: str, why: str = '', value: Tensor | None = None) -> None:
        self.name = name
        self.why = why
        self._value = value

    @property
    def value(self) -> Tensor | None:
        """In a graph, the tensor that is there unless the value is missing at run time.

        A result under a flag is read only where it was the last thing to be given a value: what
        other ways do to its memory does not matter.
        """
        if self._value is None or self.name:
            return self._value
        return type(self._value)(self._value.held, self._value.memory)

    def holding(self, value: Tensor) -> Unbound:
        """The same, of a tensor that may be there."""
        return Unbound(self.name, self.why, value)

    def __repr__(self) -> str:
        return f'<{self.name or "a result"} is unbound>'

    def __bool__(self) -> bool:
        bound(self)
        return False


def unbound(name: str = '') -> Any:
    """A value for the name that has none yet."""
    return Unbound(name)


def bound(value: Any) -> Any:
    """The value itself; where only the running graph can know whether it has one, checked there.

    Raises:
      UnboundError: the name that holds it has no value.
    """
    if not isinstance(value, Unbound):
        return value if nest.is_leaf(value) else nest.map_children(bound, value)
    if value.value is None or value.why:
        raise UnboundError(
            describe(
                f'{value.name!r} is read here, but {value.why or "it has no value yet"}.',
                user_location(),
                f'Give {value.name!r} a value on every way that leads here.',
            )
        )
    return unwrap(value.value, value.name, sure=not value.name)
