"""Which of what a call of a recursive function was given, or found around it, it gives back.

    def down(n, a):
        if n == 0:
            return a
        a[n] = n
        return down(n - 1, a)

Where every way gives the argument itself, the caller gets its own: another name for it. Where some
ways do, the result may be that or a new one.
"""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph import nest
from ..graph.state import State
from ..graph.tensor import Tensor
from .block_ways import has_identity, returned_by_blocks, what_it_may_be
from .other_names import has_name_after_call
from .outside import is_anothers, is_outside
from .reachable import Reachable
from .watched import is_container, is_watched, watch

# What a part of a result may be: parts of what was given, by number, or what is around; None for
# something new.
Origins = frozenset[Any]

_NEW: Origins = frozenset([None])
_Around = Callable[[], frozenset[int]]  # what is around, by identity


class Around:
    """Something around a function, told by its identity."""

    __slots__ = ('value',)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Around) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


class GivenParts:
    """What a function is given, by numbers that each call of it has for the same parts."""

    def __init__(self, given: Any) -> None:
        self._parts = list(parts(given))
        self._numbers = {id(x): i for i, x in enumerate(self._parts) if _is_one(x)}

    def origins(self, returned: Any, changed: Any, reached: Reachable) -> tuple[Origins, ...]:
        """What each part of what the function returns may be.

        Args:
          returned: what it returns.
          changed: the same in the form in which the graph returns it.
          reached: what the function can reach without being given it.
        """
        around = functools.cache(lambda: frozenset(
            id(nest.actual(x)) for held in reached.held for x in held.content.values()))
        return tuple(self._of_each(returned, changed, around))

    def _of_each(self, returned: Any, changed: Any, around: _Around) -> Iterator[Origins]:
        returned, changed = nest.actual(returned), nest.actual(changed)
        possible = what_it_may_be(returned) if _is_one(returned) else None
        yield frozenset(
            [self._origin(returned, around)] if possible is None
            else [None, *(self._origin(one, around) for one in possible)])
        inside = nest.children(returned), nest.children(changed)
        if len(inside[0]) == len(inside[1]):
            for one, other in zip(*inside, strict=True):
                yield from self._of_each(one, other, around)
            return
        for part in inside[1]:
            yield from (_NEW for _ in parts(part))

    def _origin(self, x: Any, around: _Around) -> Any:
        if not _is_one(x):
            return None
        if id(x) in self._numbers:
            return self._numbers[id(x)]
        is_around = is_container(x) and (is_outside(x) or id(x) in around())
        return Around(x) if is_around else None


def parts(x: Any) -> Iterator[Any]:
    """A nest, and all that is in it."""
    x = nest.actual(x)
    yield x
    for part in nest.children(x):
        yield from parts(part)


def given_back(result: Any, origins: Sequence[Origins], given: Sequence[Any]) -> Any:
    """The result of a call, with what the caller has where that is given back.

    Args:
      result: new arrays, lists and the like.
      origins: what each part of it may be.
      given: the parts of what the call was given.
    """
    if all(each == _NEW for each in origins):
        return result
    return _given_back(result, iter(origins), given)


def _given_back(x: Any, origins: Iterator[Origins], given: Sequence[Any]) -> Any:
    may_be = [
        each.value if isinstance(each, Around) else None if each is None else given[each]
        for each in next(origins)]
    x = nest.map_children(lambda part: _given_back(part, origins, given), x)
    only = may_be[0] if len(may_be) == 1 else None
    if only is not None and _is_same_kind(only, x):
        return only
    _watch(x, [one for one in may_be if is_container(one)])
    return x


def _is_one(x: Any) -> bool:
    """Whether other names see how it changes."""
    if isinstance(x, State):
        return False
    return bool(x.memory) if isinstance(x, Tensor) else has_identity(x)


def _is_same_kind(x: Any, result: Any) -> bool:
    """Whether what was given stands for a result as it is; an array may have become a wider one."""
    if not isinstance(x, Tensor):
        return type(x) is type(result)
    if not isinstance(result, Tensor):
        return False
    return x.type.dtype == result.type.dtype and x.type.weak == result.type.weak


def _watch(result: Any, possible: Sequence[Any]) -> None:
    """What may be one of these, which have other names, is not modified from now on."""
    if not possible:
        return
    returned_by_blocks().append((result, [*possible, result]))
    named = [
        one for one in possible
        if is_watched(id(one)) or is_anothers(id(one)) or has_name_after_call(one)]
    if named:
        watch(result, *named)
