"""The control-flow graph of a function.

Each kind of statement has one method, which puts the statement's accesses and edges into the flow.
Ways that a jump takes through `finally` are built apart from the normal one, so that no way exists
in the graph that the program cannot take; a node of a `finally` block may thus stand at several
points.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gast

from autograph_lite.analysis.accesses import (
    SUPPRESSING,
    Access,
    Captures,
    Kind,
    last_name,
    merged,
)
from autograph_lite.analysis.expressions import Evaluator
from autograph_lite.analysis.flow import Flow, Jump, no_jumps
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.symbols import Symbols, import_name, symbols
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Point:
    """A stretch of accesses made one after the other.

    `held` are the names that closures which may be called by anybody read from here on;
    `reachable` is false for what stands after a `return` and the like.
    """

    accesses: tuple[Access, ...]
    held: tuple[QualName, ...]
    successors: tuple[int, ...]
    reachable: bool


@dataclass(frozen=True, eq=False)
class CFG:
    """Points in the order of the text, and where in them the nodes of the tree lie.

    `before` and `after` lead from a statement, test, iterable, subject or guard to the points at
    which it begins and ends, `turns` from a loop to the points at which it decides on another turn;
    `spans` leads to the stretch of `accesses` that it makes, nested statements included.
    """

    function: Node
    symbols: Symbols
    accesses: tuple[Access, ...]
    points: tuple[Point, ...]
    before: Mapping[Node, tuple[int, ...]]
    after: Mapping[Node, tuple[int, ...]]
    turns: Mapping[Node, tuple[int, ...]]
    spans: Mapping[Node, tuple[int, int]]
    entry: int
    exit: int


def build(function: Node) -> CFG:
    """The control-flow graph of a function or lambda, without those that are nested in it."""
    return _Builder(function, frozenset()).build()


Frontier = list[int]


class _Builder:
    """Builds the graph of one function, lambda or class body."""

    def __init__(self, scope: Node, around: frozenset[str]) -> None:
        self._scope = scope
        self._symbols = symbols(scope)
        self._flow = Flow()
        own, modules = self._symbols.locals, self._symbols.modules
        declared = {*self._symbols.globals_, *self._symbols.nonlocals}
        self._variables = ((around | declared) - own) | (own - modules)
        self._known_captures: dict[Node, Captures] = {}
        self._evaluator = Evaluator(self._flow, self._symbols, self._variables, self._captures)
        self._before: dict[Node, list[int]] = {}
        self._after: dict[Node, list[int]] = {}
        self._turns: dict[Node, list[int]] = {}
        self._spans: dict[Node, tuple[int, int]] = {}

    def build(self) -> CFG:
        flow = self._flow
        entry = flow.point()
        flow.end_point()
        if isinstance(self._scope, gast.Lambda):
            self._expression(self._scope.body)
        else:
            self._block(self._scope.body)
        flow.resume(flow.frontier + flow.jumps[Jump.RETURN])
        last = flow.point()
        ends = [*flow.starts[1:], len(flow.accesses)]
        points = tuple(
            Point(tuple(flow.accesses[start:end]), held, tuple(successors), reachable)
            for start, end, held, successors, reachable in zip(
                flow.starts, ends, flow.held, flow.successors, flow.reachable, strict=True
            )
        )
        return CFG(
            function=self._scope,
            symbols=self._symbols,
            accesses=tuple(flow.accesses),
            points=points,
            before={node: tuple(found) for node, found in self._before.items()},
            after={node: tuple(found) for node, found in self._after.items()},
            turns={node: tuple(found) for node, found in self._turns.items()},
            spans=self._spans,
            entry=entry,
            exit=last,
        )

    # -- closures --

    def _captures(self, closure: Node) -> Captures:
        """What calling a nested function, or having a nested class, does to names of this scope."""
        if closure not in self._known_captures:
            self._known_captures[closure] = _Builder(closure, self._variables).captures()
        return self._known_captures[closure]

    def captures(self) -> Captures:
        """What the scope that is built here does to names around it."""
        self.build()
        is_class = isinstance(self._scope, gast.ClassDef)
        own = self._symbols.locals
        hidden = {each.name for each in getattr(self._scope, 'type_params', [])}
        if is_class:
            hidden.add('__class__')
        reads: dict[QualName, None] = {}
        writes: dict[QualName, None] = {}
        kept: dict[QualName, None] = {}
        for access in self._flow.accesses:
            name = access.name
            captured = access.kind is Kind.CAPTURE
            # Methods look past the names of their class.
            if name.root in hidden or (name.root in own and not (is_class and captured)):
                continue
            if access.kind in (Kind.WRITE, Kind.DELETE, Kind.POKE, Kind.MODIFY):
                writes[name] = None
            if access.kind not in (Kind.WRITE, Kind.DELETE, Kind.POKE):
                reads[name] = None
            if captured or access.kind is Kind.HOLD or is_class or self._evaluator.yields:
                kept[name] = None
        return Captures(tuple(reads), tuple(writes), tuple(kept))

    # -- blocks and marks --

    def _block(self, statements: list[Node]) -> None:
        for statement in statements:
            getattr(self, f'_{type(statement).__name__}', self._simple)(statement)

    def _begin(self, node: Node) -> tuple[Node, int]:
        """Begin a node at a point of its own."""
        self._before.setdefault(node, []).append(self._flow.point())
        return node, len(self._flow.accesses)

    def _end(self, mark: tuple[Node, int]) -> None:
        """End a node at the one point where its ways have met."""
        flow = self._flow
        if len(flow.frontier) != 1:
            flow.point()
        node, start = mark
        self._after.setdefault(node, []).append(flow.frontier[0])
        self._spans.setdefault(node, (start, len(flow.accesses)))
        flow.end_point()

    def _close(self, mark: tuple[Node, int]) -> None:
        """End a node that has blocks, at a point of its own."""
        self._flow.point()
        self._end(mark)

    def _expression(self, node: Node) -> None:
        mark = self._begin(node)
        self._evaluator.evaluate(node)
        self._end(mark)

    def _join(self, mark: tuple[Node, int], held: tuple[QualName, ...]) -> None:
        """End a compound statement where its ways meet.

        Its blocks become functions: a closure made in one, of a name that the block binds, has that
        function's own variable, which nothing after the statement can change.
        """
        flow = self._flow
        if flow.holding != held:
            made = flow.accesses[mark[1] :]
            bound = {each.name for each in made if each.kind in (Kind.WRITE, Kind.DELETE)}
            flow.holding = merged(
                held, tuple(name for name in flow.holding if name not in bound)
            )
        self._close(mark)

    # -- simple statements --

    def _simple(self, node: Node) -> None:
        """Statements that only evaluate, and `pass`, `global`, `nonlocal`."""
        mark = self._begin(node)
        self._evaluator.evaluate(getattr(node, 'value', None))
        self._end(mark)

    def _Assign(self, node: Node) -> None:
        mark = self._begin(node)
        names = [target for target in node.targets if isinstance(target, gast.Name)]
        if isinstance(node.value, gast.Lambda) and len(names) == len(node.targets):
            self._evaluator.define_lambda(node.value)
        else:
            self._evaluator.evaluate(node.value)
        for target in node.targets:
            self._evaluator.store(target)
        self._end(mark)

    def _AnnAssign(self, node: Node) -> None:
        mark = self._begin(node)
        if node.value is not None:
            self._evaluator.evaluate(node.value)
            self._evaluator.store(node.target)
        elif not isinstance(node.target, gast.Name):
            self._evaluator.evaluate(node.target.value, getattr(node.target, 'slice', None))
        self._end(mark)

    def _AugAssign(self, node: Node) -> None:
        mark = self._begin(node)
        self._evaluator.augment(node.target, node.value)
        self._end(mark)

    def _Delete(self, node: Node) -> None:
        mark = self._begin(node)
        for target in node.targets:
            self._evaluator.delete(target)
        self._end(mark)

    def _Import(self, node: Node) -> None:
        mark = self._begin(node)
        for alias in node.names:
            self._evaluator.write(import_name(alias), alias)
        self._end(mark)

    _ImportFrom = _Import

    def _TypeAlias(self, node: Node) -> None:
        """The value is evaluated when somebody asks for it, so only the name matters here."""
        mark = self._begin(node)
        self._evaluator.store(node.name)
        self._end(mark)

    def _FunctionDef(self, node: Node) -> None:
        mark = self._begin(node)
        self._evaluator.evaluate(*node.decorator_list)
        self._evaluator.define(node)
        if isinstance(node, gast.ClassDef):
            self._evaluator.call_at_once(node)
        self._evaluator.write(node.name, node)
        self._end(mark)

    _AsyncFunctionDef = _ClassDef = _FunctionDef

    # -- jumps --

    def _Return(self, node: Node) -> None:
        self._simple(node)
        self._flow.leave(Jump.RETURN)

    def _Break(self, node: Node) -> None:
        self._simple(node)
        self._flow.leave(Jump.BREAK)

    def _Continue(self, node: Node) -> None:
        self._simple(node)
        self._flow.leave(Jump.CONTINUE)

    def _Raise(self, node: Node) -> None:
        mark = self._begin(node)
        self._evaluator.evaluate(node.exc, node.cause)
        self._end(mark)
        self._flow.resume([])

    def _Assert(self, node: Node) -> None:
        mark = self._begin(node)
        holds, fails = self._test(node.test)
        self._flow.resume(fails)
        if node.msg is not None:
            self._expression(node.msg)
        self._flow.resume(holds)
        self._close(mark)

    # -- conditions --

    def _test(self, node: Node) -> tuple[Frontier, Frontier]:
        """Evaluate a condition; the points after which it is true, and where it is not."""
        _, start = self._begin(node)
        ways = self._condition(node)
        self._spans.setdefault(node, (start, len(self._flow.accesses)))
        self._flow.end_point()
        return ways

    def _condition(self, node: Node) -> tuple[Frontier, Frontier]:
        flow = self._flow
        if isinstance(node, gast.Constant):
            return (flow.frontier, []) if node.value else ([], flow.frontier)
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            true, false = self._condition(node.operand)
            return false, true
        if isinstance(node, gast.BoolOp):
            decided: Frontier = []
            for value in node.values:
                true, false = self._condition(value)
                goes_on, stops = (true, false) if isinstance(node.op, gast.And) else (false, true)
                decided = decided + stops
                flow.resume(goes_on)
            ways = (flow.frontier, decided)
            return ways if isinstance(node.op, gast.And) else ways[::-1]
        self._evaluator.evaluate(node)
        flow.end_point()
        return flow.frontier, flow.frontier

    def _If(self, node: Node) -> None:
        """The whole chain of `elif`s at once: its depth is that of one `if`."""
        flow, held = self._flow, self._flow.holding
        marks, ends = [], []
        while True:
            marks.append(self._begin(node))
            true, false = self._test(node.test)
            flow.resume(true)
            self._block(node.body)
            ends += flow.frontier
            flow.resume(false)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], gast.If):
                break
            node = node.orelse[0]
        self._block(node.orelse)
        flow.resume(ends + flow.frontier)
        self._join(marks[0], held)
        for mark in marks[1:]:
            self._end(mark)

    # -- loops --

    def _While(self, node: Node) -> None:
        held = self._flow.holding
        mark = self._begin(node)
        self._flow.end_point()
        head = self._flow.point()
        self._turns.setdefault(node, []).append(head)
        stays, leaves = self._test(node.test)
        self._loop(node, mark, head, stays, leaves, held)

    def _For(self, node: Node) -> None:
        held = self._flow.holding
        mark = self._begin(node)
        self._expression(node.iter)
        head = self._flow.point()
        self._turns.setdefault(node, []).append(head)
        self._flow.end_point()
        target = self._begin(node.target)
        self._evaluator.store(node.target)
        self._end(target)
        self._loop(node, mark, head, self._flow.frontier, [head], held)

    _AsyncFor = _For

    def _loop(
        self,
        node: Node,
        mark: tuple[Node, int],
        head: int,
        stays: Frontier,
        leaves: Frontier,
        held: tuple[QualName, ...],
    ) -> None:
        flow = self._flow
        outer = flow.jumps
        flow.jumps = {**outer, Jump.BREAK: [], Jump.CONTINUE: []}
        flow.resume(stays)
        self._block(node.body)
        flow.link(flow.frontier + flow.jumps[Jump.CONTINUE], head)
        broken = flow.jumps[Jump.BREAK]
        flow.jumps = outer
        flow.resume(leaves)
        self._block(node.orelse)
        flow.resume(flow.frontier + broken)
        self._join(mark, held)

    # -- match --

    def _Match(self, node: Node) -> None:
        flow, held = self._flow, self._flow.holding
        mark = self._begin(node)
        self._expression(node.subject)
        ends: Frontier = []
        for case in node.cases:
            opened = self._begin(case)
            self._pattern_reads(case.pattern)
            flow.end_point()
            missed = [] if _always_matches(case.pattern) else flow.frontier
            self._pattern_writes(case.pattern)
            if case.guard is not None:
                true, false = self._test(case.guard)
                missed = missed + false
                flow.resume(true)
            flow.end_point()
            self._block(case.body)
            self._close(opened)
            ends += flow.frontier
            flow.resume(missed)
        flow.resume(ends + flow.frontier)
        self._join(mark, held)

    def _pattern_reads(self, pattern: Node) -> None:
        for part in _parts(pattern):
            if isinstance(part, gast.MatchValue):
                self._evaluator.evaluate(part.value)
            elif isinstance(part, gast.MatchClass):
                self._evaluator.evaluate(part.cls)
            elif isinstance(part, gast.MatchMapping):
                self._evaluator.evaluate(*part.keys)

    def _pattern_writes(self, pattern: Node) -> None:
        """The names are bound after the whole pattern has matched."""
        for part in _parts(pattern):
            name = part.rest if isinstance(part, gast.MatchMapping) else getattr(part, 'name', None)
            if isinstance(name, str):
                self._evaluator.write(name, part)

    # -- with and try --

    def _With(self, node: Node) -> None:
        flow = self._flow
        mark = self._begin(node)
        for item in node.items:
            self._evaluator.evaluate(item.context_expr)
            if item.optional_vars is not None:
                self._evaluator.store(item.optional_vars)
        flow.end_point()
        calls = (each.context_expr for each in node.items)
        names = [last_name(call.func) for call in calls if isinstance(call, gast.Call)]
        if SUPPRESSING.isdisjoint(names):
            self._block(node.body)
        else:
            raised = self._guarded(node.body)
            flow.resume(flow.frontier + raised)
        self._close(mark)

    _AsyncWith = _With

    def _Try(self, node: Node) -> None:
        mark = self._begin(node)
        self._flow.end_point()
        if node.finalbody:
            self._cleaned_up(
                lambda: self._handled(node), lambda: self._block(node.finalbody)
            )
        else:
            self._handled(node)
        self._close(mark)

    _TryStar = _Try

    def _guarded(self, body: list[Node]) -> Frontier:
        """Build a block whose exceptions are caught; the points from which one may come."""
        flow = self._flow
        outer = flow.jumps
        flow.jumps = {**outer, Jump.RAISE: []}
        flow.guards += 1
        flow.point()
        flow.end_point()
        self._block(body)
        flow.guards -= 1
        raised = flow.jumps[Jump.RAISE]
        flow.jumps = outer
        return raised

    def _handled(self, node: Node) -> None:
        flow = self._flow
        if not node.handlers:
            self._block(node.body)
            return
        raised = self._guarded(node.body)
        self._block(node.orelse)
        ends = flow.frontier
        for handler in node.handlers:
            flow.resume(raised)
            mark = self._begin(handler)
            self._evaluator.evaluate(handler.type)
            flow.end_point()
            raised = [] if handler.type is None else flow.frontier
            self._handler(handler)
            self._close(mark)
            ends = ends + flow.frontier
            if isinstance(node, gast.TryStar):
                raised = raised + flow.frontier  # the next clause takes what is left
        if flow.guards:
            flow.jumps[Jump.RAISE] += raised
        flow.resume(ends)

    def _handler(self, handler: Node) -> None:
        """The body; the name it gives the exception is unbound whichever way it ends."""
        if handler.name is None:
            self._block(handler.body)
            return
        self._evaluator.store(handler.name)
        self._flow.end_point()
        self._cleaned_up(
            lambda: self._block(handler.body), lambda: self._evaluator.unbind(handler.name)
        )

    def _cleaned_up(self, body: Callable[[], None], cleanup: Callable[[], None]) -> None:
        """Build a body and, for each kind of way out of it, the cleanup that this way runs."""
        flow = self._flow
        outer = flow.jumps
        flow.jumps = no_jumps()
        flow.guards += 1
        flow.point()
        flow.end_point()
        body()
        flow.guards -= 1
        jumps, flow.jumps = flow.jumps, outer
        end: Frontier = []
        if flow.frontier:
            cleanup()
            end = flow.frontier
        for jump, sources in jumps.items():
            if sources:
                flow.resume(sources)
                cleanup()
                if jump is not Jump.RAISE or flow.guards:
                    flow.leave(jump)
        flow.resume(end)


def _parts(pattern: Node) -> list[Node]:
    """The patterns that a pattern consists of, itself included, in the order of the text."""
    nested = [*getattr(pattern, 'patterns', []), *getattr(pattern, 'kwd_patterns', [])]
    if isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        nested.append(pattern.pattern)
    return [*(part for each in nested for part in _parts(each)), pattern]


def _always_matches(pattern: Node) -> bool:
    if isinstance(pattern, gast.MatchAs):
        return pattern.pattern is None or _always_matches(pattern.pattern)
    return isinstance(pattern, gast.MatchOr) and _always_matches(pattern.patterns[-1])
