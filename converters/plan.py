"""What each statement that becomes a function call takes and gives.

The passes that lower `if`, `while` and `for` share one analysis of the function, made before the
first of them, when everything is still plain Python.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Place:
    """A variable that a statement binds to another value, or whose value it changes.

    `name` is what it is called in the function, `parameter` what it is called where it is passed.
    Where other code may look at the variable while the statement runs, it `is_shared`: then the
    variable itself is set from the parameter and used, by a `declaration`.
    """

    name: QualName
    parameter: str
    declaration: type | None = None

    @property
    def is_shared(self) -> bool:
        """Whether other code may look at it while the statement runs."""
        return self.declaration is not None


Places = tuple[Place, ...]


@dataclass(frozen=True)
class BlockPlan:
    """One branch of an `if`.

    Attributes:
      changes: what it changes.
      needs: what of that it needs from before.
      in_place: what of that it may change where it is, so that others see it who have it.
      lacks: which results of the statement have no value at its end.
    """

    changes: Places
    needs: Places
    in_place: Places
    lacks: Places


@dataclass(frozen=True)
class BranchPlan:
    """An `if`: its branches, what they change, what it gives, what of that has no value before it.

    `returns` says that both branches end the function.
    """

    body: BlockPlan
    orelse: BlockPlan
    changes: Places
    results: Places
    unbound: Places
    returns: bool


@dataclass(frozen=True)
class TryPlan:
    """A `try` with handlers: its blocks and what it gives.

    `shared` are the variables of which the handlers, or what follows them, need to know how far the
    block has come. `returns` says that the block and the handlers end the function.
    """

    body: BlockPlan
    handlers: tuple[BlockPlan, ...]
    results: Places
    shared: Places
    returns: bool


@dataclass
class Plan:
    """The plans of a function's statements; one that stays Python has none.

    Attributes:
      branches: of each `if`.
      tries: of each `try` that becomes a call.
      states: the state of each loop.
      preludes: names that need a value before a statement.
      deletions: `del` statements that are part of one that does not stay Python.
      plain: tests that Python decides.
    """

    branches: dict[Node, BranchPlan] = field(default_factory=dict)
    tries: dict[Node, TryPlan] = field(default_factory=dict)
    states: dict[Node, Places] = field(default_factory=dict)
    preludes: dict[Node, tuple[str, ...]] = field(default_factory=dict)
    deletions: set[Node] = field(default_factory=set)
    plain: set[Node] = field(default_factory=set)
