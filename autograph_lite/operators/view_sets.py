"""The keys and the items of a dict as a set, which they are to operators.

    new = counts.keys() - known.keys()
"""
from __future__ import annotations

import operator
from collections.abc import Iterable, Set
from typing import Any

from .sets import StagedSet


class SetOfView:
    """What stands for `d.keys()`, `d.values()` or `d.items()`: all but the values are sets.

    Attributes:
      part: which of them: the name of the method.
    """

    part: str

    def listed(self) -> Any:
        """The list of them as they are now."""
        raise NotImplementedError

    def length(self) -> Any:
        """How many there are now."""
        raise NotImplementedError

    def isdisjoint(self, other: Any) -> Any:
        """Whether nothing is in both."""
        if self.part == 'values':
            raise AttributeError("'dict_values' object has no attribute 'isdisjoint'")
        others = other.listed() if isinstance(other, SetOfView) else other
        return StagedSet(self.listed()).isdisjoint(others)

    __hash__ = object.__hash__


def _set_of(x: Any) -> Any:
    """A set of Python's or of the graph; NotImplemented for what is none."""
    if isinstance(x, SetOfView):
        return NotImplemented if x.part == 'values' else StagedSet(x.listed())
    if isinstance(x, StagedSet):
        return x
    return set(x) if isinstance(x, Set) else NotImplemented


def _iterated(x: Any) -> Any:
    """The same of what an operator makes a new set with: of all that can be gone over."""
    found = _set_of(x)
    if found is NotImplemented and isinstance(x, Iterable):
        found = StagedSet([])
        found.update(x)
    return found


def _operator(name: str, given: Any, is_swapped: bool = False) -> Any:
    function = getattr(operator, name)

    def method(self: SetOfView, other: Any) -> Any:
        mine, others = _set_of(self), given(other)
        if mine is NotImplemented or others is NotImplemented:
            return NotImplemented
        return function(others, mine) if is_swapped else function(mine, others)

    return method


for _name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
    setattr(SetOfView, f'__{_name}__', _operator(_name, _set_of))
for _name in ('or', 'and', 'sub', 'xor'):
    setattr(SetOfView, f'__{_name}__', _operator(f'__{_name}__', _iterated))
    setattr(SetOfView, f'__r{_name}__', _operator(f'__{_name}__', _iterated, is_swapped=True))
