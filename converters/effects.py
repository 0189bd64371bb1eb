"""What a stretch of a function does to its variables."""
from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence

import gast

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.closures import Closures
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS, tail_flags
from autograph_lite.converters.plan import Place
from autograph_lite.pyct.tree import Node, walk

Names = tuple[QualName, ...]

_BY_CLOSURES = frozenset({Kind.PEEK, Kind.POKE, Kind.HOLD})


class Effects:
    """Answers questions about stretches of one function: lists of consecutive statements."""

    def __init__(self, function: Node, context: Context) -> None:
        self._function = function
        self._context = context
        self._cfg = build(function)
        self._live = liveness(self._cfg, Scopes(self._cfg))
        self._symbols = self._cfg.symbols
        self._own = {
            *self._symbols.locals, *self._symbols.globals_, *self._symbols.nonlocals}
        self._asked: dict[QualName, list[int]] = {}
        for loop in self._cfg.turns:
            for flag in tail_flags(loop, context):
                self._asked.setdefault(QualName(flag), []).append(self._cfg.spans[loop][0])
        self._held = {
            access.name for access in self._cfg.accesses if access.kind is Kind.HOLD}
        self._captures: dict[QualName, list[tuple[int, Node]]] = {}
        for index, access in enumerate(self._cfg.accesses):
            if access.kind is Kind.CAPTURE:
                self._captures.setdefault(access.name, []).append((index, access.node))

    @functools.cached_property
    def _closures(self) -> Closures:
        return Closures(self._function)

    # Names.

    def bound_at_entry(self) -> set[str]:
        """The variables that have a value when the function starts, as far as it knows."""
        own = set(self._symbols.locals) - set(self._symbols.params)
        return {access.name.root for access in self._cfg.accesses} - own | set(self._symbols.params)

    def binds(self, start: Node, end: Node | None = None) -> tuple[list[str], set[str]]:
        """The variables that a statement, up to a node in it, binds, and those it unbinds."""
        first, last = self._cfg.spans[start]
        if end is not None:
            last = self._cfg.spans[end][0]
        bound: dict[str, bool] = {}
        for access in self._cfg.accesses[first:last]:
            if access.name.is_simple and access.kind in (Kind.WRITE, Kind.DELETE):
                bound[access.name.root] = access.kind is Kind.WRITE
        return list(bound), {name for name, is_bound in bound.items() if not is_bound}

    def modified(self, *stretches: Sequence[Node]) -> Names:
        """The variables that stretches bind to another value, or whose values they change.

        They stand in the order in which they first appear in the function.
        """
        found = {
            _variable(access) for each in stretches for access in self._accesses(each)
            if access.kind in CHANGES and access.name.root in self._own}
        return tuple(sorted(found, key=lambda name: self._order[name.root]))

    @functools.cached_property
    def _order(self) -> dict[str, int]:
        """Where each variable appears first; parameters come before all others."""
        names = (*self._symbols.params, *(access.name.root for access in self._cfg.accesses))
        return {name: place for place, name in enumerate(dict.fromkeys(names))}

    def in_place(self, *stretches: Sequence[Node]) -> set[QualName]:
        """The variables whose values may be changed in place, so that others see it."""
        return {
            _variable(access) for each in stretches for access in self._accesses(each)
            if access.kind is Kind.MODIFY or (access.kind in CHANGES and access.name.steps)}

    def exposed(self, stretch: Sequence[Node]) -> Names:
        """Those of the variables that a stretch modifies whose value from before it may need."""
        if not stretch:
            return ()
        names = self.modified(stretch)
        live = set(self._live.live_in.among(stretch[0], names))
        return tuple(name for name in names if name in live or self._is_asked(name, stretch))

    def _is_asked(self, flag: QualName, stretch: Sequence[Node]) -> bool:
        """Whether a loop in a stretch asks a flag before its first turn that nothing there set."""
        start, end = self._span(stretch)
        return any(
            start <= place < end and not any(
                access.name == flag and access.kind is Kind.WRITE
                for access in self._cfg.accesses[start:place])
            for place in self._asked.get(flag, ()))

    def live_into(self, stretch: Sequence[Node]) -> Names:
        """The places that are needed where a stretch begins."""
        return self._live.live_into(stretch)

    def live_after(self, statement: Node, names: Names) -> Names:
        """Those of the variables that are needed after a statement."""
        return self._live.live_out.among(statement, names)

    def live_in_loop(self, loop: Node, names: Names) -> Names:
        """Those of the variables that a turn of a loop, or what follows it, needs from before."""
        return self._live.live_at_turn.among(loop, names)

    def outlives(self, name: QualName) -> bool:
        """Whether others may see a variable after the function has returned."""
        return name.root not in self._symbols.locals

    # Places.

    def places(
        self,
        names: Iterable[QualName],
        stretches: Sequence[Sequence[Node]],
        watched: Collection[QualName],
    ) -> tuple[Place, ...]:
        """How names are passed to functions that stretches become; some are shared anyway."""
        return tuple(self._place(name, stretches, name in watched) for name in names)

    def _place(
        self, name: QualName, stretches: Sequence[Sequence[Node]], is_watched: bool
    ) -> Place:
        if name.root in self._symbols.globals_ or name.root in self._symbols.nonlocals:
            kind = gast.Global if name.root in self._symbols.globals_ else gast.Nonlocal
            is_shared = is_watched or self._calls_user_code(stretches)
        else:
            kind = gast.Nonlocal
            is_shared = is_watched or any(self.is_seen(name, each) for each in stretches)
        if not is_shared:
            return Place(name, name.root)
        return Place(name, self._context.helper(name.root, 'parameter'), kind)

    def is_seen(self, name: QualName, stretch: Sequence[Node]) -> bool:
        """Whether a closure that is not the stretch's alone sees the variable.

        That is one made before, which may be called in it, or made in it, and kept.
        """
        captures = self._captures.get(name, ())
        start, end = self._span(stretch)
        if any(start <= index < end and self._is_kept(node, stretch) for index, node in captures):
            return True
        return any(not start <= index < end for index, _ in captures) and (
            any(
                access.name == name and access.kind in _BY_CLOSURES
                for access in self._cfg.accesses[start:end])
            or (name in self._held and self._calls_user_code([stretch])))

    def _is_kept(self, closure: Node, stretch: Sequence[Node]) -> bool:
        """Whether a closure that a stretch makes may be called after it."""
        if closure in self._closures.kept:
            return True
        name = self._closures.names.get(closure)
        names = () if name is None else (QualName(name),)
        last = stretch[-1]
        return bool(self._live.live_out.among(last, names)) or (
            isinstance(last, LOOPS) and bool(self._live.live_at_turn.among(last, names)))

    def _calls_user_code(self, stretches: Sequence[Sequence[Node]]) -> bool:
        """Whether code that is not known may be called."""
        calls = (
            node for stretch in stretches for statement in stretch
            for node in walk(statement) if isinstance(node, gast.Call))
        unknown = Callee.LOCAL, Callee.USER
        return any(callee(call.func, self._context)[0] in unknown for call in calls)

    # Stretches.

    def _accesses(self, stretch: Sequence[Node]) -> tuple[Access, ...]:
        start, end = self._span(stretch)
        return self._cfg.accesses[start:end]

    def _span(self, stretch: Sequence[Node]) -> tuple[int, int]:
        if not stretch:
            return 0, 0
        return self._cfg.spans[stretch[0]][0], self._cfg.spans[stretch[-1]][1]


def _variable(access: Access) -> QualName:
    """The variable through which a place is reached."""
    return QualName(access.name.root)
