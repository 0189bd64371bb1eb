"""Methods of lists and dicts that have a name of their own: `add = items.append`."""
from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Any

from .holders import Holder

_METHODS = (types.BuiltinMethodType, types.MethodType)


def is_method(x: Any) -> bool:
    """Whether it is a method of an object."""
    return isinstance(x, _METHODS) and not isinstance(x.__self__, types.ModuleType)


@dataclass(frozen=True, eq=False)
class OwnerOfMethod(Holder):
    """What a method is of that some place holds; with another one put there, its method is there.

    Attributes:
      holder: the place that holds the method.
    """

    holder: Holder | None = None

    def held(self) -> Any:
        return self._place.read().__self__

    def _value(self) -> Any:
        return self.held()

    def put(self, value: Any) -> None:
        for other in self.others:
            other.put(value)
        is_own = value is self.owner.__self__
        self._place.put(self.owner if is_own else getattr(value, self.owner.__name__))

    @property
    def identity(self) -> tuple[int, Any]:
        return self._place.identity[0], ('owner', self._place.identity[1])

    @property
    def _place(self) -> Holder:
        assert self.holder is not None
        return self.holder


def owner_of_method(holder: Holder) -> OwnerOfMethod:
    """What the method in a place is of."""
    method = holder.read()
    return OwnerOfMethod(method, 0, f'what {holder.name} is a method of', holder=holder)
