"""The accesses and the ways of each kind of statement: one method, one transfer function for each.

Ways that a jump takes through `finally` are built apart from the normal one, so that no way exists
in the graph that the program cannot take; a node of a `finally` block may thus stand at several
points.
"""
from __future__ import annotations

from collections.abc import Callable

import gast

from autograph_lite.analysis.accesses import SUPPRESSING, Kind, last_name
from autograph_lite.analysis.expressions import Evaluator
from autograph_lite.analysis.flow import Flow, Frontier, Jump, Mark, no_jumps
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.symbols import import_name
from autograph_lite.pyct.tree import Node


class Statements:
    """Puts statements into a flow."""

    def __init__(self, flow: Flow, evaluator: Evaluator) -> None:
        self._flow = flow
        self._evaluator = evaluator

    def block(self, statements: list[Node]) -> None:
        """Statements that are run one after the other."""
        for statement in statements:
            getattr(self, f'_{type(statement).__name__}', self._simple)(statement)

    def expression(self, node: Node) -> None:
        """An expression that has an entry of its own in the tables."""
        mark = self._flow.begin(node)
        self._evaluator.evaluate(node)
        self._flow.end(mark)

    def _join(self, mark: Mark, held: frozenset[QualName]) -> None:
        """End a compound statement where its ways meet.

        Its blocks become functions: a closure made in one, of a name that the block binds, has that
        function's own variable, which nothing after the statement can change.
        """
        flow = self._flow
        if flow.holding != held:
            bound = {
                access.name
                for access in flow.accesses[mark.start :]
                if access.kind in (Kind.WRITE, Kind.DELETE)
            }
            flow.holding = held | (flow.holding - bound)
        flow.close(mark)

    # -- simple statements --

    def _simple(self, node: Node) -> None:
        """Statements that only evaluate, and `pass`, `global`, `nonlocal`."""
        mark = self._flow.begin(node)
        self._evaluator.evaluate(getattr(node, 'value', None))
        self._flow.end(mark)

    def _Assign(self, node: Node) -> None:
        mark = self._flow.begin(node)
        names = [target for target in node.targets if isinstance(target, gast.Name)]
        if isinstance(node.value, gast.Lambda) and len(names) == len(node.targets):
            self._evaluator.define_lambda(node.value)
        else:
            self._evaluator.evaluate(node.value)
        for target in node.targets:
            self._evaluator.store(target)
        self._flow.end(mark)

    def _AnnAssign(self, node: Node) -> None:
        mark = self._flow.begin(node)
        if node.value is not None:
            self._evaluator.evaluate(node.value)
            self._evaluator.store(node.target)
        elif not isinstance(node.target, gast.Name):
            self._evaluator.evaluate(node.target.value, getattr(node.target, 'slice', None))
        self._flow.end(mark)

    def _AugAssign(self, node: Node) -> None:
        mark = self._flow.begin(node)
        self._evaluator.augment(node.target, node.value)
        self._flow.end(mark)

    def _Delete(self, node: Node) -> None:
        mark = self._flow.begin(node)
        for target in node.targets:
            self._evaluator.delete(target)
        self._flow.end(mark)

    def _Import(self, node: Node) -> None:
        mark = self._flow.begin(node)
        for alias in node.names:
            self._evaluator.write(import_name(alias), alias)
        self._flow.end(mark)

    _ImportFrom = _Import

    def _TypeAlias(self, node: Node) -> None:
        """The value is evaluated when somebody asks for it, so only the name matters here."""
        mark = self._flow.begin(node)
        self._evaluator.store(node.name)
        self._flow.end(mark)

    def _FunctionDef(self, node: Node) -> None:
        mark = self._flow.begin(node)
        self._evaluator.evaluate(*node.decorator_list)
        self._evaluator.define(node)
        self._flow.end(mark)

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
        mark = self._flow.begin(node)
        self._evaluator.evaluate(node.exc, node.cause)
        self._flow.end(mark)
        self._flow.resume([])

    def _Assert(self, node: Node) -> None:
        mark = self._flow.begin(node)
        holds, fails = self._test(node.test)
        self._flow.resume(fails)
        if node.msg is not None:
            self.expression(node.msg)
        self._flow.resume(holds)
        self._flow.close(mark)

    # -- conditions --

    def _test(self, node: Node) -> tuple[Frontier, Frontier]:
        """Evaluate a condition; the points after which it is true, and where it is not."""
        mark = self._flow.begin(node)
        ways = self._evaluator.condition(node)
        self._flow.span(mark)
        return ways

    def _If(self, node: Node) -> None:
        """The whole chain of `elif`s at once: its depth is that of one `if`."""
        flow, held = self._flow, self._flow.holding
        marks, ends = [], []
        while True:
            marks.append(self._flow.begin(node))
            true, false = self._test(node.test)
            flow.resume(true)
            self.block(node.body)
            ends += flow.frontier
            flow.resume(false)
            if len(node.orelse) != 1 or not isinstance(node.orelse[0], gast.If):
                break
            node = node.orelse[0]
        self.block(node.orelse)
        flow.resume(ends + flow.frontier)
        self._join(marks[0], held)
        for mark in marks[1:]:
            self._flow.end(mark)

    # -- loops --

    def _While(self, node: Node) -> None:
        held = self._flow.holding
        mark = self._flow.begin(node)
        head = self._flow.turn(node)
        stays, leaves = self._test(node.test)
        self._loop(node, mark, head, stays, leaves, held)

    def _For(self, node: Node) -> None:
        held = self._flow.holding
        mark = self._flow.begin(node)
        self.expression(node.iter)
        head = self._flow.turn(node)
        target = self._flow.begin(node.target)
        self._evaluator.store(node.target)
        self._flow.end(target)
        self._loop(node, mark, head, self._flow.frontier, [head], held)

    _AsyncFor = _For

    def _loop(
        self,
        node: Node,
        mark: Mark,
        head: int,
        stays: Frontier,
        leaves: Frontier,
        held: frozenset[QualName],
    ) -> None:
        flow = self._flow
        outer = flow.jumps
        flow.jumps = {**outer, Jump.BREAK: [], Jump.CONTINUE: []}
        flow.resume(stays)
        self.block(node.body)
        flow.link(flow.frontier + flow.jumps[Jump.CONTINUE], head)
        broken = flow.jumps[Jump.BREAK]
        flow.jumps = outer
        flow.resume(leaves)
        self.block(node.orelse)
        flow.resume(flow.frontier + broken)
        self._join(mark, held)

    # -- match --

    def _Match(self, node: Node) -> None:
        flow, held = self._flow, self._flow.holding
        mark = self._flow.begin(node)
        self.expression(node.subject)
        ends: Frontier = []
        for case in node.cases:
            opened = self._flow.begin(case)
            self._pattern_reads(case.pattern)
            flow.end_point()
            missed = [] if _always_matches(case.pattern) else flow.frontier
            self._pattern_writes(case.pattern)
            if case.guard is not None:
                true, false = self._test(case.guard)
                missed = missed + false
                flow.resume(true)
            flow.end_point()
            self.block(case.body)
            self._flow.close(opened)
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
        mark = self._flow.begin(node)
        for item in node.items:
            self._evaluator.evaluate(item.context_expr)
            if item.optional_vars is not None:
                self._evaluator.store(item.optional_vars)
        flow.end_point()
        calls = (each.context_expr for each in node.items)
        names = [last_name(call.func) for call in calls if isinstance(call, gast.Call)]
        if SUPPRESSING.isdisjoint(names):
            self.block(node.body)
        else:
            raised = self._guarded(node.body)
            flow.resume(flow.frontier + raised)
        self._flow.close(mark)

    _AsyncWith = _With

    def _Try(self, node: Node) -> None:
        mark = self._flow.begin(node)
        self._flow.end_point()
        if node.finalbody:
            self._cleaned_up(lambda: self._handled(node), lambda: self.block(node.finalbody))
        else:
            self._handled(node)
        self._flow.close(mark)

    _TryStar = _Try

    def _guarded(self, body: list[Node]) -> Frontier:
        """Build a block whose exceptions are caught; the points from which one may come."""
        flow = self._flow
        outer = flow.jumps
        flow.jumps = {**outer, Jump.RAISE: []}
        flow.guards += 1
        flow.point()
        flow.end_point()
        self.block(body)
        flow.guards -= 1
        raised = flow.jumps[Jump.RAISE]
        flow.jumps = outer
        return raised

    def _handled(self, node: Node) -> None:
        flow = self._flow
        if not node.handlers:
            self.block(node.body)
            return
        raised = self._guarded(node.body)
        self.block(node.orelse)
        ends = flow.frontier
        for handler in node.handlers:
            flow.resume(raised)
            mark = self._flow.begin(handler)
            self._evaluator.evaluate(handler.type)
            flow.end_point()
            raised = flow.frontier  # the next clause takes what this one does not
            self._handler(handler)
            self._flow.close(mark)
            ends = ends + flow.frontier
            if isinstance(node, gast.TryStar):
                raised = raised + flow.frontier  # and here what this one leaves of a group
        flow.resume(ends)

    def _handler(self, handler: Node) -> None:
        """The body; the name it gives the exception is unbound whichever way it ends."""
        if handler.name is None:
            self.block(handler.body)
            return
        self._evaluator.store(handler.name)
        self._flow.end_point()
        self._cleaned_up(
            lambda: self.block(handler.body), lambda: self._evaluator.unbind(handler.name)
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
                if jump is not Jump.RAISE:  # where it matters, any point counts as one that raises
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
