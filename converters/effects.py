"""What a stretch of a function does to its variables."""
from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import gast

from autograph_lite.analysis.accesses import CHANGES, MUTATING_METHODS, Access, Kind, last_name
from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.dataflow import NameSets
from autograph_lite.analysis.liveness import liveness
from autograph_lite.analysis.qualnames import QualName, qualname_of
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS, tail_flags
from autograph_lite.converters.plan import Names
from autograph_lite.pyct.tree import Node, walk

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
        self._asked: dict[str, list[int]] = {}
        for loop in self._cfg.turns:
            for flag in tail_flags(loop, context):
                self._asked.setdefault(flag, []).append(self._cfg.spans[loop][0])
        self._held = {
            access.name.root for access in self._cfg.accesses if access.kind is Kind.HOLD}
        self._captures: dict[str, list[tuple[int, Node]]] = {}
        for index, access in enumerate(self._cfg.accesses):
            if access.kind is Kind.CAPTURE:
                self._captures.setdefault(access.name.root, []).append((index, access.node))

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
            access.name.root for each in stretches for access in self._accesses(each)
            if access.kind in CHANGES and access.name.root in self._own}
        return tuple(sorted(found, key=self._order.__getitem__))

    @functools.cached_property
    def _order(self) -> dict[str, int]:
        """Where each variable appears first; parameters come before all others."""
        names = (*self._symbols.params, *(access.name.root for access in self._cfg.accesses))
        return {name: place for place, name in enumerate(dict.fromkeys(names))}

    def in_place(self, *stretches: Sequence[Node]) -> set[str]:
        """The variables whose values may be changed in place, so that others see it."""
        return {
            access.name.root for each in stretches for access in self._accesses(each)
            if access.kind is Kind.MODIFY or (access.kind in CHANGES and access.name.steps)}

    def bound(self, stretch: Sequence[Node]) -> set[str]:
        """The variables that a stretch binds to another value, or unbinds."""
        return {
            access.name.root for access in self._accesses(stretch)
            if access.name.is_simple and access.kind in (Kind.WRITE, Kind.DELETE)}

    def exposed(self, stretch: Sequence[Node]) -> Names:
        """Those of the variables that a stretch modifies whose value from before it may need."""
        if not stretch:
            return ()
        names = self.modified(stretch)
        live = self._among(self._live.live_in, stretch[0], names)
        return tuple(name for name in names if name in live or self._is_asked(name, stretch))

    def _is_asked(self, flag: str, stretch: Sequence[Node]) -> bool:
        """Whether a loop in a stretch asks a flag before its first turn that nothing there set."""
        start, end = self._span(stretch)
        return any(
            start <= place < end and not any(
                access.name.root == flag and access.kind is Kind.WRITE
                for access in self._cfg.accesses[start:place])
            for place in self._asked.get(flag, ()))

    def live_into(self, stretch: Sequence[Node]) -> set[str]:
        """The variables that are needed where a stretch begins."""
        return {name.root for name in self._live.live_into(stretch)}

    def live_after(self, statement: Node, names: Names) -> Names:
        """Those of the variables that are needed after a statement."""
        return self._among(self._live.live_out, statement, names)

    def live_in_loop(self, loop: Node, names: Names) -> Names:
        """Those of the variables that a turn of a loop, or what follows it, needs from before."""
        return self._among(self._live.live_at_turn, loop, names)

    def _among(self, live: NameSets, node: Node, names: Names) -> Names:
        return tuple(each.root for each in live.among(node, map(QualName, names)))

    def outlives(self, name: str) -> bool:
        """Whether others may see a variable after the function has returned."""
        return name not in self._symbols.locals

    def declaration(self, name: str) -> type:
        """What lets a function in this one set a variable."""
        declaration: type = gast.Global if name in self._symbols.globals_ else gast.Nonlocal
        return declaration

    def is_seen(self, name: str, stretches: Iterable[Sequence[Node]]) -> bool:
        """Whether other code may look at a variable while a stretch runs, or set it."""
        if name in self._symbols.globals_ or name in self._symbols.nonlocals:
            return self._calls_user_code(stretches)
        return any(self._is_seen(name, each) for each in stretches)

    def _is_seen(self, name: str, stretch: Sequence[Node]) -> bool:
        """Whether a closure that is not the stretch's alone sees the variable.

        That is one made before, which may be called in it, or made in it, and kept.
        """
        captures = self._captures.get(name, ())
        start, end = self._span(stretch)
        if any(start <= index < end and self._is_kept(node, stretch) for index, node in captures):
            return True
        return any(not start <= index < end for index, _ in captures) and (
            any(
                access.name.root == name and access.kind in _BY_CLOSURES
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

    def _calls_user_code(self, stretches: Iterable[Sequence[Node]]) -> bool:
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


class Closures:
    """What becomes of the functions and lambdas that a function makes.

    Attributes:
      names: the variable of each that has one of its own.
      kept: those that are put somewhere: into a list, an attribute, another variable.

    One that is called where it stands, or handed to a function, is not kept: it would have to be
    kept by what it is handed to, and functions that do so (`append`) are known.
    """

    def __init__(self, function: Node) -> None:
        self.names: dict[Node, str] = {}
        self.kept: set[Node] = set()
        put: set[str] = set()
        for node in walk(function):
            if isinstance(node, gast.FunctionDef) and node is not function:
                self.names[node] = node.name
            elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda):
                self._assigned(node)
            for part in _put_somewhere(node):
                if isinstance(part, gast.Lambda):
                    self.kept.add(part)
                elif isinstance(part, gast.Name):
                    put.add(part.id)
        self.kept.update(closure for closure, name in self.names.items() if name in put)

    def _assigned(self, node: Node) -> None:
        match node.targets:
            case [gast.Name(id=name)]:
                self.names[node.value] = name
            case _:
                self.kept.add(node.value)


def _put_somewhere(node: Node) -> list[Node]:
    """The parts of a node whose values it puts somewhere."""
    match node:
        case gast.Call(func=function, args=arguments, keywords=keywords):
            if last_name(function) in MUTATING_METHODS:
                return [*arguments, *(keyword.value for keyword in keywords)]
        case gast.Assign(value=value) if not isinstance(value, gast.Lambda):
            return [value]
        case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Set(elts=parts):
            return list(parts)
        case gast.Dict(values=parts):
            return list(parts)
        case gast.IfExp(body=body, orelse=orelse):
            return [body, orelse]
        case gast.ListComp(elt=part) | gast.SetComp(elt=part) | gast.DictComp(value=part):
            return [part]
        case gast.BoolOp(values=parts):
            return list(parts)
        case gast.NamedExpr(value=value):
            return [value]
    return []


def unsettled(statement: Node, effects: Effects) -> list[str]:
    """What a `try` block modifies, and what follows may need as it was when something was raised.

    A variable that only the last statement that may raise gives a value has its old one then.
    """
    handlers = [handler.body for handler in statement.handlers]
    modified = effects.modified(statement.body)
    needed = {name for block in handlers for name in effects.live_into(block)}
    needed |= set(filter(effects.outlives, modified))
    return [
        name for name in modified
        if name in needed and not _is_late(statement.body, name, effects)]


def _is_late(block: Sequence[Node], name: str, effects: Effects) -> bool:
    """Whether nothing in a block may raise once the place is modified."""
    for i, statement in enumerate(block):
        if name in effects.modified([statement]):
            last = _gives_last(statement, name, effects)
            return last and all(map(_is_safe, block[i + 1 :]))
    return True


def _gives_last(statement: Node, name: str, effects: Effects) -> bool:
    match statement:
        case gast.Assign(targets=[target]):
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            found = [qualname_of(part) for part in parts]
            is_simple = None not in found and all(each.is_simple for each in found if each)
            return is_simple or len(parts) == 1
        case gast.AnnAssign(target=gast.Name()) | gast.AugAssign(target=gast.Name()):
            return True
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=place, attr='append'))):
            return str(qualname_of(place)) == name
        case gast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
            inner = [body, *(handler.body for handler in handlers)]
            return all(_is_late(each, name, effects) for each in inner)
        case gast.With(items=[gast.withitem(context_expr=context)], body=body):
            return _is_errstate(context) and _is_late(body, name, effects)
        case gast.If(body=body, orelse=orelse):
            return _is_late(body, name, effects) and _is_late(orelse, name, effects)
    return False


def _is_errstate(context: Node) -> bool:
    match context:
        case gast.Call(func=gast.Attribute(attr='errstate')):
            return True
    return False


def _is_safe(statement: Node) -> bool:
    """Whether a statement never raises."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant() | gast.Name()):
            return True
        case gast.Return(value=None | gast.Constant() | gast.Name()):
            return True
    return isinstance(statement, gast.Pass | gast.Break | gast.Continue)
