"""What lives outside as it is where a staged block begins: no block changes it but by its state."""
from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from contextvars import copy_context
from typing import Any

from .context_variables import check_context
from .holders import Held
from .new_objects import made_by_graph
from .other_names import is_reached
from .outside import is_made_here, without_variables, world_now
from .outside_errors import SHARED, modifies_outside, sets_outside, sets_variable
from .set_variables import Variable


class Outside:
    """What lives outside, as it is where a staged block begins."""

    def __init__(self) -> None:
        world = world_now()
        self._held = {x: held.now() for x, held in world.held.items()}
        self._variables = [(variable, variable.held()) for variable, _ in world.variables]
        self._sets = len(world.sets)
        self._now = dict(world.rebound.now)
        self._foreign = set(world.rebound.foreign)
        self._perhaps_own = set(world.perhaps_own)
        self._context = copy_context()

    def check(self, own: Collection[Hashable], looked_at: Collection[int] = ()) -> list[Variable]:
        """It is what it was, but for variables.

        Args:
          own: variables that are the block's state.
          looked_at: identifies what else is compared with what it was.

        Returns:
          The others that were set, as the graph knows.

        Raises:
          OwnershipError: it is not; it is now.
        """
        world = world_now()
        check_context(self._context)
        for held in self._held_now():
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
        others: list[Variable] = []
        for variable, value in self._variables_now():
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
        for held in self._held_now():
            if held.is_changed:
                held.restore()
        self.restore_variables()
        world = world_now()
        world.rebound.foreign = set(self._foreign)
        world.perhaps_own = set(self._perhaps_own)

    def is_new(self, variable: Variable) -> bool:
        """Whether it is an attribute of an object that the block has put outside."""
        is_known = any(known is variable for known, _ in self._variables)
        return made_by_graph(variable.holder) is not None and not is_known

    def restore_variables(self) -> None:
        """Gives the variables back what they were."""
        world = world_now()
        for variable, value in self._variables_now():
            variable.put(value)
            world.rebound.note_restored(variable)
        world.rebound.now = dict(self._now)

    def _held_now(self) -> Iterable[Held]:
        """What is known by now: what became so only in the block, before anything changed it."""
        world = world_now()
        return map(without_variables, (world.held | self._held).values())

    def _variables_now(self) -> list[tuple[Variable, Any]]:
        """The variables that are known by now, and what they were."""
        world = world_now()
        return [*self._variables, *world.variables[len(self._variables) :]]
