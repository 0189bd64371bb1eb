"""A value for a name that has none yet, so that it can be passed and returned like any other."""
from __future__ import annotations

from typing import Any

from ..errors import UnboundError, describe, user_location
from ..graph import nest
from ..graph.tensor import State, Tensor
from ..graph.tracing import unwrap


class NotYetError(UnboundError):
    """A turn of a loop reads a variable of which only a later turn may know the type."""


class Unbound(State):
    """What a name holds where plain Python would have nothing: reading it is an error.

    Attributes:
      name: the user's name; empty for a name that only generated code uses, under a flag.
      why: which way left the name without a value, where that is known while tracing.
      reads: in a loop that may yet find its type, takes the errors for where it is read.
    """

    __slots__ = ('_tensor', 'name', 'reads', 'why')

    def __init__(
        self,
        name: str,
        why: str = '',
        tensor: Tensor | None = None,
        reads: list[UnboundError] | None = None,
    ) -> None:
        self.name = name
        self.why = why
        self.reads = reads
        self._tensor = tensor

    @property
    def value(self) -> Any:
        """The value, where the name is read.

        Raises:
          UnboundError: it has none.
        """
        return bound(self)

    @property
    def tensor(self) -> Tensor | None:
        """In a graph, the tensor that is there unless the value is missing at run time.

        A result under a flag is read only where it was the last thing to be given a value: what
        other ways do to its memory does not matter.
        """
        if self._tensor is None or self.name:
            return self._tensor
        return type(self._tensor)(self._tensor.held, self._tensor.memory)

    def holding(self, tensor: Tensor) -> Unbound:
        """The same, of a tensor that may be there."""
        return Unbound(self.name, self.why, tensor)

    def __repr__(self) -> str:
        return f'<{self.name or "a result"} is unbound>'

    def __bool__(self) -> bool:
        return bool(self.value)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)


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
    if value.tensor is None or value.why:
        message = describe(
            f'{value.name!r} is read here, but {value.why or "it has no value yet"}.',
            user_location(),
            f'Give {value.name!r} a value on every way that leads here.',
        )
        if value.reads is not None and not value.why:
            value.reads.append(UnboundError(message))
            raise NotYetError(message)
        raise UnboundError(message)
    return unwrap(value.tensor, value.name, sure=not value.name)
