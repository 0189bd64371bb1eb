"""The containers that a traced function is given, and what becomes of each while it is traced."""
from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from .changed import Change, Own, containers
from .changed_errors import has_other_keys, has_two_names, modifies
from .graph import nest
from .keys import is_container
from .operators.blocks_around import standing_now
from .operators.given_containers import stage_given, stands_for_given
from .operators.holders import Held
from .operators.lists import StagedList
from .operators.nest_lists import NestList
from .operators.one_of_few import is_one_of_few
from .operators.perhaps_missing import may_lack
from .operators.progress import Collection as Standing
from .perhaps_set import IfThere, is_there_and
from .returned import Given, Outside, place_of_returned


def _is_of_graph(owner: Any) -> bool:
    """Whether it is a list of the graph, which a block has in the place of one of Python's."""
    return isinstance(owner, StagedList | NestList)


class Lent:
    """The containers that a traced function is given.

    Args:
      structure: of its arguments.
      values: these, one a parameter.
      held: what the containers among them hold before it is run.
      parts: the leaves of the arguments, as the function sees them.
    """

    def __init__(
        self, structure: nest.Structure, values: Any, held: Sequence[Held], parts: Sequence[Any]
    ) -> None:  # fmt: skip
        self._held = held
        self._kept = values
        self._containers = list(containers(structure, values))
        self._own = {id(x): Own(i) for i, x in enumerate(self._containers)}
        self._staged = [(x, Own(Given(i))) for i, x in enumerate(parts) if stands_for_given(x)]
        self._parts = parts
        self._seen: set[int] = set()

    def changed(self, name: str) -> list[tuple[Held, Own]]:
        """Those that hold something else now.

        Raises:
          OwnershipError: one is a set or the like, which the trace shares with the caller; it is
            as it was.
        """
        changed = [held for held in self._held if _is_of_graph(held.owner) or held.is_changed]
        others = [held for held in changed if id(held.owner) not in self._own]
        for held in others:
            held.restore()
        if others:
            stage_given(others[0].owner)
            raise modifies(name, others[0].owner)
        found = [(held, self._own[id(held.owner)]) for held in changed]
        return [*found, *((Held(x, '', {}), own) for x, own in self._staged)]

    def told_apart(self, identities: Collection[int]) -> list[Own]:
        """Those of these identities."""
        leaves = ((id(x), Own(Given(i))) for i, x in enumerate(self._parts))
        return [own for known, own in (*self._own.items(), *leaves) if known in identities]

    def standing_now(self) -> Lent:
        """The same, as the block that is traced has them."""
        mine = copy.copy(self)
        mine._containers = [standing_now(x) for x in self._containers]
        mine._own = {
            id(x): own for x, own in zip(mine._containers, self._own.values(), strict=True)}
        mine._held = [replace(held, owner=standing_now(held.owner)) for held in self._held]
        mine._staged = [(standing_now(x), own) for x, own in self._staged]
        mine._seen = set()
        return mine

    @property
    def is_changed(self) -> bool:
        """Whether one holds something else, as far as is known."""
        return bool(self._staged) or any(
            _is_of_graph(held.owner) or held.is_changed for held in self._held)

    def has(self, x: Any) -> bool:
        """Whether this is one of them."""
        return id(x) in self._own or any(x is each for each, _ in self._staged)

    def change(
        self, held: Held, own: Own, output: Callable[[Any], tuple[nest.Structure, list[Any]]]
    ) -> Change:
        """What becomes of one.

        Args:
          held: what it held.
          own: which it is.
          output: gives the structure and the leaves of what a call shall give.
        """
        now = nest.actual(held.owner)
        if isinstance(now, Standing):
            now = now.listed
        if isinstance(held.owner, list | Standing) or _is_of_graph(held.owner):
            is_plain = isinstance(now, list)
            structure, leaves = output([self.standing(x) for x in now] if is_plain else now)
            return Change(own, (), None, structure, tuple(leaves))
        if isinstance(now, nest.Nest):  # a dict of which only the running graph knows the keys
            if any(map(is_container, held.content.values())):
                raise has_other_keys(held.owner)
            structure, leaves = output(now)
            return Change(own, (), None, structure, tuple(leaves))
        changes: Iterable[Any] = held.changes()
        content = held.now().content
        kept = [key for key in held.content if key in content]
        if list(content)[: len(kept)] != kept:  # one was taken out, and put in again
            changes, kept = [*kept, *changes, *content], []
        keys = tuple(key for key in content if key in changes)
        gone = tuple(key for key in held.content if key in changes and key not in kept)
        structure, leaves = output([self._set(content[key]) for key in keys])
        keys = tuple(IfThere(key) if may_lack(content[key]) else key for key in keys)
        return Change(own, gone, keys, structure, tuple(leaves))

    def _set(self, value: Any) -> Any:
        """What an attribute or an item is set to; if it may lack that, whether, and that or None.
        """
        if not may_lack(value):
            return self.standing(value)
        is_there, found = is_there_and(value)
        return is_there, self.standing(found)

    def standing(self, value: Any, is_put: bool = True) -> Any:
        """A value with what stands for containers of the caller's, and outside, in their place.

        Args:
          value: the value.
          is_put: whether it may be put into what the caller passed in.

        Raises:
          OwnershipError: a list or the like in it has another name, too, and may be put there.
        """
        place = place_of_returned(value)
        value = nest.actual(value)
        owners = zip(self._containers, self._own.values(), strict=True)
        for x, own in (*owners, *self._staged):
            if x is value or nest.actual(x) is value:
                return own
        if place is not None:
            return Outside(place)
        is_changeable = is_container(value) and not isinstance(value, tuple)
        if is_put and is_changeable and not is_one_of_few(value):
            if id(value) in self._seen:
                raise has_two_names(value)
            self._seen.add(id(value))
        if nest.is_leaf(value) or isinstance(value, nest.Nest):
            return value
        return nest.map_children(lambda x: self.standing(x, is_put), value)
