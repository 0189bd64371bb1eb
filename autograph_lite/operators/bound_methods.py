"""Methods of lists and dicts that have a name of their own: `add = items.append`.

It may be a partial call of one, `add = functools.partial(items.append, 1.0)`.
"""
from __future__ import annotations

import functools
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
        return method_in(self._place.read()).__self__

    def _value(self) -> Any:
        return self.held()

    def put(self, value: Any) -> None:
        for other in self.others:
            other.put(value)
        method = method_in(self.owner)
        is_own = value is method.__self__
        self._place.put(
            self.owner if is_own else _made_like(self.owner, getattr(value, method.__name__)))

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


def method_in(x: Any) -> Any:
    """The method that a partial call calls; any other value itself."""
    return method_in(x.func) if isinstance(x, functools.partial) else x


def _made_like(like: Any, method: Any) -> Any:
    """A partial call of a method like that of another one, or the method itself."""
    if not isinstance(like, functools.partial):
        return method
    return functools.partial(_made_like(like.func, method), *like.args, **like.keywords)
