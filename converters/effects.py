"""What a stretch of a function does to variables, attributes and items."""
from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Iterable, Sequence

import gast

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.qualnames import Item, QualName, qualname_of
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.closures import Closures
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS, tail_flags
from autograph_lite.converters.missing import missing_places
from autograph_lite.converters.plan import Place
from autograph_lite.pyct.tree import Node, children, walk

Names = tuple[QualName, ...]

_BY_CLOSURES = frozenset({Kind.PEEK, Kind.POKE, Kind.HOLD})


class Effects:
    """Answers questions about stretches of one function: lists of consecutive statements."""

    def __init__(self, function: Node, context: Context) -> None:
        self._function = function
        self._context = context
        self._function = function
        self._cfg = build(function)
        self._live = liveness(self._cfg, Scopes(self._cfg))
        self._symbols = self._cfg.symbols
        self._own = {
            *self._symbols.locals, *self._symbols.globals_, *self._symbols.nonlocals}
        self._read = {
            access.name for access in self._cfg.accesses
            if access.kind in (Kind.READ, Kind.MODIFY) and not access.name.is_simple}
        self.missing = missing_places(function, self._cfg, context, self._private)
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
        """The places that stretches modify and that can be passed and given back."""
        accesses = [access for each in stretches for access in self._accesses(each)]
        changed = dict.fromkeys(
            name for access in accesses if access.kind in CHANGES
            for name in [self._carrier(access)] if name is not None)
        deleted = {access.name for access in accesses if access.kind is Kind.DELETE}
        return tuple(
            name for name in changed
            if name.is_simple or (name not in deleted and changed.keys().isdisjoint(name.parents)))

    def _carrier(self, access: Access) -> QualName | None:
        """What has to be passed so that a change takes effect.

        A place that the function nowhere reads may not exist yet, so its value cannot be passed. A
        new item makes its container another value; a new attribute is a matter of Python's alone,
        and so is a change of an array that the function has from outside.
        """
        name = access.name
        while not name.is_simple and (name not in self._read or self._is_new_item(name)):
            if not isinstance(name.steps[-1], Item):
                return None
            name = name.parents[-1]
        return name if name.steps or name.root in self._own else None

    def _is_new_item(self, name: QualName) -> bool:
        return name in self.missing and isinstance(name.steps[-1], Item)

    def in_place(self, *stretches: Sequence[Node]) -> set[QualName]:
        """The places whose value may be changed in place, so that others see it who have it."""
        return {
            access.name
            for each in stretches
            for access in self._accesses(each)
            if access.kind is Kind.MODIFY}

    def exposed(self, stretch: Sequence[Node], names: Names | None = None) -> Names:
        """Those of the places that a stretch modifies whose value from before it may need."""
        if not stretch:
            return ()
        names = self.modified(stretch) if names is None else names
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
        """Those of the places that are needed after a statement."""
        live = set(self._live.live_out.among(statement, names))
        return tuple(name for name in names if name in live or self._is_visible(name))

    def live_in_loop(self, loop: Node, names: Names) -> Names:
        """Those of the places that a turn of a loop, or what follows it, needs from before it."""
        live = set(self._live.live_at_turn.among(loop, names))
        return tuple(name for name in names if name in live or self._is_visible(name))

    def _is_visible(self, name: QualName) -> bool:
        """Whether others may have the object that a place is in, perhaps under another name."""
        return not name.is_simple and name.root not in self._private

    @functools.cached_property
    def _private(self) -> set[str]:
        """The variables of which nobody else has the value: made here, and used in parts only."""
        made, called = self._uses()
        names = set(self._symbols.locals) - set(self._symbols.params) - called
        for access in self._cfg.accesses:
            name, node = access.name, access.node
            if name.is_simple and name.root in names:
                is_made = access.kind is Kind.WRITE and node in made
                is_part = access.kind in (Kind.REACH, Kind.DELETE) or node in made
                if not (is_made or is_part):
                    names.discard(name.root)
        return names

    def _uses(self) -> tuple[set[Node], set[str]]:
        """The names to which something new is assigned or that are returned, and of whose values
        methods are called, which may look at all of them."""
        found: set[Node] = set()
        called: set[str] = set()
        for node in ast.walk(self._function):
            match node:
                case gast.Assign(targets=[gast.Name() as target], value=value):
                    is_made = isinstance(value, gast.Call) and isinstance(
                        meaning(value.func, self._context), type)
                    if is_made or isinstance(value, gast.Dict | gast.List | gast.Set):
                        found.add(target)
                case gast.Return(value=gast.Name() as returned):
                    found.add(returned)
                case gast.Call(func=gast.Attribute() as method):
                    place = qualname_of(method)
                    if place is not None:
                        called.add(place.root)
        return found, called

    def outlives(self, name: QualName) -> bool:
        """Whether others may see a place after the function has returned."""
        return not name.is_simple or name.root not in self._symbols.locals

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
        helper = self._context.helper
        if not name.is_simple:
            parameter = helper(re.sub(r'\W+', '_', str(name)).strip('_'))
            is_shared = (
                is_watched or self._calls_user_code(stretches) or _reads_whole(name, stretches))
            return Place(name, parameter, is_shared)
        if name.root in self._symbols.globals_ or name.root in self._symbols.nonlocals:
            kind = gast.Global if name.root in self._symbols.globals_ else gast.Nonlocal
            is_shared = is_watched or self._calls_user_code(stretches)
        else:
            kind = gast.Nonlocal
            is_shared = is_watched or any(self.is_seen(name, each) for each in stretches)
        if not is_shared:
            return Place(name, name.root)
        return Place(name, helper(name.root, 'parameter'), True, kind)

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


def _reads_whole(name: QualName, stretches: Sequence[Sequence[Node]]) -> bool:
    """Whether the object that a place is in is read as a whole: that shows the place as it is."""
    pending: list[Node] = [statement for stretch in stretches for statement in stretch]
    while pending:
        node = pending.pop()
        place = qualname_of(node) if isinstance(node, ast.expr) else None
        if place is None:
            pending.extend(children(node))
        elif place in name.parents and isinstance(node.ctx, gast.Load):
            return True
    return False
