"""From a graph to the statements of one Python function: control flow.

`cond` becomes `if`, or an expression where both branches are short; loops become `while` and `for`.
Their results and their state stay in the variables that hold them, so most assignments between the
ways vanish.
"""
from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..graph.graph import Graph, Node, Value
from ..ops.control_flow import COND, FOR_LOOP, FUNCTION, TRY
from ..ops.effects import RAISE, error_class
from .breaks import FlagToBreak
from .expressions import (
    assignment,
    chain,
    ends_by_raise,
    first_operand,
    iteration,
    names,
    negated,
    truth,
    up_to_raise,
)
from .functions import Functions, sole_function
from .outline import outline
from .printer import Line, print_block
from .straight import Block, NeedsStatementError
from .waiting import Expr, Waiting

# A subgraph of more nodes is not written as an expression.
_MOST_NODES = 12
# Python nests at most 20 loops; deeper ones, and deeper branches, get functions of their own.
_DEEPEST_LOOPS = 16
_DEEPEST = 48

Moves = list[tuple[str, Value]]


class Emitter(Functions):
    """Writes one graph.

    Attributes:
      name: the name of the function.
    """

    def __init__(self, graph: Graph, outer: Functions | None = None) -> None:
        super().__init__(graph, outer)
        self._functions: Block = []
        # Choices that were found to be no expressions.
        self._statements: set[Node] = set()
        self.name = self._called.get(graph.name, '') if self._is_inner else ''
        whole = None if self._is_inner else sole_function(graph)
        if whole is not None:
            self.name = self._called[whole.attrs['name']] = self._names.fresh(graph.name)
            graph, self._repeats = whole.graphs['function'], True
        for node in graph.walk():
            if node.op is TRY:
                self._names.reserve(node.attrs['caught'])
        arguments = [ast.arg(self._parameter(param)) for param in graph.params]
        self._nodes(graph)
        self._return(graph.outputs)
        body = up_to_raise(self._block) or [ast.Pass()]
        if not self.name:
            globals_ = [*self.globals.all(), *self._helpers]
            self.name = self._names.function(graph.name, globals_)
        signature = ast.arguments([], arguments, None, [], [], None, [])
        self._functions.append(ast.FunctionDef(self.name, signature, body, [], None))

    def lines(self) -> list[Line]:
        """The lines of the program."""
        lines = [] if self._is_inner else list(print_block(self.globals.made, {}, 0))
        for block in self._blocks:
            lines += [*block, ('', None)]
        for function in self._functions:
            if lines and lines[-1][0]:
                lines.append(('', None))
            lines += print_block([function], self._origins, 0)
        return lines

    def _parameter(self, param: Value) -> str:
        variable = self._variables.new(param.name)
        self._variables.hold(variable, param)
        return variable

    def _return(self, outputs: Sequence[Value]) -> None:
        exprs = [self._take(value) for value in outputs]
        while sum(expr.width + 2 for expr in exprs) > self._longest():
            longest = max(range(len(exprs)), key=lambda i: (bool(exprs[i].parts), exprs[i].width))
            if len(exprs) == 1 or not exprs[longest].parts:
                break
            self._name(exprs, longest, outputs)
        if exprs:
            trees = [expr.tree for expr in exprs]
            tree = trees[0] if len(trees) == 1 else ast.Tuple(trees, ast.Load())
            self._emit(ast.Return(tree), None, exprs)

    def _control(self, node: Node) -> None:
        if node.op is COND:
            if not self._cond_expression(node):
                self._cond(node)
        elif node.op is TRY:
            self._try(node)
        elif node.op is FUNCTION:
            self._write_function(node)
            self._compute(node)
        else:
            self._loop(node)

    # Branches as expressions.

    def _cond_expression(self, node: Node) -> bool:
        """Writes the choice between two short expressions as one; whether that was possible."""
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        if len(used) != 1 or node in self._statements or node.effect:
            return False
        if self._passed_on(node, used[0], ()) is not None:
            return False
        saved = self._waiting.copy()
        try:
            expr = self._choice(node, used[0])
        except NeedsStatementError:
            self._waiting = saved
            self._statements.add(node)
            return False
        self._define(node.outputs[used[0]], expr)
        return True

    def _choice(self, node: Node, output: int) -> Expr:
        """`a if p else b`, `p and a` or `p or b`.

        Raises:
          NeedsStatementError: it cannot be one expression, or not a short one.
        """
        short = self._short_circuit(node, output)
        roles = [role for role in ('true', 'false') if role != short]
        branches = [self._as_expression(node.graphs[role], output) for role in roles]
        pred = self._take(node.inputs[0])
        if short is None:
            tree: ast.expr = ast.IfExp(truth(pred.tree), branches[0].tree, branches[1].tree)
        else:
            operator = ast.Or() if short == 'true' else ast.And()
            tree = chain(operator, [pred.tree, branches[0].tree])
        width = pred.width + sum(branch.width + 6 for branch in branches)
        if width > self._longest():
            raise NeedsStatementError
        return self._joined(node, tree, width, [pred, *branches])

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

    def _as_expression(self, graph: Graph, output: int = 0) -> Expr:
        """The graph's result as one expression.

        Raises:
          NeedsStatementError: it needs a statement.
        """
        if len(graph.nodes) > _MOST_NODES:
            raise NeedsStatementError
        strict, self._strict = self._strict, True
        here, waiting = replace(self._here), self._waiting
        self._waiting = Waiting()
        try:
            self._nodes(graph)
            return self._take(graph.outputs[output])
        finally:
            self._strict, self._waiting = strict, waiting
            self._go_to(here.graph, here.position, here.node)

    def _go_to(self, graph: Graph, position: int, node: Node | None) -> None:
        self._here.graph, self._here.position, self._here.node = graph, position, node

    # Branches as statements.

    def _cond(self, node: Node) -> None:
        if self._strict:
            raise NeedsStatementError
        if self._facts.short_circuit(node):
            self._flush()
        pred = self._take(node.inputs[0])
        with self._variables.using([pred]):
            self._flush()
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        variables = self._result_variables(node, used)
        mark = self._variables.mark()
        blocks: list[Block] = []
        changed: list[str] = []
        for role in ('true', 'false'):
            graph = node.graphs[role]
            results = [graph.outputs[i] for i in used]
            blocks.append(self._inner_block(graph, list(zip(variables, results, strict=True))))
            changed += self._variables.revert(mark)
        self._variables.forget(changed)
        true, false = blocks
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
        variables = self._result_variables(node, used)
        mark = self._variables.mark()
        blocks: list[Block] = []
        changed: list[str] = []
        for role, graph in node.graphs.items():
            self._tries += role == 'try'
            results = [graph.outputs[i] for i in used]
            blocks.append(self._inner_block(graph, list(zip(variables, results, strict=True))))
            self._tries -= role == 'try'
            changed += self._variables.revert(mark)
        self._variables.forget(changed)
        tried, handling = (block or [ast.Pass()] for block in blocks)
        kinds: list[ast.expr] = [error_class(kind) for kind in node.attrs['errors']]
        kind = kinds[0] if len(kinds) == 1 else ast.Tuple(kinds, ast.Load())
        kind = self.globals.bind_objects(kind, node)
        caught = node.attrs['caught']
        is_named = any(caught in names(statement, ast.Load) for statement in handling)
        handler = ast.ExceptHandler(kind, caught if is_named else None, handling)
        self._emit_nested(ast.Try(tried, [handler], [], []), node, [], variables)
        for i, variable in zip(used, variables, strict=True):
            self._variables.hold(variable, node.outputs[i])

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

    def _inner_block(self, graph: Graph, moves: Moves) -> Block:
        """A block of its own for the graph, which ends by assigning its results."""
        here, outer = replace(self._here), self._block
        self._block = []
        self._depth += 1
        # What raises for sure gives nothing.
        self._body(graph, [] if any(node.op is RAISE for node in graph.nodes) else moves)
        self._depth -= 1
        block, self._block = up_to_raise(self._block), outer
        self._go_to(here.graph, here.position, here.node)
        return block

    def _body(self, graph: Graph, moves: Moves) -> None:
        for variable, value in moves:
            self._variables.want(value, variable)
        self._nodes(graph)
        if self._tries:
            self._flush()
        self._move(moves)
        self._waiting = Waiting()

    def _emit_nested(
        self, statement: ast.stmt, node: Node, exprs: Sequence[Expr], results: Sequence[str]
    ) -> None:
        """Emits a compound statement; one that is nested too deep gets a function of its own."""
        self._emit(statement, node, exprs)
        deep_loop = node.op is not COND and (self._loops + 1) % _DEEPEST_LOOPS == 0
        if deep_loop or self._depth % _DEEPEST == 0:
            self._block.pop()
            function = self._names.fresh_global(f'{self._whole.name}_block')
            self._helpers.append(function)
            definition, call = outline(statement, function, results, self._variables)
            self._functions.append(definition)
            self._block.append(call)

    # Loops.

    def _loop(self, node: Node) -> None:
        if self._strict:
            raise NeedsStatementError
        body = node.graphs['body']
        count = len(node.outputs)
        first = len(node.inputs) - len(body.captures) - count
        sources = [self._take(value) for value in node.inputs[:first]]
        initial = node.inputs[first : first + count]
        with self._variables.using(sources):
            kept = {self._facts.root(value) for value in initial}
            self._flush(value for value in self._waiting if value not in kept)
            variables = self._state_variables(node, initial)
        self._move(list(zip(variables, initial, strict=True)))
        false = [v for v, value in zip(variables, initial, strict=True) if self._is_false(value)]
        mark = self._variables.mark()
        statement, flag, tested = self._loop_block(node, sources, variables, false)
        self._variables.forget(self._variables.revert(mark))
        for variable, output in zip(variables, node.outputs, strict=True):
            self._variables.hold(variable, output)
        if flag is not None:
            keep = self._facts.uses(node.outputs[variables.index(flag)]) > 0
            self._end_by_break(statement, flag, keep)
        statement.body = statement.body or [ast.Pass()]
        self._emit_nested(statement, node, [*sources, *tested], variables)

    def _loop_block(
        self, node: Node, sources: Sequence[Expr], variables: Sequence[str], false: Sequence[str]
    ) -> tuple[ast.While | ast.For, str | None, list[Expr]]:
        """The loop, the variable that ends it when it becomes true if there is one, its test."""
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
        self._body(body, list(zip(variables, body.outputs, strict=True)))
        statement.body, self._block = self._block, outer
        self._depth -= 1
        self._loops -= 1
        self._go_to(here.graph, here.position, here.node)
        tested = [test] if test is not None and node.op is not FOR_LOOP else []
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
            self._nodes(graph)
            self._break_unless(self._take(graph.outputs[0]), node)
            self._waiting = Waiting()
            self._go_to(here.graph, here.position, here.node)
            return None, None
        first, rest = first_operand(truth(test.tree))
        if isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not):
            flag = first.operand
            if isinstance(flag, ast.Name) and flag.id in false:
                return flag.id, None if rest is None else replace(test, tree=rest)
        return None, test

    def _break_unless(self, test: Expr, node: Node) -> None:
        self._emit(ast.If(negated(truth(test.tree)), [ast.Break()], []), node, [test])

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
