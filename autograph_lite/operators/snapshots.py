"""What lives outside as it is where a staged block begins: no block changes it but by its state."""
from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from contextvars import copy_context
from dataclasses import replace
from typing import Any

from ..ops.outer_variables import UNSET
from .contents import are_same, content
from .context_variables import check_context
from .holders import Held
from .new_objects import made_by_graph
from .other_names import is_reached
from .outside import is_made_here, without_variables, world_now
from .outside_errors import (
    SHARED,
    modifies_outside,
    names_by_python,
    sets_outside,
    sets_variable,
)
from .set_variables import Variable


class Outside:
    """What lives outside, as it is where a staged block begins.

    Each owner is compared as a whole, and its attributes and items only where it is another now:
    there may be many owners, of which a block changes few.
    """

    def __init__(self) -> None:
        world = world_now()
        self._contents = {x: content(held.owner) for x, held in world.held.items()}
        self._variables = len(world.variables)
        self._apart = {
            variable: variable.held() for variable, _ in world.variables
            if not (variable.is_in_content and id(variable.holder) in self._contents)}
        self._names = world.code.names.now()
        self._sets = len(world.sets)
        self._noted = len(world.rebound.noted)
        self._now = dict(world.rebound.now)
        self._foreign = set(world.rebound.foreign)
        self._perhaps_own = set(world.perhaps_own)
        self._context = copy_context()

    def changed(self) -> list[Held]:
        """What holds something else now, and what it held; what became known only in the block:
        before anything changed it.
        """
        known = (
            (held, self._contents.get(x, held.content)) for x, held in world_now().held.items())
        return [
            replace(held, content=before) for held, before in known
            if not are_same(content(held.owner), before)]

    def check(
        self, changed: Collection[Held], own: Collection[Hashable], looked_at: Collection[int] = ()
    ) -> list[Variable]:
        """It is what it was, but for variables.

        Args:
          changed: what holds something else now.
          own: variables that are the block's state.
          looked_at: identifies what else is compared with what it was.

        Returns:
          The others that were set, as the graph knows.

        Raises:
          OwnershipError: it is not; it is now.
        """
        world = world_now()
        check_context(self._context)
        for held in map(without_variables, changed):
            if held.is_changed:
                attribute = held.changed_attribute()
                held.restore()
                self.restore()
                raise modifies_outside(held.owner, attribute=attribute)
        for owner, name, location in world.sets[self._sets :]:
            is_known = id(owner) in looked_at or not is_reached(owner)  # the block has made it
            is_own = is_made_here(owner) and is_known
            is_told = not isinstance(owner, SHARED) and world.rebound.known((name, id(owner)))
            if not is_own and not is_told and (name, id(owner)) not in own:
                self.restore()
                raise sets_outside(owner, name, location)
        for variable, _ in world.code.names.changed(self._names, untold=True):
            self.restore()
            raise names_by_python(variable, world.code.names.set_at(variable.name))
        others: list[Variable] = []
        for variable, value in self._perhaps_set(changed):
            if variable.owner is not None or variable.where in own or self.is_new(variable):
                continue
            if world.rebound.bindings.are_of(variable.where):
                continue  # the graph sets it in the block
            if world.rebound.now.get(variable.where) != self._now.get(variable.where):
                others.append(variable)
            elif variable.held() is not value:
                self.restore()
                raise sets_variable(variable.shown)
        return others

    def restore(self) -> None:
        """Gives everything back what it held."""
        changed = self.changed()
        for held in map(without_variables, changed):
            if held.is_changed:
                held.restore()
        world = world_now()
        for variable, before in list(world.code.names.changed(self._names, untold=True)):
            variable.put(before)
        self.restore_variables(changed)
        world.rebound.foreign = set(self._foreign)
        world.perhaps_own = set(self._perhaps_own)

    def is_new(self, variable: Variable) -> bool:
        """Whether it is an attribute of an object that the block has put outside."""
        if made_by_graph(variable.holder) is None:
            return False
        return all(known is not variable for known, _ in world_now().variables[: self._variables])

    def restore_variables(self, changed: Collection[Held]) -> None:
        """Gives the variables back what they were, where this holds something else now."""
        world = world_now()
        for variable, value in self._perhaps_set(changed):
            variable.put(value)
            world.rebound.note_restored(variable)
        world.rebound.now = dict(self._now)

    def _perhaps_set(self, changed: Collection[Held]) -> Iterator[tuple[Variable, Any]]:
        """The variables that may be others by now, and what they were.

        Args:
          changed: what holds something else now.
        """
        world = world_now()
        told = set(world.rebound.noted[self._noted :])
        before = {id(held.owner): held.content for held in changed}
        for i, (variable, begun) in enumerate(world.variables):
            if i >= self._variables:
                yield variable, begun
            elif variable in self._apart:
                yield variable, self._apart[variable]
            elif id(variable.holder) in before:
                yield variable, before[id(variable.holder)].get(variable.name, UNSET)
            elif variable in told:
                yield variable, variable.held()
