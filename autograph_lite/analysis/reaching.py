"""Which definitions of a name reach a statement, and whether it may have none."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.cfg import CFG
from autograph_lite.analysis.dataflow import Transfer, Universe, solve, union
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.pyct.tree import Node


class Source(Enum):
    """How a definition gives a name its value."""

    PARAMETER = 'the caller passes it'
    OUTSIDE = 'it has it from outside the function'
    BINDING = 'a statement binds it or changes it in place'
    UNBOUND = 'it has none: nothing bound it yet, or it was deleted'


# Accesses that fail where a name has no value.
_USING = frozenset({Kind.READ, Kind.REACH, Kind.DELETE})


@dataclass(frozen=True)
class Definition:
    """A name's value from one place on; the node is the function's for what holds at its entry."""

    name: QualName
    source: Source
    node: Node


@dataclass(frozen=True, eq=False)
class ReachingDefinitions:
    """Definitions that reach statements, and reads that may find no value.

    `unbound_reads` are the `Name` nodes, in the order of the text, at which the name may have no
    value; at those in `surely_unbound_reads` it has none on any way. A name that was read is bound
    from there on, so of several reads in a row only the first is listed.
    """

    unbound_reads: tuple[Node, ...]
    surely_unbound_reads: tuple[Node, ...]
    _definitions: tuple[Definition, ...]
    _of_name: Mapping[QualName, int]
    _unbound: int
    _before: Mapping[Node, int]
    _after: Mapping[Node, int]

    def before(self, node: Node, name: QualName) -> tuple[Definition, ...]:
        """The definitions of a name that reach the beginning of a statement, test or iterable."""
        return self._decode(self._before[node] & self._of_name.get(name, 0))

    def after(self, node: Node, name: QualName) -> tuple[Definition, ...]:
        """The definitions of a name that reach the end of a statement, test or iterable."""
        return self._decode(self._after[node] & self._of_name.get(name, 0))

    def maybe_unbound(self, node: Node, name: QualName) -> bool:
        """Whether the name, or the root of a place, may have no value before a statement."""
        reaching = self._before[node] & self._of_name.get(QualName(name.root), 0)
        return bool(reaching & self._unbound)

    def surely_unbound(self, node: Node, name: QualName) -> bool:
        """Whether the name has no value before a statement on any way."""
        reaching = self._before[node] & self._of_name.get(QualName(name.root), 0)
        return bool(reaching) and not reaching & ~self._unbound

    def _decode(self, bits: int) -> tuple[Definition, ...]:
        return tuple(each for place, each in enumerate(self._definitions) if bits >> place & 1)


def reaching_definitions(cfg: CFG, scopes: Scopes) -> ReachingDefinitions:
    """The definitions of each name that reach each statement."""
    facts = _Facts(cfg, scopes)
    transfers = [
        facts.transfer(point.accesses if point.reachable else ()) for point in cfg.points
    ]
    transfers[cfg.entry] = Transfer(gen=facts.at_entry, kill=0)
    sources: list[list[int]] = [[] for _ in cfg.points]
    for index, point in enumerate(cfg.points):
        for successor in point.successors:
            sources[successor].append(index)
    before, after = solve(sources, transfers, backward=False)
    unbound_reads, surely = facts.unbound_reads(before)
    return ReachingDefinitions(
        unbound_reads=unbound_reads,
        surely_unbound_reads=surely,
        _definitions=tuple(facts.definitions),
        _of_name=facts.of_name,
        _unbound=facts.unbound,
        _before={node: union(before, where) for node, where in cfg.before.items()},
        _after={node: union(after, where) for node, where in cfg.after.items()},
    )


class _Facts:
    """All definitions of a function, numbered; a set of them is an integer."""

    def __init__(self, cfg: CFG, scopes: Scopes) -> None:
        self.cfg = cfg
        self.definitions: list[Definition] = []
        self.of_name: dict[QualName, int] = {}
        self.unbound = 0
        self._universe = Universe.of(access.name for access in cfg.accesses)
        self._made: dict[Access, int] = {}
        params, free = set(scopes.function.params), set(scopes.function.free)
        for name in self._universe.names:
            if name in params:
                source = Source.PARAMETER
            else:
                outside = name in free or not name.is_simple
                source = Source.OUTSIDE if outside else Source.UNBOUND
            self._define(Definition(name, source, cfg.function))
        self.at_entry = (1 << len(self.definitions)) - 1
        for access in cfg.accesses:
            # Of a `finally` block the same accesses stand at several points.
            if access.kind in CHANGES and access not in self._made:
                self._made[access] = self._define_by(access)

    def transfer(self, accesses: Sequence[Access]) -> Transfer:
        """What the accesses of a point make of the definitions that reach it."""
        gen = kill = 0
        for access in accesses:
            effect = self._effect(access)
            gen, kill = effect(gen), kill | effect.kill
        return Transfer(gen, kill)

    def unbound_reads(self, before: list[int]) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
        """The nodes that may find no value, and those of them that surely find none."""
        found: dict[Node, bool] = {}
        for point, facts in zip(self.cfg.points, before, strict=True):
            for access in point.accesses:
                reaching = facts & self.of_name.get(access.name, 0)
                if access.kind in _USING and access.name.is_simple and reaching:
                    surely = not reaching & ~self.unbound
                    if reaching & self.unbound:
                        found[access.node] = found.get(access.node, True) and surely
                    elif access.node in found:
                        found[access.node] = False
                facts = self._effect(access)(facts)
        return tuple(found), tuple(node for node, surely in found.items() if surely)

    def _effect(self, access: Access) -> Transfer:
        """The one rule for each kind of access."""
        made = self._made.get(access, 0)
        if access.kind in (Kind.WRITE, Kind.DELETE):
            return Transfer(made, self._of_names(self._universe.whole(access.name)))
        if access.kind is Kind.MODIFY:
            return Transfer(made, self.of_name[access.name])
        if access.kind in _USING:  # had it no value, the program would not have come further
            return Transfer(0, self.of_name[access.name] & self.unbound)
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
            self.unbound |= bit
        return bit

    def _of_names(self, names: int) -> int:
        bits = 0
        for name in self._universe.decode(names):
            bits |= self.of_name[name]
        return bits
