"""What a stretch of a function does to variables, attributes and items."""
from __future__ import annotations

import functools
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence

import gast

from autograph_lite.analysis.accesses import CHANGES, Kind
from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.callees import Callee, callee, calls_nobody
from autograph_lite.converters.closures import Closures
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS, tail_flags
from autograph_lite.converters.plan import Place
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.tree import Node, walk

Names = tuple[QualName, ...]

_BY_CLOSURES = frozenset({Kind.PEEK, Kind.POKE, Kind.HOLD})


class Effects:
    """Answers questions about stretches of one function: lists of consecutive statements."""

    def __init__(self, function: Node, context: Context) -> None:
        self._function = function
        self._context = context
        self._cfg = build(function)
        self._live = liveness(self._cfg)
        self._symbols = self._cfg.symbols
        self._own = {
            *self._symbols.locals, *self._symbols.globals_, *self._symbols.nonlocals}
        self._asked: dict[QualName, list[int]] = {}
        for loop in self._cfg.turns:
            for flag in tail_flags(loop, context):
                self._asked.setdefault(QualName(flag), []).append(self._cfg.spans[loop][0])
        for places in self._asked.values():
            places.sort()
        self._held = {
            access.name for access in self._cfg.accesses if access.kind is Kind.HOLD}
        self._set_by_closures = {
            QualName(name) for node in walk(function) if isinstance(node, gast.Nonlocal)
            for name in node.names}
        self._captures: dict[QualName, list[tuple[int, Node]]] = {}
        # Where something changes of what can be passed: the accesses, the variables, and those
        # whose values may be changed in place.
        self._changing: list[int] = []
        self._changed: list[QualName] = []
        self._in_place: list[QualName | None] = []
        self._modified: dict[tuple[tuple[int, int], ...], Names] = {}  # by spans of accesses
        for index, (kind, name, node) in enumerate(self._cfg.accesses):
            if kind is Kind.CAPTURE:
                self._captures.setdefault(name, []).append((index, node))
            elif kind in CHANGES and name.root in self._own:
                variable = name.parents[0] if name.steps else name
                is_in_place = kind is Kind.MODIFY or name.steps
                self._changing.append(index)
                self._changed.append(variable)
                self._in_place.append(variable if is_in_place else None)

    @functools.cached_property
    def _closures(self) -> Closures:
        return Closures(self._function)

    @functools.cached_property
    def _lazy(self) -> dict[QualName, list[tuple[int, Node]]]:
        """Where variables are read by what gives its elements one by one."""
        found: dict[QualName, list[tuple[int, Node]]] = {}
        for index, access in enumerate(self._cfg.accesses):
            if access.kind is Kind.HOLD and access.node in self._closures.lazy:
                found.setdefault(access.name, []).append((index, access.node))
        return found

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
            if access.kind in (Kind.WRITE, Kind.DELETE) and access.name.is_simple:
                bound[access.name.root] = access.kind is Kind.WRITE
        return list(bound), {name for name, is_bound in bound.items() if not is_bound}

    def modified(self, *stretches: Sequence[Node]) -> Names:
        """The variables that stretches bind to another value, or in whose values they set places.

        They stand in the order in which they first appear in the function.

        An object that is passed and given back stays the same object, whatever its class does where
        an attribute or item is set, and whatever other names it has.
        """
        spans = tuple(map(self._span, stretches))
        if spans not in self._modified:
            found: dict[QualName, None] = {}
            for span in spans:
                found |= dict.fromkeys(self._changed[self._changes(span)])
            self._modified[spans] = tuple(sorted(found, key=self._order))
        return self._modified[spans]

    def _order(self, name: QualName) -> int:
        return self._first[name.root]

    @functools.cached_property
    def _first(self) -> dict[str, int]:
        """Where each variable appears first; parameters come before all others."""
        names = (*self._symbols.params, *(access.name.root for access in self._cfg.accesses))
        return {name: -place for place, name in enumerate(reversed(names))}

    def in_place(self, *stretches: Sequence[Node]) -> set[QualName]:
        """The variables whose values may be changed in place, so that others see it who have it."""
        found: set[QualName | None] = set()
        for stretch in stretches:
            found.update(self._in_place[self._changes(self._span(stretch))])
        return {name for name in found if name is not None}

    def _changes(self, span: tuple[int, int]) -> slice:
        """The accesses that change something of a variable that can be passed and given back."""
        start, end = (bisect_left(self._changing, place) for place in span)
        return slice(start, end)

    def exposed(self, stretch: Sequence[Node]) -> Names:
        """Those of the places that a stretch modifies whose value from before it may need."""
        if not stretch:
            return ()
        names = self.modified(stretch)
        live = set(self._live.live_in.among(stretch[0], names))
        return tuple(name for name in names if name in live or self._is_asked(name, stretch))

    def _is_asked(self, flag: QualName, stretch: Sequence[Node]) -> bool:
        """Whether a loop in a stretch asks a flag before its first turn that nothing there set."""
        start, end = self._span(stretch)
        asked = self._asked.get(flag, [])
        first = bisect_left(asked, start)  # later ones come after the same, and more
        return first < len(asked) and asked[first] < end and not any(
            access.name == flag and access.kind is Kind.WRITE
            for access in self._cfg.accesses[start:asked[first]])

    def live_into(self, stretch: Sequence[Node]) -> Names:
        """The places that are needed where a stretch begins."""
        return self._live.live_into(stretch)

    def live_after(self, statement: Node, names: Names) -> Names:
        """Those of the variables that are needed after a statement."""
        return self._live.live_out.among(statement, names)

    def needed_after(self, statement: Node) -> Names:
        """The places that are needed after a statement."""
        return self._live.live_out[statement]

    def live_in_loop(self, loop: Node, names: Names) -> Names:
        """Those of the variables that a turn of a loop, or what follows it, needs from before."""
        return self._live.live_at_turn.among(loop, names)

    def outlives(self, name: QualName) -> bool:
        """Whether others may see a variable after the function has returned."""
        return name.root not in self._symbols.locals

    def is_others(self, name: QualName, stretch: Sequence[Node]) -> bool:
        """Whether what a stretch calls may set a variable, as one of others or of a closure."""
        if name in self._set_by_closures and self._calls_user_code([stretch]):
            return True
        declared = {*self._symbols.globals_, *self._symbols.nonlocals}
        return name.is_simple and name.root in declared and self._may_call_others([stretch])

    def is_changed_by_calls(self, name: QualName, statement: Node) -> bool:
        """Whether closures change the variable that a statement, but for its blocks, may call."""
        start, end = self._cfg.spans[statement]
        inner = next(filter(None, blocks(statement)), None)
        if inner is not None:
            end = self._cfg.spans[inner[0]][0]
        return any(
            access.kind is Kind.POKE and access.name.root == name.root
            for access in self._cfg.accesses[start:end])

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
            is_shared = is_watched or self._may_call_others(stretches) or _raises(stretches)
        else:
            kind = gast.Nonlocal
            is_shared = is_watched or self.is_seen(name, stretches)
        if not is_shared:
            return Place(name, name.root)
        return Place(name, self._context.helper(name.root, 'parameter'), kind)

    def is_seen(self, name: QualName, stretches: Sequence[Sequence[Node]]) -> bool:
        """Whether a closure that is not a stretch's alone sees the variable.

        That is one made before, which may be called in it, or made in it, and kept; or an iterator
        that asks it for each element.
        """
        if name not in self._lazy and name not in self._captures:
            return False  # as with most
        return any(self._is_seen(name, stretch) for stretch in stretches)

    def _is_seen(self, name: QualName, stretch: Sequence[Node]) -> bool:
        lazy, captures = self._lazy.get(name, ()), self._captures.get(name, ())
        start, end = self._span(stretch)
        if any(not start <= index < end or _is_gone_over(node, stretch) for index, node in lazy):
            return True
        if any(start <= index < end and self._is_kept(node, stretch) for index, node in captures):
            return True
        return any(not start <= index < end for index, _ in captures) and (
            any(
                access.name == name and access.kind in _BY_CLOSURES
                for access in self._cfg.accesses[start:end])
            or (name in self._held | self._set_by_closures and self._calls_user_code([stretch])))

    def _is_kept(self, closure: Node, stretch: Sequence[Node]) -> bool:
        """Whether a closure that a stretch makes may be called after it."""
        if closure in self._closures.kept:
            return True
        name = self._closures.names.get(closure)
        names = () if name is None else (QualName(name),)
        last = stretch[-1]
        return bool(self._live.live_out.among(last, names)) or (
            isinstance(last, LOOPS) and bool(self._live.live_at_turn.among(last, names)))

    def _may_call_others(self, stretches: Sequence[Sequence[Node]]) -> bool:
        """The same, whatever it takes for it to be called, such as `map`."""
        return not all(calls_nobody(call, self._context) for call in _calls(stretches))

    def _calls_user_code(self, stretches: Sequence[Sequence[Node]]) -> bool:
        """Whether code that is not known may be called."""
        unknown = Callee.LOCAL, Callee.USER
        return any(callee(call.func, self._context)[0] in unknown for call in _calls(stretches))

    # Stretches.

    def _span(self, stretch: Sequence[Node]) -> tuple[int, int]:
        if not stretch:
            return 0, 0
        return self._cfg.spans[stretch[0]][0], self._cfg.spans[stretch[-1]][1]


def _calls(stretches: Sequence[Sequence[Node]]) -> Iterator[Node]:
    return (
        node for stretch in stretches for statement in stretch
        for node in walk(statement) if isinstance(node, gast.Call))


def _is_gone_over(node: Node, stretch: Sequence[Node]) -> bool:
    """Whether it gives the elements of a `for` statement, between whose turns it is asked."""
    loops = (statement for statement in stretch if isinstance(statement, gast.For))
    return any(part is node for loop in loops for part in walk(loop.iter))


def _raises(stretches: Sequence[Sequence[Node]]) -> bool:
    """Whether the user leaves a stretch by an exception, after which others see the variables."""
    return any(
        isinstance(node, gast.Raise | gast.Assert)
        for stretch in stretches for statement in stretch for node in walk(statement))
