"""Making the plan of a function: one walk over its statements, outside in."""
from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

import gast

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.build import without_pass
from autograph_lite.converters.context import Context
from autograph_lite.converters.effects import Effects, Names
from autograph_lite.converters.jumps import LOOPS, falls, tail_flags
from autograph_lite.converters.lazy import bound_perhaps
from autograph_lite.converters.plain import Plain
from autograph_lite.converters.plan import BlockPlan, BranchPlan, Place, Plan, TryPlan
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.converters.settling import unsettled
from autograph_lite.pyct.tree import Node

Bound = set[str] | None  # the variables that have a value; None where control does not come


def plan_of(tree: Node, context: Context) -> Plan:
    """The plan of a function and of those nested in it, made when it is first asked for."""
    if context.plan is None:
        context.plan = Plan()
        for function in functions(tree):
            _Planner(function, context, context.plan).run()
    return context.plan


class _Planner:
    """Walks a function, knowing which variables have a value where it stands.

    After a statement that becomes a call each of its results has a value, if only the one that says
    that it has none; that is what `unbound` values are for.
    """

    def __init__(self, function: Node, context: Context, plan: Plan) -> None:
        self._function = function
        self._context = context
        self._plan = plan
        self._is_plain = Plain(function, context)
        self._leaving: dict[Node, frozenset[type]] = {}
        self._watched: frozenset[QualName] = frozenset()  # what a handler around needs
        self._inside = 0  # how many statements that become calls stand around this place
        self._outermost = [
            each for statement in function.body for each in self._outermost_lowered(statement)]

    def run(self) -> None:
        """Make the plans of all statements of the function."""
        if self._outermost:
            self._block(self._function.body, self._effects.bound_at_entry())

    @functools.cached_property
    def _effects(self) -> Effects:
        return Effects(self._function, self._context)

    @functools.cached_property
    def _passed(self) -> set[str]:
        """The variables that the statements which become calls take or give."""
        return {name.root for each in self._outermost for name in self._effects.modified([each])}

    # Which statements become calls.

    def _is_lowered(self, statement: Node) -> bool:
        if isinstance(statement, LOOPS):
            flags = tail_flags(statement, self._context)
            body = statement.body[:-1] if flags else statement.body
            return not statement.orelse and not self._jumps(body)
        if statement in self._context.tries:
            return not self._jumps([statement]) or self._returns(statement)
        if not isinstance(statement, gast.If):
            return False
        if self._is_plain(statement.test):
            self._plan.plain.add(statement.test)
            return False
        return not self._jumps([statement]) or self._returns(statement)

    def _returns(self, statement: Node) -> bool:
        """Whether all branches of a statement end the function, and at least one by `return`."""
        ways = [statement.body, statement.orelse]
        if isinstance(statement, gast.Try):
            ways = [statement.body, *(handler.body for handler in statement.handlers)]
        return self._jumps([statement]) == {gast.Return} and not any(map(falls, ways))

    def _jumps(self, statements: Sequence[Node]) -> frozenset[type]:
        """The kinds of jumps that lead out of statements."""
        return frozenset().union(*map(self._jumps_of, statements))

    def _jumps_of(self, statement: Node) -> frozenset[type]:
        if isinstance(statement, gast.Return | gast.Break | gast.Continue):
            return frozenset({type(statement)})
        if statement not in self._leaving:
            found = [self._jumps(block) for block in blocks(statement)]
            if isinstance(statement, LOOPS):
                found[0] -= {gast.Break, gast.Continue}
            self._leaving[statement] = frozenset().union(*found)
        return self._leaving[statement]

    def _outermost_lowered(self, statement: Node) -> list[Node]:
        if self._is_lowered(statement):
            return [statement]
        return [
            found for block in blocks(statement) for child in block
            for found in self._outermost_lowered(child)]

    # The walk.

    def _block(self, statements: Sequence[Node], bound: Bound) -> Bound:
        for statement in statements:
            if bound is None:
                return None
            bound = self._statement(statement, bound)
        return bound

    def _statement(self, statement: Node, bound: set[str]) -> Bound:
        self._plan.preludes.pop(statement, None)  # a statement may be planned a second time
        passed = self._passed - bound
        if passed:
            maybe = [QualName(name) for name in bound_perhaps(statement) if name in passed]
            bound = self._prelude(statement, bound, maybe)
        if self._is_lowered(statement):
            self._inside += 1
            lower = self._loop if isinstance(statement, LOOPS) else self._branches
            lower = self._tried if isinstance(statement, gast.Try) else lower
            after = lower(statement, bound)
            self._inside -= 1
            return after
        if isinstance(statement, gast.Return | gast.Raise | gast.Break | gast.Continue):
            return None
        if not any(blocks(statement)):
            if isinstance(statement, gast.Delete) and self._inside:
                self._plan.deletions.add(statement)
            return self._after(statement, bound)
        return self._python(statement, bound)

    def _after(self, start: Node, bound: set[str], end: Node | None = None) -> set[str]:
        """What has a value after a statement, or where a statement in it begins."""
        added, removed = self._effects.binds(start, end)
        return bound.union(added) - removed

    def _python(self, statement: Node, bound: set[str]) -> Bound:
        """A compound statement that stays; what it may leave without a value gets one before."""
        after = self._inside_python(statement, bound)
        added, _ = self._effects.binds(statement)
        missing = tuple(QualName(name) for name in added if name in self._passed - bound)
        needed = {name.root for name in self._effects.live_after(statement, missing)}
        needed -= bound if after is None else after
        needed |= {name.root for name in self._needed_inside(statement, missing)}
        if not needed:
            return after
        names = [name for name in missing if name.root in needed]
        return self._inside_python(statement, self._prelude(statement, bound, names))

    def _needed_inside(self, statement: Node, names: Names) -> list[QualName]:
        """Those of the variables that one block of a statement may bind for another, or itself."""
        match statement:
            case gast.For() | gast.While():
                return list(self._effects.live_in_loop(statement, names))
            case gast.Try() | gast.TryStar():
                blocks = [*(handler.body for handler in statement.handlers), statement.finalbody]
                needed = {name for block in blocks for name in self._effects.live_into(block)}
                return [name for name in names if name in needed]
        return []

    def _inside_python(self, statement: Node, bound: set[str]) -> Bound:
        match statement:
            case gast.Try() | gast.TryStar():
                return self._try(statement, bound)
            case gast.Match():
                after: Bound = bound  # where no case matches
                for case in statement.cases:
                    begun = self._after(case, bound, case.body[0])
                    after = _either(after, self._block(case.body, begun))
                return after
        bound = self._after(statement, bound, statement.body[0])
        after = self._block(statement.body, bound)
        match statement:
            case gast.If():
                return _either(after, self._block(statement.orelse, bound))
            case gast.For() | gast.While():
                return _either(bound, self._block(statement.orelse, bound))
        return after

    def _try(self, statement: Node, bound: set[str]) -> Bound:
        outer = self._watched
        finally_needs = self._needs(statement.finalbody)
        self._watched = outer | finally_needs | frozenset().union(
            *(self._needs(handler.body) for handler in statement.handlers))
        after = self._block(statement.body, bound)
        self._watched = outer | finally_needs
        after = self._block(statement.orelse, after)
        for handler in statement.handlers:
            name = {handler.name.id} if handler.name is not None else set()
            handled = self._block(handler.body, bound | name)
            after = _either(after, None if handled is None else handled - name)
        self._watched = outer
        final = self._block(statement.finalbody, bound)
        return None if final is None or after is None else after | final

    def _needs(self, block: list[Node]) -> frozenset[QualName]:
        """The user's variables whose values a block in which an exception ends may need."""
        needed = (QualName(name.root) for name in self._effects.live_into(block))
        return frozenset(name for name in needed if not self._is_generated(name))

    def _is_generated(self, name: QualName) -> bool:
        return name.root not in self._context.namespace.mentioned

    # Statements that become calls.

    def _branches(self, statement: Node, bound: set[str]) -> Bound:
        body, orelse = (without_pass(block) for block in (statement.body, statement.orelse))
        stretches = [block for block in (body, orelse) if block]
        bound = self._after(statement, bound, statement.body[0])
        returns = self._returns(statement)
        modified = self._effects.modified(*stretches)
        exposed = {name for block in stretches for name in self._effects.exposed(block)}
        results = self._results(statement, modified, exposed, stretches)
        places = {
            place.name: place
            for place in self._effects.places(modified, stretches, self._watched)}
        unbound = [name for name in results if name.root not in bound]
        is_missing = len(stretches) < 2
        if (is_missing and len(results) > 1) or any(places[name].is_shared for name in unbound):
            bound = self._prelude(statement, bound, unbound)
            unbound = []
        self._plan.branches[statement] = BranchPlan(
            body=self._branch(body, bound, places, results),
            orelse=self._branch(orelse, bound, places, results),
            changes=tuple(places.values()),
            results=tuple(places[name] for name in results),
            unbound=tuple(places[name] for name in unbound),
            returns=returns)
        return None if returns else bound | _variables(results)

    def _tried(self, statement: Node, bound: set[str]) -> Bound:
        blocks = [without_pass(statement.body)]
        blocks += [without_pass(handler.body) for handler in statement.handlers]
        stretches = [block for block in blocks if block]
        returns = self._returns(statement)
        modified = self._effects.modified(*stretches)
        exposed = {name for block in stretches for name in self._effects.exposed(block)}
        results = self._results(statement, modified, exposed, stretches)
        shared = unsettled(statement, self._effects)
        outer, self._watched = self._watched, self._watched | frozenset(shared)
        places = {
            place.name: place
            for place in self._effects.places(modified, stretches, self._watched)}
        bound = self._prelude(statement, bound, [
            name for name in modified
            if name.root not in bound and places[name].is_shared])
        body = self._branch(blocks[0], bound, places, results)
        self._watched = outer
        handlers = []
        for handler, block in zip(statement.handlers, blocks[1:], strict=True):
            name = {handler.name.id} if handler.name is not None else set[str]()
            plan = self._branch(block, bound | name, places, results, frozenset(shared))
            handlers.append(plan)
        self._plan.tries[statement] = TryPlan(
            body=body,
            handlers=tuple(handlers),
            results=tuple(places[name] for name in results),
            shared=tuple(places[name] for name in shared),
            returns=returns)
        return None if returns else bound | _variables(results)

    def _branch(
        self,
        block: list[Node],
        bound: set[str],
        places: dict[QualName, Place],
        results: list[QualName],
        present: frozenset[QualName] = frozenset(),
    ) -> BlockPlan:
        changes = self._effects.modified(block)
        exposed = self._effects.exposed(block)
        needs = [
            name for name in changes
            if name.root in bound and name not in present
            and (name in exposed or places[name].is_shared)]
        changed = self._effects.in_place(block)
        in_place = [name for name in needs if name in changed]
        after = self._block(block, _inside(bound, changes, [*needs, *present]))
        lacks = [name for name in results if after is not None and name.root not in after]
        return BlockPlan(
            *(tuple(places[name] for name in each) for each in (changes, needs, in_place, lacks)))

    def _results(
        self, statement: Node, modified: Names, exposed: set[QualName], stretches: list[list[Node]]
    ) -> list[QualName]:
        live = {*self._effects.live_after(statement, modified), *self._seen(modified, stretches)}
        if self._returns(statement):
            return [name for name in modified if name in live and self._effects.outlives(name)]
        in_place = self._effects.in_place(*stretches) & exposed
        return [name for name in modified if name in live | in_place]

    def _seen(self, names: Names, stretches: Iterable[Sequence[Node]]) -> list[QualName]:
        """The variables that somebody looks at, other than by their names, in the stretches."""
        return [
            name for name in names
            if name in self._watched
            or any(self._effects.is_seen(name, stretch) for stretch in stretches)]

    def _loop(self, loop: Node, bound: set[str]) -> Bound:
        flags = tail_flags(loop, self._context)
        body = loop.body[:-1] if flags else loop.body
        bound = self._after(loop, bound, loop.body[0]) if isinstance(loop, gast.While) else bound
        modified = self._effects.modified([loop])
        live = {
            *self._effects.live_in_loop(loop, modified),
            *self._effects.live_after(loop, modified),
        }
        # Exact as long as the user's jumps were jumps.
        own = self._context.live.get(loop, live) | set(self._seen(modified, [[loop]]))
        state = [
            name for name in modified
            if name in own or (name in live and self._is_generated(name)) or name.root in flags]
        bound = self._prelude(loop, bound, [name for name in state if name.root not in bound])
        self._plan.states[loop] = self._effects.places(state, [[loop]], self._watched)
        inside = _inside(bound, modified, state)
        if isinstance(loop, gast.For):
            inside = self._after(loop.target, inside)
        self._block(body, inside)
        return bound | _variables(state)

    def _prelude(self, statement: Node, bound: set[str], names: Sequence[QualName]) -> set[str]:
        roots = tuple(dict.fromkeys(name.root for name in names))
        if roots:
            self._plan.preludes[statement] = self._plan.preludes.get(statement, ()) + roots
        return bound.union(roots)


def _inside(bound: set[str], modified: Names, passed: Sequence[QualName]) -> set[str]:
    """What has a value where a block begins that becomes a function."""
    return bound - _variables(modified) | _variables(passed)


def _variables(names: Sequence[QualName]) -> set[str]:
    return {name.root for name in names}


def _either(one: Bound, other: Bound) -> Bound:
    if one is None or other is None:
        return one if other is None else other
    return one & other
