"""What a staged block can reach without being given it: objects and containers in its closure.

Tracing runs the block once, the graph runs it as often as it is told to: a counter that a method
counts up, or a list that a helper fills, is state of the block like any other.
"""
from __future__ import annotations

import threading
import types
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

from ..errors import OwnershipError, describe, is_internal, user_location
from ..graph import nest
from ..graph.graph import Graph
from ..graph.tensor import NotOwnedError
from .holders import Held, Holder, content, put_into, walk
from .moved import is_moved
from .outside import Outside, lives_outside, modifies_outside, variables_set_by


class _Tracing(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Reachable] = []


_tracing = _Tracing()


def with_places(
    places: Sequence[Holder], function: Callable[..., Any], args: Sequence[Any]
) -> tuple[Any, list[Any]]:
    """Runs a block while places hold something else: until it is checked what it changed.

    Args:
      places: what it was not given.
      function: the block.
      args: what it is called with; behind that, what the places hold meanwhile.

    Returns:
      What the block returns, and what the places held at its end.
    """
    given, values = args[: -len(places)], args[-len(places) :]
    before = [place.read() for place in places]
    put_into(places, values)
    _tracing.blocks[-1].lent += zip(places, before, values, strict=True)
    return function(*given), [place.read() for place in places]


class Reaches(Exception):
    """A staged block changes places that it was not given; it can be traced again with them."""

    def __init__(self, places: list[Holder]) -> None:
        super().__init__()
        self.places = places


class Reachable:
    """What the objects and containers hold that a function can reach through its closure.

    As a context: they hold that again if what is inside raises.

    Args:
      block: the function.
      *others: what else it can reach.
      names: the variables, attributes and items to which it gives a new value.
      paths: what the user calls each of the others.
      graph: the graph that it is traced into.
    """

    def __init__(
        self,
        block: Any,
        *others: Any,
        names: Sequence[str] = (),
        paths: Sequence[str] = (),
        graph: Graph | None = None,
    ) -> None:
        self._given = set(names)
        self._graph = graph
        self._own = _bound_by(block)
        self._outside = Outside()
        named = zip(paths or [''] * len(others), others, strict=True)
        self._held = list(walk(('', block), *named))
        self.lent: list[tuple[Holder, Any, Any]] = []
        self.modified: set[int] = set()

    def __enter__(self) -> Reachable:
        _tracing.blocks.append(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: Any, *_: Any) -> None:
        _tracing.blocks.pop()
        if kind is None:
            return
        self.restore()
        if (
            isinstance(error, NotOwnedError)
            and self._graph is not None
            and error.tensor.graph is self._graph.parent
        ):
            holders = self._holders(error.tensor)
            if holders:
                raise Reaches(_as_one(holders)) from None

    def holders(self, x: Any) -> list[Holder]:
        """The places that held this very object before the block began."""
        return [
            held.place(key)
            for held in self._held
            for key, value in held.content.items()
            if nest.actual(value) is x
        ]

    def restore(self) -> None:
        """Gives everything back what it held."""
        self._take_back()
        self._outside.restore()
        for held in self._held:
            held.restore()

    def check(self) -> None:
        """What a staged block can reach holds what it held, but for what it is known to give.

        Raises:
          Reaches: the block changed it.
          OwnershipError: the same, and it cannot be state of the block.
        """
        self._take_back()
        self._outside.check(self._own)
        found: dict[Any, Holder] = {}
        for held in self._held:
            for place in self._changed(held):
                found.setdefault(place.identity, place)
        if found:
            raise Reaches(list(found.values()))

    def _take_back(self) -> None:
        while self.lent:
            place, before, lent = self.lent.pop()
            if place.read() is not lent:
                self.modified.add(id(place.owner))
            place.put(before)

    def check_unchanged(self) -> None:
        """What a block can reach, that has no state, holds what it held.

        Raises:
          OwnershipError: the block changed it.
        """
        try:
            self.check()
        except Reaches as reaches:
            raise _changes(reaches.places[0]) from None

    def _changed(self, held: Held) -> Iterator[Holder]:
        """The places with another value than before."""
        owner, before, now = held.owner, held.content, content(held.owner)
        if isinstance(owner, (list, dict)) and held.path in self._given and is_moved(owner):
            # A block inside this one took it over; another branch may still have it.
            held.restore()
            return
        keys = [
            key
            for key in dict.fromkeys((*before, *now))
            if key not in now or key not in before or now[key] is not before[key]
        ]
        if isinstance(owner, types.FunctionType):
            keys = [key for key in keys if key in before and key in now]
        places = [held.place(key) for key in keys]
        places = [place for place in places if place.name not in self._given]
        if not places:
            return
        if lives_outside(owner):
            raise modifies_outside(owner, held.path)
        if isinstance(owner, list) and (len(now) != len(before) or is_moved(owner)):
            holders = self._holders(owner)
            if not holders or any(place.read() is not owner for place in holders[1:]):
                raise _cannot_change(held)
            yield from _as_one(holders)
            return
        if not held.can_be_put or (isinstance(owner, dict) and before.keys() != now.keys()):
            raise _cannot_change(held)
        yield from places

    def _holders(self, x: Any) -> list[Holder]:
        """The places that hold this very object; those of a tuple that does."""
        found: dict[Any, Holder] = {}
        for held in self._held:
            for key, value in held.content.items():
                if value is x or nest.actual(value) is x:
                    places = [held.place(key)] if held.can_be_put else self._holders(held.owner)
                    found |= {place.identity: place for place in places}
        return list(found.values())


def _as_one(places: list[Holder]) -> list[Holder]:
    """Places that hold one object, as one place."""
    first, *others = places
    return [first.together_with(others)]


def _changes(place: Holder) -> OwnershipError:
    return OwnershipError(
        describe(
            f'A staged block modifies {place.name} where the graph would not do so when it runs.',
            user_location(),
            'Let the function or method return the new value, and assign it in a statement of its '
            'own.',
        )
    )


def _bound_by(block: Any) -> set[Hashable]:
    """The variables of enclosing functions and of the module that a block's own code binds."""
    return {variable.key for f in _code_of(block) for variable in variables_set_by(f)}


def _code_of(block: Any) -> Iterator[types.FunctionType]:
    """The functions that are the block: one that the library has wrapped up is in the wrapper."""
    waiting, seen = [block], {id(block)}
    while waiting:
        f = waiting.pop()
        if isinstance(f, types.FunctionType):
            yield f
            if is_internal(f.__code__.co_filename):
                inner = [g for g in content(f).values() if id(g) not in seen]
                seen.update(map(id, inner))
                waiting += inner


def _cannot_change(held: Held) -> OwnershipError:
    kind = type(held.owner).__name__
    what = f'{held.path}, a {kind},' if held.path else f'a {kind}'
    fix = _FIXES.get(kind, 'Keep what changes in an attribute, a list, or a variable of the loop.')
    return OwnershipError(
        describe(
            f'A staged block changes {what} in a way that a graph does not know.',
            user_location(),
            fix,
        )
    )


_FIXES = {
    'dict': 'Give the dict all its keys before, and let the block change their values.',
    'deque': 'Use a list: `append(x)`, and `pop(0)` for `popleft()`.',
    'set': 'Use a list, or an array of bools.',
}
