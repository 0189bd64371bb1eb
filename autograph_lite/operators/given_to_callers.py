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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location, with_article
from ..graph import nest
from ..graph.graph import Graph
from ..graph.state import State
from ..graph.tensor import Tensor
from .block_ways import has_identity, returned_by_blocks, what_it_may_be
from .other_names import has_name_after_call
from .outside import is_anothers, is_outside
from .reachable import Reachable
from .staging import graph_now
from .watched import content_of, is_container, is_watched, watch
from .watched_results import perhaps_modified

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

    def perhaps_modified(self, graph: Graph) -> set[int]:
        """What is modified by names that may stand for something else, too."""
        origins = (id(origin) for _, origin, _ in perhaps_modified(graph))
        return {self._numbers[each] for each in origins if each in self._numbers}

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
    named = list(filter(_is_named, possible))
    if named:
        watch(result, *named)
        return
    held = content_of(result)
    graph_now().unsure += [(result, held, one, '') for one in possible]


def _is_named(x: Any) -> bool:
    return is_watched(id(x)) or is_anothers(id(x)) or has_name_after_call(x)


def modify_perhaps(
    name: str, numbers: Collection[int], operands: Mapping[str, Any], given: Sequence[Any]
) -> None:
    """What a call modifies by names that may stand for something else is not read after it.

    Args:
      name: of the function.
      numbers: what it modifies so, as parts of what it is given.
      operands: what it is given.
      given: the parts of that.

    Raises:
      OwnershipError: something else has a name for it.
    """
    for x in (given[i] for i in sorted(numbers)):
        if _is_named(x) or sum(one is x for one in given) > 1:
            raise _perhaps_modified(name, x, operands)
        graph_now().unsure.append((x, None, x, ''))


def _perhaps_modified(name: str, x: Any, operands: Mapping[str, Any]) -> OwnershipError:
    kind = nest.kind_of(x).__name__
    called = next((key for key, value in operands.items() if nest.actual(value) is x), 'x')
    copied = f'{called}.copy()' if isinstance(x, (list, dict)) else f'copy.copy({called})'
    return OwnershipError(describe(
        f'{name!r} modifies {with_article(kind)} that it is given, by a name that may stand for '
        'another one by then; what it put there would be lost.',
        user_location(),
        f'Give it a copy at every call, as in `{name}({copied})`; or let it change that in its '
        'place, where a branch or a loop in it gives the name to another one.'))
