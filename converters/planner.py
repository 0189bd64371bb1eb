"""Making the plan of a function: one walk over its statements, outside in."""
from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Sequence

import gast

from autograph_lite.converters.build import without_pass
from autograph_lite.converters.context import Context
from autograph_lite.converters.effects import Effects, unsettled
from autograph_lite.converters.jumps import LOOPS, falls, tail_flags
from autograph_lite.converters.plan import BlockPlan, BranchPlan, LoopPlan, Names, Plan, Shared
from autograph_lite.converters.python_values import Plain, bound_perhaps
from autograph_lite.converters.rewriter import blocks, functions
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
        self._watched: frozenset[str] = frozenset()  # what a handler around needs
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
        return set(self._effects.modified(*([each] for each in self._outermost)))

    # Which statements become calls.

    def _is_lowered(self, statement: Node) -> bool:
        if isinstance(statement, LOOPS):
            flags = tail_flags(statement, self._context)
            body = statement.body[:-1] if flags else statement.body
            return not statement.orelse and not self._jumps(body)
        if statement in self._context.tries:
            is_straight = not self._jumps([statement]) or self._returns(statement)
            return is_straight and not unsettled(statement, self._effects)
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
            maybe = [name for name in bound_perhaps(statement) if name in passed]
            bound = self._prelude(statement, bound, maybe)
        if self._is_lowered(statement):
            self._inside += 1
            lower = self._loop if isinstance(statement, LOOPS) else self._branches
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
        missing = tuple(name for name in added if name in self._passed - bound)
        needed = set(self._effects.live_after(statement, missing))
        needed -= bound if after is None else after
        needed.update(self._needed_inside(statement, missing))
        if not needed:
            return after
        names = [name for name in missing if name in needed]
        return self._inside_python(statement, self._prelude(statement, bound, names))

    def _needed_inside(self, statement: Node, names: Names) -> Names:
        """Those of the variables that one block of a statement may bind for another, or itself."""
        match statement:
            case gast.For() | gast.While():
                return self._effects.live_in_loop(statement, names)
            case gast.Try() | gast.TryStar():
                needed = self._effects.live_into(statement.finalbody).union(
                    *map(self._needs_of_handler, statement.handlers))
                return tuple(name for name in names if name in needed)
        return ()

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
            *map(self._needs_of_handler, statement.handlers))
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

    def _needs_of_handler(self, handler: Node) -> frozenset[str]:
        own = () if handler.name is None else (handler.name.id,)
        return self._needs(handler.body).difference(own)

    def _needs(self, block: list[Node]) -> frozenset[str]:
        """The user's variables whose values a block in which an exception ends may need."""
        return frozenset(self._effects.live_into(block)) & self._context.namespace.mentioned

    # Statements that become calls.

    def _branches(self, statement: Node, bound: set[str]) -> Bound:
        """The plan of an `if` or a `try`."""
        effects, is_try = self._effects, isinstance(statement, gast.Try)
        given: list[set[str]]  # the names that something gives a value where a block begins
        if is_try:
            blocks = [statement.body, *(each.body for each in statement.handlers)]
            caught = [each.name for each in statement.handlers]
            given = [set(), *(set() if name is None else {name.id} for name in caught)]
        else:
            blocks, given = [statement.body, statement.orelse], [set(), set()]
            bound = self._after(statement, bound, statement.body[0])
        blocks = [without_pass(block) for block in blocks]
        stretches = [block for block in blocks if block]
        returns = self._returns(statement)
        modified = tuple(
            name for name in effects.modified(*stretches) if name not in set().union(*given))
        shared = self._shared(modified, stretches)
        bound = self._prelude(statement, bound, [name for name in shared if name not in bound])
        changes = tuple(name for name in modified if name not in shared)
        results = self._results(statement, changes, stretches)
        unbound = tuple(name for name in results if name not in bound)
        if len(results) > 1 and len(stretches) < 2:
            bound = self._prelude(statement, bound, unbound)
            unbound = ()
        plans = [
            self._block_plan(block, bound | names, changes, shared, results)
            for block, names in zip(blocks, given, strict=True)]
        self._plan.branches[statement] = BranchPlan(
            tuple(plans), changes, results, returns, () if is_try else unbound)
        return None if returns else bound.union(results)

    def _block_plan(
        self, block: list[Node], bound: set[str], changes: Names, shared: Shared, results: Names
    ) -> BlockPlan:
        effects = self._effects
        modified, exposed, in_place = (
            effects.modified(block), effects.exposed(block), effects.in_place(block))
        own = tuple(name for name in modified if name in changes)
        needs = tuple(name for name in own if name in bound and name in exposed)
        after = self._block(block, bound.difference(own).union(needs))
        return BlockPlan(
            needs=needs,
            in_place=tuple(name for name in needs if name in in_place),
            lacks=tuple(name for name in results if after is not None and name not in after),
            shared=_declared(shared, effects.bound(block)),
            changes=own)

    def _results(self, statement: Node, changes: Names, stretches: list[list[Node]]) -> Names:
        effects = self._effects
        if self._returns(statement):
            return tuple(name for name in changes if effects.outlives(name))
        exposed = {name for block in stretches for name in effects.exposed(block)}
        needed = {
            *effects.live_after(statement, changes), *(effects.in_place(*stretches) & exposed)}
        return tuple(name for name in changes if name in needed)

    def _shared(self, names: Names, stretches: Iterable[Sequence[Node]]) -> Shared:
        """The variables that somebody else looks at in the stretches."""
        return {
            name: self._effects.declaration(name) for name in names
            if name in self._watched or self._effects.is_seen(name, stretches)}

    def _loop(self, loop: Node, bound: set[str]) -> Bound:
        effects = self._effects
        flags = tail_flags(loop, self._context)
        body = loop.body[:-1] if flags else loop.body
        bound = self._after(loop, bound, loop.body[0]) if isinstance(loop, gast.While) else bound
        modified = effects.modified([loop])
        shared = self._shared(modified, [[loop]])
        live = {*effects.live_in_loop(loop, modified), *effects.live_after(loop, modified)}
        # Exact as long as the user's jumps were jumps.
        own = self._context.live.get(loop, live)
        generated = live - self._context.namespace.mentioned
        state = tuple(
            name for name in modified
            if name not in shared and (name in own or name in generated or name in flags))
        bound = self._prelude(
            loop, bound, [name for name in (*state, *shared) if name not in bound])
        self._plan.loops[loop] = LoopPlan(state, _declared(shared, effects.bound([loop])))
        inside = bound.difference(modified).union(state, shared)
        if isinstance(loop, gast.For):
            inside = self._after(loop.target, inside)
        self._block(body, inside)
        return bound.union(state)

    def _prelude(self, statement: Node, bound: set[str], names: Iterable[str]) -> set[str]:
        names = tuple(dict.fromkeys(names))
        if names:
            self._plan.preludes[statement] = self._plan.preludes.get(statement, ()) + names
        return bound.union(names)


def _declared(shared: Shared, names: Collection[str]) -> Shared:
    """Those of the variables that a block binds to another value."""
    return {name: declaration for name, declaration in shared.items() if name in names}


def _either(one: Bound, other: Bound) -> Bound:
    if one is None or other is None:
        return one if other is None else other
    return one & other
