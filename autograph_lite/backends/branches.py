"""From `cond` and `try` nodes to expressions and statements.

`cond` becomes `if`, or an expression where both branches are short. Results stay in the variables
that hold them, so most assignments at the end of the ways vanish.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from ..graph.graph import Node
from ..graph.names import base_name
from ..graph.sites import Handed
from ..ops.effects import error_class
from .assigning import Block, NeedsStatementError
from .expressions import chain, ends_by_raise, names, negated, truth
from .subgraphs import Subgraphs
from .waiting import Expr

# What `if` and `else`, or `and`, take of a line.
_WIDTH_OF_CHOICE = 6


class Branches(Subgraphs):
    """Writes the ways of which one is run."""

    # Branches as expressions.

    def _cond_expression(self, node: Node) -> bool:
        """Writes the choice between two short expressions as one; whether that was possible."""
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        if len(used) != 1 or node.effect or self._passed_on(node, used[0], ()) is not None:
            return False
        self._in_turn(node.inputs[:1])
        saved = self._waiting.copy()
        try:
            expr = self._choice(node, used[0])
        except NeedsStatementError:
            self._waiting = saved
            return False
        self._define(node.outputs[used[0]], expr)
        return True

    def _choice(self, node: Node, output: int) -> Expr:
        """`a if p else b`, `p and a` or `p or b`.

        Raises:
          NeedsStatementError: it cannot be one expression, or not a short one.
        """
        if _has_more_choices(node, self._longest() // _WIDTH_OF_CHOICE):
            raise NeedsStatementError
        short = self._short_circuit(node, output)
        roles = [role for role in ('true', 'false') if role != short]
        branches = [self._as_expression(node.graphs[role], output) for role in roles]
        pred = self._take(node.inputs[0])
        if short is None:
            tree: ast.expr = ast.IfExp(truth(pred.tree), branches[0].tree, branches[1].tree)
        else:
            operator = ast.Or() if short == 'true' else ast.And()
            tree = chain(operator, [pred.tree, branches[0].tree])
        width = pred.width + sum(branch.width + _WIDTH_OF_CHOICE for branch in branches)
        if width > self._longest():
            raise NeedsStatementError
        expr = self._joined(node, tree, width, [pred, *branches])
        result = base_name(node.outputs[output])
        given = tuple(Handed(node.site, role, result) for role in roles)
        return replace(expr, handed=(*expr.handed, *given))

    def _short_circuit(self, node: Node, output: int) -> str | None:
        """The branch that passes on the condition, where what it gives has the right type."""
        short = self._facts.short_circuit(node)
        if short is None:
            return None
        same = self._facts.root(node.graphs[short].outputs[output])
        if same is self._facts.root(node.inputs[0]) or self._facts.is_truth(node.outputs[output]):
            return short
        # Both its readers need the condition.
        self._flush([self._facts.root(node.inputs[0])])
        return None

    # Branches as statements.

    def _cond(self, node: Node) -> None:
        if self._strict:
            raise NeedsStatementError
        if self._facts.short_circuit(node):
            self._flush()
        self._in_turn(node.inputs[:1])
        pred = self._take(node.inputs[0])
        with self._variables.using([pred]):
            self._flush()
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        variables = self._result_variables(node, used)
        true, false = self._ways(node, ('true', 'false'), used, variables)
        if true or false:
            swapped = not true or (ends_by_raise(false) and not ends_by_raise(true))
            test, taken, rest = truth(pred.tree), true, false
            if swapped:
                test, taken, rest = negated(truth(pred.tree)), false, true
            alone = ends_by_raise(taken)
            statement = ast.If(test, taken, [] if alone else rest)
            self._emit_nested(statement, node, [pred], variables)
            if alone:
                self._block += rest
        for i, variable in zip(used, variables, strict=True):
            self._variables.hold(variable, node.outputs[i])

    def _try(self, node: Node) -> None:
        """A `try` with one handler: what comes before it is computed before it."""
        if self._strict:
            raise NeedsStatementError
        self._flush()
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        # A list that the block has changed by then, the handler finds where it was.
        found = [self._variables.home(value) for value in node.graphs['except'].captures]
        with self._variables.using((), *(variable for variable in found if variable is not None)):
            variables = self._result_variables(node, used)
            ways = self._ways(node, tuple(node.graphs), used, variables)
        tried, handling = (block or [ast.Pass()] for block in ways)
        kinds: list[ast.expr] = [error_class(kind) for kind in node.attrs['errors']]
        kind = kinds[0] if len(kinds) == 1 else ast.Tuple(kinds, ast.Load())
        kind = self.globals.bind_objects(kind, node)
        caught = node.attrs['caught']
        is_named = any(caught in names(statement, ast.Load) for statement in handling)
        handler = ast.ExceptHandler(kind, caught if is_named else None, handling)
        self._emit_nested(ast.Try(tried, [handler], [], []), node, [], variables)
        for i, variable in zip(used, variables, strict=True):
            self._variables.hold(variable, node.outputs[i])

    def _ways(
        self, node: Node, roles: Sequence[str], used: Sequence[int], variables: Sequence[str]
    ) -> list[Block]:
        """The block of each way, which ends by putting the results that are used into variables."""
        mark = self._variables.mark()
        blocks: list[Block] = []
        changed: list[str] = []
        for role in roles:
            graph = node.graphs[role]
            moves = [
                (variable, graph.outputs[i], Handed(node.site, role, base_name(node.outputs[i])))
                for variable, i in zip(variables, used, strict=True)
            ]
            self._tries += role == 'try'
            blocks.append(self._inner_block(graph, moves))
            self._tries -= role == 'try'
            changed += self._variables.revert(mark)
        self._variables.forget(changed)
        return blocks

    def _result_variables(self, node: Node, used: Sequence[int]) -> list[str]:
        """Where the results go: what a branch passes on stays in its variable."""
        variables: list[str] = []
        for i in used:
            kept = self._passed_on(node, i, variables)
            variables.append(kept or self._variables.choose(node.outputs[i], variables))
        return variables

    def _passed_on(self, node: Node, i: int, taken: Sequence[str]) -> str | None:
        """The variable of a value that a branch passes on, perhaps updated, as result i."""
        output = node.outputs[i]
        for graph in node.graphs.values():
            result = self._facts.root(graph.outputs[i])
            origin = self._facts.origin(result)
            variable = self._variables.home(origin)
            if variable is None or variable in taken or origin.graph is graph:
                continue
            if not self._variables.holds(variable, origin):
                continue
            alike = self._variables.named_alike(variable, output) or origin is not result
            here = self._here
            if alike and not self._facts.live_after(origin, here.graph, here.position):
                return variable
        return None


def _has_more_choices(node: Node, count: int) -> bool:
    """Whether there are more choices in this one; each of them has a part of the expression."""
    choices = (inner for inner in node.inside() if inner.graphs)
    return next(islice(choices, count, None), None) is not None
