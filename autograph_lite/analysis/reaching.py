"""Which definitions of a name reach a statement."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.cfg import CFG
from autograph_lite.analysis.dataflow import Transfer, Universe, solve, union
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node


class Source(Enum):
    """How a definition gives a name its value."""

    PARAMETER = 'the caller passes it'
    OUTSIDE = 'it has it from outside the function'
    BINDING = 'a statement binds it or changes it in place'
    UNBOUND = 'it has none: nothing bound it yet, or it was deleted'


# Accesses that fail where a name has no value.
_USING = frozenset({Kind.READ, Kind.REACH, Kind.DELETE})


class Definition(NamedTuple):
    """A name's value from one place on; the node is the function's for what holds at its entry."""

    name: QualName
    source: Source
    node: Node


@dataclass(frozen=True, eq=False)
class ReachingDefinitions:
    """Definitions that reach statements; one without a value reaches no statement after a read."""

    _definitions: Sequence[Definition]
    _of_name: Mapping[QualName, int]
    _cfg: CFG
    _before: Sequence[int]
    _after: Sequence[int]

    def before(self, node: Node, name: QualName) -> tuple[Definition, ...]:
        """The definitions of a name that reach the beginning of a statement, test or iterable."""
        return self._decode(union(self._before, self._cfg.before[node]), name)

    def after(self, node: Node, name: QualName) -> tuple[Definition, ...]:
        """The definitions of a name that reach the end of a statement, test or iterable."""
        return self._decode(union(self._after, self._cfg.after[node]), name)

    def _decode(self, facts: int, name: QualName) -> tuple[Definition, ...]:
        bits = facts & self._of_name.get(name, 0)
        return tuple(each for place, each in enumerate(self._definitions) if bits >> place & 1)


def reaching_definitions(cfg: CFG) -> ReachingDefinitions:
    """The definitions of each name that reach each statement."""
    facts = _Facts(cfg)
    transfers = [
        facts.transfer(point.accesses if point.reachable else ()) for point in cfg.points
    ]
    transfers[cfg.entry] = Transfer(gen=facts.at_entry, kill=0)
    before, after = solve(cfg.sources(), transfers, backward=False)
    return ReachingDefinitions(facts.definitions, facts.of_name, cfg, before, after)


class _Facts:
    """All definitions of a function, numbered; a set of them is an integer."""

    def __init__(self, cfg: CFG) -> None:
        self.definitions: list[Definition] = []
        self.of_name: dict[QualName, int] = {}
        self._unbound = 0
        self._universe = Universe.of(access.name for access in cfg.accesses)
        self._made: dict[Access, int] = {}
        for name in self._universe.names:
            if name.is_simple and name.root in cfg.symbols.params:
                source = Source.PARAMETER
            else:
                is_outside = name.root not in cfg.symbols.locals or not name.is_simple
                source = Source.OUTSIDE if is_outside else Source.UNBOUND
            self._define(Definition(name, source, cfg.function))
        self.at_entry = (1 << len(self.definitions)) - 1
        for access in cfg.accesses:
            # Of a `finally` block the same accesses stand at several points.
            if access.kind in CHANGES and access not in self._made:
                self._made[access] = self._define_by(access)
        # Of each name those that end where it is bound anew: of all that lies in it.
        self._whole = {
            name: self._of_names(self._universe.whole(name)) for name in self._universe.names}

    def transfer(self, accesses: Sequence[Access]) -> Transfer:
        """What the accesses of a point make of the definitions that reach it."""
        gen = kill = 0
        for access in accesses:
            effect = self._effect(access)
            gen, kill = effect(gen), kill | effect.kill
        return Transfer(gen, kill)

    def _effect(self, access: Access) -> Transfer:
        """The one rule for each kind of access."""
        made = self._made.get(access, 0)
        if access.kind in (Kind.WRITE, Kind.DELETE):
            return Transfer(made, self._whole[access.name])
        if access.kind is Kind.MODIFY:
            return Transfer(made, self.of_name[access.name])
        if access.kind in _USING:  # had it no value, the program would not have come further
            return Transfer(0, self.of_name[access.name] & self._unbound)
        return Transfer(made, 0)

    def _define_by(self, access: Access) -> int:
        source = Source.UNBOUND if access.kind is Kind.DELETE else Source.BINDING
        whole = access.kind in (Kind.WRITE, Kind.DELETE)
        bits = self._universe.whole(access.name) if whole else self._universe.bit(access.name)
        made = 0
        for name in self._universe.decode(bits):
            made |= self._define(Definition(name, source, access.node))
        return made

    def _define(self, definition: Definition) -> int:
        bit = 1 << len(self.definitions)
        self.definitions.append(definition)
        self.of_name[definition.name] = self.of_name.get(definition.name, 0) | bit
        if definition.source is Source.UNBOUND:
            self._unbound |= bit
        return bit

    def _of_names(self, names: int) -> int:
        bits = 0
        for name in self._universe.decode(names):
            bits |= self.of_name[name]
        return bits
