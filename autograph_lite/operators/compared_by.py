"""`functools.cmp_to_key`: objects that a function of the user's compares, which is converted."""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..graph.dispatch import replaces
from ..graph.tracing import is_tracing
from .reentry import call


@dataclass(eq=False)
class ComparedBy:
    """Stands for what a function made by `functools.cmp_to_key` gives.

    Attributes:
      function: tells of two objects which one is less.
      obj: the object.
    """

    function: Callable[[Any, Any], Any]
    obj: Any

    def compared(self, symbol: str, other: Any) -> Any:
        """What `self < other` and its like give."""
        from .comparing import compared

        if not isinstance(other, ComparedBy):
            return NotImplemented
        return compared(call(self.function, self.obj, other.obj), symbol, 0)


@replaces(functools.cmp_to_key)
def _cmp_to_key(mycmp: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    if not is_tracing():
        return functools.cmp_to_key(mycmp)
    return functools.partial(ComparedBy, mycmp)
