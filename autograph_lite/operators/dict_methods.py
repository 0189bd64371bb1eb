"""The methods of what stands for a dict that are the same for each kind of it."""
from __future__ import annotations

from collections import Counter
from typing import Any

from ..graph import nest
from .counters import combined, compared_counts, elements, is_counter, put_together, subtract
from .living_lists import as_now
from .logic import not_


class DictViews:
    """The views of what stands for a dict."""

    __slots__ = ()

    def keys(self) -> Any:
        """The keys."""
        return self._view('keys')

    def values(self) -> Any:
        """The values."""
        return self._view('values')

    def items(self) -> Any:
        """The keys with their values."""
        return self._view('items')

    def _view(self, part: str) -> Any:
        raise NotImplementedError


class DictMethods(DictViews, nest.Mutable):
    """What stands for a dict, which may be a Counter: then it has the operators of one."""

    __slots__ = ()

    def length(self) -> Any:
        """How many keys there are."""
        raise NotImplementedError

    def as_condition(self) -> Any:
        """A dict is true if it is not empty."""
        return self.length()

    def __ne__(self, other: object) -> Any:
        return not_(self == other)

    def __or__(self: Any, other: Any) -> Any:
        other = as_now(nest.actual(other))
        found = combined('|', self, other) if self.kind is Counter else NotImplemented
        if found is not NotImplemented or not isinstance(other, dict | nest.Mutable):
            return found
        made = self.copy()
        if self.kind is Counter:
            made.kind = dict  # as Python makes of a Counter and a dict
        made.update(other)
        return made

    def __ior__(self: Any, other: Any) -> Any:
        if self.kind is Counter:
            return put_together('|', self, other)
        self.update(other)
        return self

    def __add__(self, other: Any) -> Any:
        return combined('+', self, other)

    def __radd__(self, other: Any) -> Any:
        return combined('+', other, self)

    def __iadd__(self, other: Any) -> Any:
        return put_together('+', self, other)

    def __sub__(self, other: Any) -> Any:
        return combined('-', self, other)

    def __rsub__(self, other: Any) -> Any:
        return combined('-', other, self)

    def __isub__(self, other: Any) -> Any:
        return put_together('-', self, other)

    def __and__(self, other: Any) -> Any:
        return combined('&', self, other)

    def __rand__(self, other: Any) -> Any:
        return combined('&', other, self)

    def __iand__(self, other: Any) -> Any:
        return put_together('&', self, other)

    def __pos__(self) -> Any:
        _check_sign(self, '+')
        return combined('+', self, Counter())

    def __neg__(self) -> Any:
        _check_sign(self, '-')
        return combined('-', Counter(), self)

    def __le__(self, other: Any) -> Any:
        return compared_counts('<=', self, other)

    def __lt__(self, other: Any) -> Any:
        return compared_counts('<', self, other)

    def __ge__(self, other: Any) -> Any:
        return compared_counts('<=', other, self)

    def __gt__(self, other: Any) -> Any:
        return compared_counts('<', other, self)

    def subtract(self, other: Any = ()) -> None:
        """Takes as many off each count as the other has."""
        _check(self, 'subtract')
        subtract(self, other)

    def elements(self) -> Any:
        """The list of the keys, each as often as it counts."""
        _check(self, 'elements')
        return elements(self)


def _check_sign(x: Any, sign: str) -> None:
    if not is_counter(x):
        raise TypeError(f"bad operand type for unary {sign}: '{nest.kind_of(x).__name__}'")


def _check(x: Any, name: str) -> None:
    if not is_counter(x):
        raise AttributeError(f"'{nest.kind_of(x).__name__}' object has no attribute {name!r}")
