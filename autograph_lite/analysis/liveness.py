"""Which names are still needed: those whose present value may be read later."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from autograph_lite.analysis.accesses import Access, Kind
from autograph_lite.analysis.cfg import CFG
from autograph_lite.analysis.dataflow import NameSets, Transfer, Universe, solve, union
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True, eq=False)
class Liveness:
    """Names that are live, in order of their first appearance in the function.

    live_in      before a statement, test, iterable, subject or guard
    live_out     after it; after a compound statement as a whole
    live_at_turn at a loop, each time before it decides on another turn
    """

    live_in: NameSets
    live_out: NameSets
    live_at_turn: NameSets

    def live_into(self, statements: Sequence[Node]) -> tuple[QualName, ...]:
        """The names that are live at the entry of a nested list of statements."""
        return self.live_in[statements[0]] if statements else ()


def liveness(cfg: CFG, scopes: Scopes) -> Liveness:
    """Which names are live before and after each statement; a global or nonlocal one is always."""
    universe = Universe.of(access.name for access in cfg.accesses)
    always = _always_live(universe, scopes)
    whole = cache(universe.whole_of)  # most points hold what the one before them held
    held = [whole(point.held) for point in cfg.points]
    transfers = [
        _transfer(universe, point.accesses, names, always)
        for point, names in zip(cfg.points, held, strict=True)
    ]
    transfers[cfg.exit] = Transfer(gen=always, kill=0)
    after, before = solve([point.successors for point in cfg.points], transfers, backward=True)
    after = [live | names for live, names in zip(after, held, strict=True)]

    def table(points: dict[Node, tuple[int, ...]], live: list[int]) -> NameSets:
        return NameSets(universe, {node: union(live, where) for node, where in points.items()})

    return Liveness(
        live_in=table(dict(cfg.before), before),
        live_out=table(dict(cfg.after), after),
        live_at_turn=table(dict(cfg.turns), before),
    )


def _transfer(universe: Universe, accesses: Sequence[Access], held: int, always: int) -> Transfer:
    """The one rule for each kind of access, applied from the last access to the first."""
    gen, kill = held, 0
    for access in reversed(accesses):
        whole = universe.whole(access.name)
        if access.kind is Kind.WRITE:
            gen, kill = gen & ~whole, kill | whole
        elif access.kind is Kind.DELETE:
            gen, kill = gen & ~whole | universe.bit(access.name), kill | whole
        elif access.kind is Kind.REACH:
            gen |= universe.bit(access.name)
        elif access.kind in (Kind.READ, Kind.MODIFY, Kind.PEEK, Kind.HOLD):
            gen |= whole
    return Transfer(gen | always, kill)


def _always_live(universe: Universe, scopes: Scopes) -> int:
    """Names that any other code may read at any time."""
    bits = 0
    for name in (*scopes.function.globals_, *scopes.function.nonlocals):
        bits |= universe.bit(name)
    return bits
