"""Lists and dicts that a staged block modifies: what other names for them see afterwards.

A block works on copies of its own. Where it only changes what they hold, what the user holds gets
the new contents, and every name for it sees them. A list that becomes a staged list knows so, and
what the library is given it for is done with that; Python itself is told of it by an error. What
lives outside the function is the user's: no staged block modifies it.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest, nest_contents
from ..graph.advice import change_in_its_place, copied
from ..graph.state import State
from .aliases import check_aliases
from .optional_nests import Perhaps
from .outside import is_outside
from .outside_errors import modifies_outside
from .watched import is_container, put_into_watched, unwatch, watch


class Moved(State, nest.Successor):
    """What a list or dict holds after a staged block modified it: reading it is an error."""

    __slots__ = ('_kind', '_location', 'successor')

    def __init__(self, kind: str, successor: Any = None) -> None:
        self._kind = kind
        self._location = user_location()
        self.successor = successor

    @property
    def value(self) -> Any:
        """Nothing.

        Raises:
          OwnershipError: always.
        """
        raise OwnershipError(
            describe(
                f'A {self._kind} is read through another name than the one through which this '
                'modifies it.',
                self._location,
                f'{change_in_its_place(self._kind)}; or take a copy before: '
                f'`b = {copied(self._kind, "a")}`.',
            )
        )

    def __repr__(self) -> str:
        return f'<a part of a modified {self._kind}>'

    def __bool__(self) -> bool:
        return bool(self.value)


def is_moved(container: Any) -> bool:
    """Whether a staged block has modified the list or dict."""
    if type(container) is list:
        # A long one is asked at each turn of a loop over it: `leave` puts nothing else into it.
        return bool(container) and isinstance(container[0], Moved)
    parts = nest_contents.content(container)
    parts = parts if isinstance(parts, list) else parts.values()
    return any(isinstance(part, Moved) for part in parts)


def check_held(x: Any) -> None:
    """Raises OwnershipError for a list that was modified through another name."""
    if type(x) is list and is_moved(x):
        _ = x[0].value


def move(modified: Sequence[Any], results: Any) -> None:
    """Other names for the lists and dicts that a staged block modified are stale.

    Those among the results have the new contents.

    Raises:
      OwnershipError: one of them lives outside the function.
    """
    current = {id(container) for container, _ in nest_contents.contents(results)}
    for container in modified:
        if is_outside(container):
            raise modifies_outside(container)
        if id(container) not in current:
            leave(container)


class staged_lists:
    """Other names for the lists that become staged lists know what they have become.

    What holds such a list, and can be changed in place, stays the same and holds the staged list.
    As a context, it gives the operands.

    Raises:
      OwnershipError: one of them has another name among the operands, or lives outside.
    """

    def __init__(self, before: Any, after: Any) -> None:
        lists = list(_staged_lists(before, after))
        self._optional = [one for one, _ in lists if isinstance(one, Perhaps)]
        lasting = [
            nest.actual(one.nest) if isinstance(one, Perhaps) else one for one, _ in lists]
        self._held = [(one, nest_contents.content(one)) for one in lasting if is_container(one)]
        names = [id(one) for one in lasting]
        containers = [container for container, _ in nest_contents.contents(before)]
        check_aliases(before, [i for i, each in enumerate(containers) if id(each) in names])
        for one, other in lists:
            leave(one, other)
        self._operands = self._holding(before, after)

    def _holding(self, before: Any, after: Any) -> Any:
        """The operands, with what can be changed in place itself holding what is in it now."""
        if before is after or type(before) is not type(after) or isinstance(after, nest.Mutable):
            return after
        held = nest.map_children(lambda new, old: self._holding(old, new), after, before)
        if not is_container(before) or is_outside(before):
            return held
        self._held.append((before, nest_contents.content(before)))
        put_into_watched(before, nest_contents.content(held))
        return before

    def __enter__(self) -> Any:
        return self._operands

    def __exit__(self, kind: Any, *_: Any) -> None:
        if kind is not None:
            unwatch([one for one, _ in self._held])
            nest_contents.restore(self._held)
            for one in self._optional:
                one.become(None)


def _staged_lists(before: Any, after: Any) -> Iterator[tuple[Any, Any]]:
    before = nest.actual(before)
    if isinstance(after, nest.Mutable) and isinstance(before, (dict, nest.Mutable)):
        if after is not before:
            yield before, after
        held = nest_contents.content(before)
        for key, value in after.content().items():
            if key in held:
                yield from _staged_lists(held[key], value)
        return
    if isinstance(after, Perhaps) and after.nest is before:
        return  # it stays the list that it is, where it is there
    if (
        (type(before) is list and type(after) is not list)
        or (type(before) is dict and isinstance(after, nest.Nest))
    ) or (
        isinstance(before, Perhaps) and not isinstance(after, Perhaps)
    ):
        yield before, after
        return
    for one, other in zip(nest.children(before), nest.children(after), strict=False):
        yield from _staged_lists(one, other)


def leave(container: Any, successor: Any = None) -> None:
    """Tells other names for a list or dict that it has become something else.

    Raises:
      OwnershipError: it lives outside the function.
      TracedAnew: the function has made it, and put it there.
    """
    if is_outside(container):
        from .held_lists import let_hold  # it imports what is here

        let_hold(container, is_state=True)
        is_optional = isinstance(container, Perhaps)
        raise modifies_outside(nest.actual(container.nest) if is_optional else container)
    if isinstance(container, Perhaps):
        container.become(successor)
        container = nest.actual(container.nest)
        if not is_container(container):
            return
    moved = Moved(nest.kind_of(container).__name__, successor)
    if isinstance(container, nest.Mutable):
        container.successor = successor
        if successor is None:
            container.leave(moved)
    elif isinstance(container, list):
        container[:] = [moved] if successor is not None else [moved] * max(len(container), 1)
        if successor is not None:
            watch(container)
    elif successor is not None:
        nest_contents.restore([(container, {Moved: moved})])
    else:
        nest_contents.restore([(container, dict.fromkeys(nest_contents.content(container), moved))])
