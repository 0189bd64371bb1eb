"""`PerhapsBound`: a name that may have no value, beside one that tells whether it has.

    for x in xs:
        last = None
    return last

What is there is no array or number, which could be missing itself, or may be `None` itself.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..graph import dispatch, nest
from ..graph.part_names import missing
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing
from ..ops.effects import RAISE
from .effects import Diverged
from .reentry import cond
from .staging import unchanged
from .unbound import Unbound, unbound


class PerhapsBound(nest.Nest):
    """What a name holds.

    Attributes:
      name: the name.
      is_bound: whether it has a value.
      held: the value; what stands in its place where it has none.
    """

    __slots__ = ('held', 'is_bound', 'name')

    def __init__(self, name: str, is_bound: Any, held: Any) -> None:
        self.name = name
        self.is_bound = is_bound
        self.held = held

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.name,), [self.is_bound, self.held]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (name,), (is_bound, held) = keys, parts
        return cls(name, is_bound, held) if is_tracing() else held

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return parts[1]

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['', '']

    def check(self) -> None:
        """The name must have a value; where only the running graph knows, it is asked then.

        Raises:
          UnboundError: it has none.
        """
        def fail() -> None:
            error, parts = missing(self.name)
            emit(RAISE, [], {'error': error, 'parts': [*parts]})
            raise Diverged

        if isinstance(self.is_bound, Tensor):
            cond(self.is_bound, unchanged, fail)
        elif not self.is_bound:
            _ = Unbound(self.name).value


def _check(value: Unbound) -> None:
    PerhapsBound(value.name, value.is_bound, value.there).check()


dispatch.FALLBACKS['check bound'] = _check


def perhaps_bound(value: Any, name: str) -> PerhapsBound:
    """What a way gave to a name, or the lack of it."""
    if isinstance(value, Unbound):
        return PerhapsBound(name, False, unbound())
    return PerhapsBound(name, True, value)
