"""Which names may have no value: nothing bound them yet, or they were deleted."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autograph_lite.analysis.accesses import Access, Kind
from autograph_lite.analysis.cfg import CFG
from autograph_lite.analysis.dataflow import Transfer, solve, union
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node

# Accesses that fail where a name has no value.
_USING = frozenset({Kind.READ, Kind.REACH, Kind.DELETE})


class Ways(NamedTuple):
    """Of a name, the fact that it has no value on some way, and that it has one on some way."""

    without: int
    having: int


@dataclass(frozen=True, eq=False)
class Unbound:
    """Names that may have no value, and reads that may find none.

    `reads` are the `Name` nodes, in the order of the text, at which the name may have no value; at
    those in `sure_reads` it has none on any way. A name that was read is bound from there on, so of
    several reads in a row only the first is listed.
    """

    reads: tuple[Node, ...]
    sure_reads: tuple[Node, ...]
    _ways: Mapping[QualName, Ways]
    _before: Sequence[int]
    _points: Mapping[Node, Sequence[int]]

    def maybe(self, node: Node, name: QualName) -> bool:
        """Whether the name, or the root of a place, may have no value before a statement."""
        return self._reaching(node, name)[0]

    def surely(self, node: Node, name: QualName) -> bool:
        """Whether the name has no value before a statement on any way."""
        return self._reaching(node, name) == (True, False)

    def _reaching(self, node: Node, name: QualName) -> tuple[bool, bool]:
        ways = self._ways.get(QualName(name.root))
        if ways is None:
            return False, True
        facts = union(self._before, self._points[node])
        return bool(facts & ways.without), bool(facts & ways.having)


def unbound(cfg: CFG) -> Unbound:
    """Where the names of a function may have no value."""
    ways = _ways(cfg)
    accesses = [[each for each in point.accesses if each.name in ways] for point in cfg.points]
    transfers = [
        _transfer(ways, made if point.reachable else ())
        for point, made in zip(cfg.points, accesses, strict=True)]
    transfers[cfg.entry] = Transfer(_at_entry(ways, cfg), 0)
    before, _ = solve(cfg.sources(), transfers, backward=False)
    reads = _reads(ways, accesses, before)
    sure = tuple(node for node, is_sure in reads.items() if is_sure)
    return Unbound(tuple(reads), sure, ways, before, cfg.before)


def _ways(cfg: CFG) -> dict[QualName, Ways]:
    """The facts about those names that may have no value anywhere."""
    symbols = cfg.symbols
    names = {QualName(name): None for name in symbols.locals.difference(symbols.params)}
    names |= {each.name: None for each in cfg.accesses if each.kind is Kind.DELETE}
    simple = (name for name in names if name.is_simple)
    return {name: Ways(1 << 2 * i, 2 << 2 * i) for i, name in enumerate(simple)}


def _at_entry(ways: Mapping[QualName, Ways], cfg: CFG) -> int:
    own = cfg.symbols.locals.difference(cfg.symbols.params)
    return sum(
        each.without if name.root in own else each.having for name, each in ways.items())


def _transfer(ways: Mapping[QualName, Ways], accesses: Iterable[Access]) -> Transfer:
    gen = kill = 0
    for access in accesses:
        effect = _effect(access.kind, ways[access.name])
        gen, kill = effect(gen), kill | effect.kill
    return Transfer(gen, kill)


def _effect(kind: Kind, ways: Ways) -> Transfer:
    """The one rule for each kind of access."""
    if kind in (Kind.WRITE, Kind.MODIFY):
        return Transfer(ways.having, ways.without)
    if kind is Kind.DELETE:
        return Transfer(ways.without, ways.having)
    if kind in _USING:  # had it no value, the program would not have come further
        return Transfer(0, ways.without)
    return Transfer(ways.having if kind is Kind.POKE else 0, 0)


def _reads(
    ways: Mapping[QualName, Ways], accesses: Sequence[Sequence[Access]], before: Sequence[int]
) -> dict[Node, bool]:
    """The nodes that may find no value, and whether they surely find none."""
    found: dict[Node, bool] = {}
    for made, facts in zip(accesses, before, strict=True):
        for kind, name, node in made:
            without, having = ways[name]
            if kind in _USING:
                if facts & without:
                    found[node] = found.get(node, True) and not facts & having
                elif facts & having and node in found:
                    found[node] = False
            facts = _effect(kind, ways[name])(facts)
    return found
