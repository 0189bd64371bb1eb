"""What each statement that becomes a function call takes and gives.

The passes that lower `if`, `while`, `for` and `try` share one analysis of the function, made before
the first of them, when everything is still plain Python.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autograph_lite.pyct.tree import Node

Names = tuple[str, ...]
# Variables that a block sets where they are, since other code may look at them meanwhile; and
# whether a block declares them `global` or `nonlocal`.
Shared = Mapping[str, type]


@dataclass(frozen=True)
class BlockPlan:
    """One block of an `if` or a `try`.

    Attributes:
      needs: what of the variables that it changes it needs from before.
      in_place: what of that it may change where it is, so that others see it who have it.
      lacks: which results of the statement have no value at its end.
      shared: what it sets where it is.
      changes: what else it changes.
    """

    needs: Names
    in_place: Names
    lacks: Names
    shared: Shared
    changes: Names


@dataclass(frozen=True)
class BranchPlan:
    """An `if` or a `try`: its blocks, what they change, and what it gives.

    `unbound` are the results without a value before it; `returns` says that all blocks end the
    function.
    """

    blocks: tuple[BlockPlan, ...]
    changes: Names
    results: Names
    returns: bool
    unbound: Names = ()


@dataclass(frozen=True)
class LoopPlan:
    """A loop: the state that its turns pass on, and what they set where it is."""

    state: Names
    shared: Shared


@dataclass
class Plan:
    """The plans of a function's statements; one that stays Python has none.

    Attributes:
      branches: of each `if`, and of each `try` that becomes a call.
      loops: of each loop.
      preludes: names that need a value before a statement.
      deletions: `del` statements that are part of one that does not stay Python.
      plain: tests that Python decides.
    """

    branches: dict[Node, BranchPlan] = field(default_factory=dict)
    loops: dict[Node, LoopPlan] = field(default_factory=dict)
    preludes: dict[Node, Names] = field(default_factory=dict)
    deletions: set[Node] = field(default_factory=set)
    plain: set[Node] = field(default_factory=set)
