"""From loop nodes to `while` and `for` statements.

Their state stays in the variables that hold it, so most assignments between the turns vanish.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name
from ..graph.sites import Handed
from ..ops.control_flow import COND, FOR_LOOP, NOT
from .assigning import Move, NeedsStatementError
from .branches import Branches
from .breaks import FlagToBreak
from .expressions import assignment, first_operand, iteration, negated, truth
from .waiting import Expr, Waiting


class Loops(Branches):
    """Writes loops."""

    def _loop(self, node: Node) -> None:
        if self._strict:
            raise NeedsStatementError
        body = node.graphs['body']
        count = len(node.outputs)
        first = len(node.inputs) - len(body.captures) - count
        self._in_turn(node.inputs[:first])
        sources = [self._take(value) for value in node.inputs[:first]]
        initial = node.inputs[first : first + count]
        with self._variables.using(sources):
            kept = {self._facts.root(value) for value in initial}
            self._flush(value for value in self._waiting if value not in kept)
            variables = self._state_variables(node, initial)
        self._move(_moves(variables, initial, node, 'before'))
        false = [v for v, value in zip(variables, initial, strict=True) if self._is_false(value)]
        mark = self._variables.mark()
        statement, flag, test = self._loop_block(node, sources, variables, false)
        self._variables.forget(self._variables.revert(mark))
        for variable, output in zip(variables, node.outputs, strict=True):
            self._variables.hold(variable, output)
        if flag is not None:
            keep = self._facts.uses(node.outputs[variables.index(flag)]) > 0
            self._end_by_break(statement, flag, keep)
        statement.body = statement.body or [ast.Pass()]
        self._emit_nested(statement, node, [*sources, *test], variables)

    def _loop_block(
        self, node: Node, sources: Sequence[Expr], variables: Sequence[str], false: Sequence[str]
    ) -> tuple[ast.While | ast.For, str | None, list[Expr]]:
        """The loop, the variable that ends it when it becomes true, if there is one; its test."""
        here, outer = replace(self._here), self._block
        self._block = []
        self._depth += 1
        self._loops += 1
        body = node.graphs['body']
        own = body.own_params
        items, state = own[: len(own) - len(variables)], own[len(own) - len(variables) :]
        for variable, param in zip(variables, state, strict=True):
            self._variables.hold(variable, param)
        flag, test = self._test(node, false) if 'test' in node.graphs else (None, None)
        statement: ast.While | ast.For
        if node.op is FOR_LOOP:
            if test is not None:
                self._break_unless(test, node)
            self._go_to(body, -1, None)
            targets = self._item_targets(items, variables)
            over = [source.tree for source in sources]
            statement = ast.For(*iteration(node.attrs['iterable'], over, targets), [], [])
        else:
            statement = ast.While(truth(test.tree) if test else ast.Constant(True), [], [])
        self._body(body, _moves(variables, body.outputs, node, 'body'))
        statement.body, self._block = self._block, outer
        self._depth -= 1
        self._loops -= 1
        self._go_to(here.graph, here.position, here.node)
        tested = [test] if test is not None and isinstance(statement, ast.While) else []
        return statement, flag, tested

    def _state_variables(self, node: Node, initial: Sequence[Value]) -> list[str]:
        """Where the state goes: what is read no more after its start stays in its variable."""
        variables: list[str] = []
        here = self._here
        for value, output in zip(initial, node.outputs, strict=True):
            variable = self._variables.home(value)
            if (
                variable is None
                or variable in variables
                or not self._variables.named_alike(variable, output)
                or self._facts.captures(node, value)
                or self._facts.live_after(value, here.graph, here.position)
            ):
                variable = self._variables.choose(output, variables, node)
            variables.append(variable)
        return variables

    def _is_false(self, value: Value) -> bool:
        constant = self._constant(value)
        return constant is not None and constant[0] is False

    def _item_targets(self, items: Sequence[Value], state: Sequence[str]) -> Iterator[ast.expr]:
        """The variables for the leaves of one turn's item."""
        for item in items:
            variable = '_'
            if self._facts.uses(item):
                variable = self._variables.choose(item, state)
                self._variables.hold(variable, item)
            yield ast.Name(variable, ast.Store())

    def _test(self, node: Node, false: Sequence[str]) -> tuple[str | None, Expr | None]:
        """The loop's test: a variable of `false` that must not become true, and an expression.

        A test that needs statements is written at the start of the body.
        """
        graph = node.graphs['test']
        try:
            test = self._as_expression(graph)
        except NeedsStatementError:
            here = replace(self._here)
            ended, asked = self._without_flag(graph, false)
            self._nodes(asked)
            self._break_unless(self._take(asked.outputs[0]), node)
            self._waiting = Waiting()
            self._go_to(here.graph, here.position, here.node)
            return ended, None
        first, rest = first_operand(truth(test.tree))
        if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not):
            flag = first.operand
            if isinstance(flag, ast.Name) and flag.id in false:
                return flag.id, None if rest is None else replace(test, tree=rest)
        return None, test

    def _without_flag(self, test: Graph, false: Sequence[str]) -> tuple[str | None, Graph]:
        """The flag of a test `not flag and ...`, and what is asked while it is false."""
        if [node.op for node in test.nodes] == [NOT, COND]:
            inverse, choice = test.nodes
            flag = self._variables.home(inverse.inputs[0])
            if flag in false and self._facts.short_circuit(choice) == 'false':
                return flag, choice.graphs['true']
        return None, test

    def _break_unless(self, test: Expr, node: Node) -> None:
        leave = ast.Break()
        statement = ast.If(negated(truth(test.tree)), [leave], [])
        self._emit(statement, node, [test])
        self._origins[leave] = self._origins[statement]

    def _end_by_break(self, statement: ast.While | ast.For, flag: str, keep: bool) -> None:
        """The flag becomes a `break`; if nobody reads it then, what set it before the loop goes."""
        rewriter = FlagToBreak(flag, keep, self._origins)
        statement.body = rewriter(statement.body)
        if keep or rewriter.is_read(statement.body):
            return
        start = assignment([flag], ast.Constant(False))
        for i in range(len(self._block) - 1, -1, -1):
            if ast.dump(self._block[i]) == ast.dump(start):
                del self._block[i]
                return


def _moves(
    variables: Sequence[str], values: Sequence[Value], node: Node, role: str
) -> list[Move]:
    """What the state of a loop gets."""
    return [
        (variable, value, Handed(node.site, role, base_name(output)))
        for variable, value, output in zip(variables, values, node.outputs, strict=True)
    ]
