"""From a graph to the statements of one Python function.

Nodes are visited in program order. A value that is read once is held back and written inside the
expression that reads it; every other value gets a variable. A variable is reused, as a person
would (`x = x + 1`), where the value that it holds is read no more; so the state of a loop stays in
its variables and most assignments between its turns vanish.
"""
from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT, UNWRAP
from ..ops.control_flow import CAST, COND, FOR_LOOP, IS_MISSING, MISSING, WHILE_LOOP
from . import literals
from .breaks import Block, FlagToBreak
from ..optimize.facts import CONTROL, Facts, is_identity
from .names import Names, stored_name
from .optional import present
from .printer import INDENT, WIDTH, Line, Origin, Origins, print_block

# Expressions longer than this are broken up, those of a value that the user named earlier.
_LONGEST = 76
_LONGEST_NAMED = 48
_SHORTEST = 32
# A subgraph of more nodes is not written as an expression.
_MOST_NODES = 12


@dataclass
class Expr:
    """An expression that has not been written yet.

    Attributes:
      tree: the expression.
      width: about how many characters it takes.
      reads: the variables in it.
      buffers: the memory that it reads.
      parts: the expressions of the nodes in it.
    """

    tree: ast.expr
    width: int
    reads: tuple[str, ...] = ()
    buffers: tuple[Value, ...] = ()
    parts: tuple[tuple[ast.expr, Any], ...] = ()
    inner: int = 0


class _NotAnExpressionError(Exception):
    """A subgraph needs a statement."""


class Emitter:
    """Writes one graph."""

    def __init__(self, graph: Graph) -> None:
        self._facts = Facts(graph)
        self._names = Names()
        self._hints: dict[Value, str] = {}
        self._home: dict[Value, str] = {}
        self._holder: dict[str, Value | None] = {}
        self._wish: dict[str, str] = {}
        self._latest: dict[str, str] = {}
        self._log: list[tuple[str, Value | None]] = []
        self._pending: dict[Value, Expr] = {}
        self._readers: dict[str, dict[Value, None]] = {}
        self._want: dict[Value, str] = {}
        self._bound: dict[int, str] = {}
        self._block: Block = []
        self._origins: Origins = {}
        self._graph = graph
        self._position = 0
        self._depth = 1
        self._loops = 0
        self._strict = False
        self._node: Node | None = None
        self.constants: dict[str, Any] = {}
        self.scalars: list[ast.stmt] = []
        self.name = self._names.fresh(graph.name)
        self._collect_hints(graph)
        self._write(graph)

    def lines(self) -> list[Line]:
        """The lines of the program."""
        lines = list(print_block(self.scalars, {}, 0))
        if lines:
            lines.append(('', None))
        arguments = ast.arguments(
            [], [ast.arg(self._home[p]) for p in self._graph.params], None, [], [], None, []
        )
        body = self._block or [ast.Pass()]
        function = ast.FunctionDef(self.name, arguments, body, [], None)
        lines += print_block([function], self._origins, 0)
        return lines

    # The whole.

    def _write(self, graph: Graph) -> None:
        for param in graph.params:
            self._hold(self._new_variable(param.name), param)
        self._nodes(graph)
        self._finish(graph)
        outputs = [self._take(value) for value in graph.outputs]
        if outputs:
            self._fit(outputs, [None] * len(outputs))
            trees = [expr.tree for expr in outputs]
            tree = trees[0] if len(trees) == 1 else ast.Tuple(trees, ast.Load())
            self._emit(ast.Return(tree), None, outputs)

    def _collect_hints(self, graph: Graph) -> None:
        """What values that the user gave no name are on their way to become."""
        for node in graph.walk():
            if node.op is COND:
                for branch in node.graphs.values():
                    for output, result in zip(node.outputs, branch.outputs, strict=True):
                        self._hint_at(result, _base(output))
            elif node.op in CONTROL:
                body = node.graphs['body']
                count = len(node.outputs)
                first = len(node.inputs) - len(body.captures) - count
                params = body.own_params[len(body.own_params) - count :]
                for i, param in enumerate(params):
                    self._hints[node.outputs[i]] = param.name
                    for value in (node.inputs[first + i], body.outputs[i]):
                        self._hint_at(value, param.name)

    def _hint_at(self, value: Value, name: str) -> None:
        root = self._facts.root(value)
        if root.node is not None:
            self._hints.setdefault(root, name)

    def _nodes(self, graph: Graph) -> None:
        outer = self._graph, self._position
        self._graph = graph
        for self._position, node in enumerate(graph.nodes):
            self._visit(node)
        self._graph, self._position = outer

    def _finish(self, graph: Graph) -> None:
        """Everything that the graph's results need is read at its end."""
        self._graph = graph
        self._position = len(graph.nodes) - 1

    def _visit(self, node: Node) -> None:
        self._node = node
        if node.op is CONSTANT or node.op is MISSING or is_identity(node):
            return
        if not node.effect and not node.op.updates and not any(map(self._facts.uses, node.outputs)):
            return
        if node.op is CAST and self._constant(node.outputs[0]) is not None:
            return
        if node.op is COND:
            self._cond(node)
        elif node.op in (WHILE_LOOP, FOR_LOOP):
            self._loop(node)
        elif node.op.statement is not None:
            self._statement(node)
        else:
            self._compute(node)

    # Plain nodes.

    def _compute(self, node: Node) -> None:
        expr = self._build(node)
        if node.op.effect:
            self._flush()
        output = node.outputs[0] if len(node.outputs) == 1 else None
        if output is None:
            self._assign_several(node, expr)
        elif not node.op.effect and self._may_wait(output, expr):
            self._hold_back(output, expr)
        elif self._strict:
            raise _NotAnExpressionError
        elif self._facts.uses(output):
            self._assign(output, expr)
        else:
            self._emit(ast.Expr(expr.tree), node, [expr])

    def _may_wait(self, value: Value, expr: Expr) -> bool:
        if not self._facts.used_once_here(value):
            return False
        named = value.node is not None and stored_name(value.node.site) is not None
        return expr.width <= (_LONGEST_NAMED if named else self._longest())

    def _longest(self) -> int:
        return max(min(_LONGEST, WIDTH - 16 - INDENT * self._depth), _SHORTEST)

    def _build(self, node: Node) -> Expr:
        """The node's expression, with what it reads written inside as far as that is readable."""
        args = [self._take(value) for value in node.inputs]
        while True:
            tree = _expression(node, [arg.tree for arg in args])
            tree = self._bind_objects(tree, node)
            width, counts = _measure(tree, {id(arg.tree): arg.width for arg in args})
            long = [i for i, arg in enumerate(args) if arg.parts and not isinstance(arg.tree, ast.Name)]
            twice = [i for i in long if counts.get(id(args[i].tree), 0) > 1]
            if twice:
                self._name(args, twice[0], node.inputs)
            elif width > self._longest() and long:
                self._name(args, max(long, key=lambda i: args[i].width), node.inputs)
            else:
                break
        return self._joined(node, tree, width, args)

    def _name(self, args: list[Expr], i: int, values: Sequence[Value]) -> None:
        """Gives an argument a variable of its own."""
        if self._strict:
            raise _NotAnExpressionError
        self._assign(values[i], args[i], avoid=tuple(v for a in args for v in a.reads))
        args[i] = self._take(values[i])

    def _fit(self, exprs: list[Expr], values: Sequence[Any]) -> None:
        """Names the longest of the expressions until they fit on a line together."""

    def _joined(self, node: Node, tree: ast.expr, width: int, args: Sequence[Expr]) -> Expr:
        parts = tuple(part for arg in args for part in arg.parts)
        return Expr(
            tree,
            width,
            tuple(dict.fromkeys(v for arg in args for v in arg.reads)),
            tuple(dict.fromkeys(b for arg in args for b in arg.buffers)),
            (*parts, (tree, node.site)),
        )

    def _statement(self, node: Node) -> None:
        """An update of a buffer in place, or an effect."""
        if self._strict:
            raise _NotAnExpressionError
        assert node.op.statement is not None
        args = [self._take(value) for value in node.inputs]
        if node.op.updates and not isinstance(args[0].tree, ast.Name):
            self._name(args, 0, node.inputs)
        while sum(arg.width for arg in args) > self._longest():
            long = [i for i, arg in enumerate(args) if arg.parts and not isinstance(arg.tree, ast.Name)]
            if not long:
                break
            self._name(args, max(long, key=lambda i: args[i].width), node.inputs)
        if node.op.updates:
            self._flush_buffer(self._facts.buffer(node.inputs[0]))
        if node.op.effect:
            self._flush()
        for statement in node.op.statement(node, [arg.tree for arg in args]):
            self._emit(self._bind_objects(statement, node), node, args)
        if node.op.updates:
            variable = args[0].reads[0]
            self._hold(variable, node.outputs[0])

    def _assign_several(self, node: Node, expr: Expr) -> None:
        if self._strict:
            raise _NotAnExpressionError
        taken: tuple[str, ...] = ()
        targets: list[str] = []
        for output in node.outputs:
            if self._facts.uses(output):
                targets.append(self._variable(output, taken))
                taken += (targets[-1],)
            else:
                targets.append('_')
        for variable in taken:
            self._flush_readers(variable, taken)
        self._emit(_assignment(targets, expr.tree), node, [expr])
        for variable, output in zip(targets, node.outputs, strict=True):
            if variable != '_':
                self._hold(variable, output)

    # Values: literals, variables, expressions that wait.

    def _take(self, value: Value) -> Expr:
        """What reads the value; an expression that waited for its reader is taken out."""
        root = self._facts.root(value)
        expr = self._pending.pop(root, None)
        if expr is not None:
            for variable in expr.reads:
                self._readers[variable].pop(root, None)
            return expr
        variable = self._home.get(root)
        if variable is not None:
            buffers = (self._facts.buffer(root),) if root.type.kind == 'array' else ()
            return Expr(literals.name(variable), len(variable), (variable,), buffers)
        constant = self._constant(root)
        if constant is None:
            raise _NotAnExpressionError(f'{root.name} is read before it is written')
        tree = self._literal(constant[0], root)
        return Expr(tree, _measure(tree, {})[0])

    def _constant(self, value: Value) -> tuple[Any] | None:
        """The value of a constant, or of a cast of one; None for anything else."""
        node = self._facts.root(value).node
        if node is None:
            return None
        if node.op is CONSTANT:
            return (node.attrs['value'],)
        if node.op is MISSING:
            return (None,)
        if node.op is CAST:
            inner = self._constant(node.inputs[0])
            target = node.outputs[0].type
            if inner is None or isinstance(inner[0], np.ndarray):
                return None
            if inner[0] is None:
                return inner
            try:
                return (literals.cast_constant(inner[0], target),)
            except (ValueError, TypeError, OverflowError):
                return None
        return None

    def _literal(self, value: Any, like: Value | None) -> ast.expr:
        if value is None:
            return ast.Constant(None)
        if not literals.is_literal(value):
            return literals.name(self._bind(value, like.name if like else 'constant'))
        tree = literals.literal(value)
        if self._loops and isinstance(tree, ast.Call):
            return literals.name(self._bind_scalar(tree))
        return tree

    def _bind(self, value: Any, wish: str) -> str:
        """A global name of the program for an object."""
        if id(value) not in self._bound:
            wish = 'const_0' if wish.startswith('constant') else wish
            self._bound[id(value)] = self._names.fresh(wish)
            self.constants[self._bound[id(value)]] = value
        return self._bound[id(value)]

    def _bind_scalar(self, tree: ast.expr) -> str:
        """A global name for a NumPy scalar, so that a loop does not make it anew each turn."""
        text = ast.unparse(tree)
        if text not in self._wish:
            self._wish[text] = self._names.fresh('const_0')
            self.scalars.append(_assignment([self._wish[text]], tree))
        return self._wish[text]

    def _bind_objects(self, tree: Any, node: Node) -> Any:
        """Names every object that an op put into its tree as a constant Python cannot write."""
        for inner in ast.walk(tree):
            if isinstance(inner, ast.Constant) and not _writable(inner.value):
                wish = getattr(inner.value, '__name__', None) or node.op.name
                return _Binder(self._bind, wish).visit(tree)
        return tree

    def _hold_back(self, value: Value, expr: Expr) -> None:
        root = self._facts.root(value)
        self._pending[root] = expr
        for variable in expr.reads:
            self._readers.setdefault(variable, {})[root] = None

    def _assign(self, value: Value, expr: Expr, avoid: tuple[str, ...] = ()) -> None:
        root = self._facts.root(value)
        variable = self._variable(root, avoid)
        self._flush_readers(variable, (*avoid, variable))
        self._emit(_assignment([variable], expr.tree), root.node, [expr])
        self._hold(variable, root)

    def _flush(self) -> None:
        """Writes everything that waits."""
        while self._pending:
            root = next(iter(self._pending))
            self._assign(root, self._take(root))

    def _flush_readers(self, variable: str, avoid: tuple[str, ...]) -> None:
        """Writes what waits and reads the variable, before it is assigned."""
        while self._readers.get(variable):
            root = next(iter(self._readers[variable]))
            self._assign(root, self._take(root), avoid)

    def _flush_buffer(self, buffer: Value) -> None:
        """Writes what waits and reads this memory, before it is updated."""
        for root, expr in list(self._pending.items()):
            if root in self._pending and buffer in expr.buffers:
                self._assign(root, self._take(root))

    # Variables.

    def _new_variable(self, wish: str) -> str:
        variable = self._names.fresh(wish)
        self._wish[variable] = wish
        self._latest[wish] = variable
        return variable

    def _variable(self, value: Value, avoid: Sequence[str] = (), loop: Node | None = None) -> str:
        """The variable for a value that is made now: one that is free, or a new one."""
        wish = self._hint(value)
        for variable in (self._want.get(value), self._latest.get(wish)):
            if variable is not None and variable not in avoid and self._free(variable, loop):
                return variable
        return self._new_variable(wish)

    def _free(self, variable: str, loop: Node | None = None) -> bool:
        holder = self._holder.get(variable)
        if holder is None:
            return True
        if loop is not None and self._facts.captures(loop, holder):
            return False
        return not self._facts.live_after(holder, self._graph, self._position)

    def _hint(self, value: Value) -> str:
        stored = stored_name(value.node.site) if value.node and not value.node.graphs else None
        return stored or self._hints.get(value) or _base(value)

    def _hold(self, variable: str, value: Value) -> None:
        self._log.append((variable, self._holder.get(variable)))
        self._holder[variable] = value
        self._home[self._facts.root(value)] = variable

    def _revert(self, mark: int) -> list[str]:
        """Takes variables back to what they held at the mark; those that changed since."""
        changed = [variable for variable, _ in self._log[mark:]]
        for variable, old in reversed(self._log[mark:]):
            self._holder[variable] = old
        del self._log[mark:]
        return list(dict.fromkeys(changed))

    def _forget(self, variables: Iterable[str]) -> None:
        """After a block that may or may not have run, what its variables hold is of no use."""
        for variable in variables:
            self._log.append((variable, self._holder.get(variable)))
            self._holder[variable] = None

    # Statements.

    def _emit(self, statement: ast.stmt, node: Node | None, exprs: Sequence[Expr]) -> None:
        if self._strict:
            raise _NotAnExpressionError
        parts = tuple(part for expr in exprs for part in expr.parts)
        site = node.site if node is not None else parts[-1][1] if parts else None
        self._origins[statement] = Origin(site, tuple((t, s) for t, s in parts if s is not None))
        self._block.append(statement)

    def _move(self, moves: Sequence[tuple[str, Value]]) -> None:
        """Assigns values to variables, all at once as it were."""
        todo = [
            (variable, self._take(value))
            for variable, value in moves
            if self._home.get(self._facts.root(value)) != variable
        ]
        while todo:
            for i, (variable, _) in enumerate(todo):
                if not any(variable in e.reads for j, (_, e) in enumerate(todo) if j != i):
                    break
            else:
                variables = [variable for variable, _ in todo]
                exprs = [expr for _, expr in todo]
                tree = ast.Tuple([expr.tree for expr in exprs], ast.Load())
                self._emit(_assignment(variables, tree), None, exprs)
                return
            variable, expr = todo.pop(i)
            self._emit(_assignment([variable], expr.tree), None, [expr])

    # Control flow.

    def _cond(self, node: Node) -> None:
        if self._cond_expression(node):
            return
        if self._strict:
            raise _NotAnExpressionError
        if self._facts.short_circuit(node):
            self._flush()
        pred = self._take(node.inputs[0])
        self._flush()
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        variables = self._cond_variables(node, used)
        mark = len(self._log)
        blocks: list[Block] = []
        changed: list[str] = []
        for role in ('true', 'false'):
            graph = node.graphs[role]
            results = [graph.outputs[i] for i in used]
            blocks.append(self._branch(graph, list(zip(variables, results, strict=True))))
            changed += self._revert(mark)
        self._forget(dict.fromkeys(changed))
        self._position = self._facts.owners[node.graphs['true']][1]
        for i, variable in zip(used, variables, strict=True):
            self._hold(variable, node.outputs[i])
        true, false = blocks
        if true:
            self._emit(ast.If(pred.tree, true, false), node, [pred])
        elif false:
            self._emit(ast.If(_negated(pred.tree), false, []), node, [pred])

    def _cond_variables(self, node: Node, used: Sequence[int]) -> list[str]:
        """Where the results go: what a branch passes on unchanged stays in its variable."""
        variables: list[str] = []
        for i in used:
            output = node.outputs[i]
            variables.append(
                self._kept_variable(node, i, variables) or self._variable(output, variables)
            )
        return variables

    def _kept_variable(self, node: Node, i: int, taken: Sequence[str]) -> str | None:
        wish = self._hint(node.outputs[i])
        for graph in node.graphs.values():
            origin = self._facts.origin(graph.outputs[i])
            variable = self._home.get(origin)
            if (
                variable is not None
                and variable not in taken
                and origin.graph is not graph
                and self._holder.get(variable) is origin
                and (self._wish[variable] == wish or origin is not self._facts.root(graph.outputs[i]))
                and not self._facts.live_after(origin, self._graph, self._position)
            ):
                return variable
        return None

    def _cond_expression(self, node: Node) -> bool:
        """Writes the choice between two short expressions as one; whether that was possible."""
        used = [i for i, output in enumerate(node.outputs) if self._facts.uses(output)]
        if len(used) != 1 or node.effect or self._kept_variable(node, used[0], ()) is not None:
            return False
        saved = dict(self._pending)
        try:
            expr = self._choice(node, used[0])
        except _NotAnExpressionError:
            self._restore(saved)
            return False
        output = node.outputs[used[0]]
        if self._may_wait(output, expr):
            self._hold_back(output, expr)
        elif self._strict:
            raise _NotAnExpressionError
        else:
            self._assign(output, expr)
        return True

    def _choice(self, node: Node, output: int) -> Expr:
        """`a if p else b`, `p and a` or `p or b`."""
        short = self._facts.short_circuit(node)
        branches = [
            self._as_expression(node.graphs[role], output)
            for role in ('true', 'false')
            if role != short
        ]
        pred = self._take(node.inputs[0])
        if short is None:
            true, false = branches
            tree: ast.expr = ast.IfExp(pred.tree, true.tree, false.tree)
        else:
            operator = ast.Or() if short == 'true' else ast.And()
            tree = _chain(operator, [pred.tree, branches[0].tree])
        width = pred.width + sum(branch.width + 6 for branch in branches)
        if width > self._longest():
            raise _NotAnExpressionError
        return self._joined(node, tree, width, [pred, *branches])

    def _restore(self, pending: dict[Value, Expr]) -> None:
        for readers in self._readers.values():
            readers.clear()
        self._pending = {}
        for root, expr in pending.items():
            self._hold_back(root, expr)

    def _is_small(self, graph: Graph) -> bool:
        return len(graph.nodes) <= _MOST_NODES and not any(
            node.op.updates or node.op.statement or node.op in (WHILE_LOOP, FOR_LOOP)
            for node in graph.nodes
        )

    def _as_expression(self, graph: Graph, output: int = 0) -> Expr:
        """The graph's result as one expression.

        Raises:
          _NotAnExpressionError: it needs a statement.
        """
        strict, self._strict = self._strict, True
        outer, waiting = (self._graph, self._position), self._pending
        self._pending = {}
        try:
            if not self._is_small(graph):
                raise _NotAnExpressionError
            self._nodes(graph)
            return self._take(graph.outputs[output])
        finally:
            self._strict = strict
            self._pending = waiting
            self._graph, self._position = outer

    def _branch(self, graph: Graph, moves: list[tuple[str, Value]]) -> Block:
        """A block of its own for the graph, which ends by assigning its results."""
        outer, self._block = (self._block, self._graph, self._position), []
        self._depth += 1
        self._body(graph, moves)
        self._depth -= 1
        block = self._block
        self._block, self._graph, self._position = outer
        return block

    def _body(self, graph: Graph, moves: list[tuple[str, Value]]) -> None:
        for variable, value in moves:
            self._want.setdefault(self._facts.root(value), variable)
        self._nodes(graph)
        self._finish(graph)
        self._move(moves)
        self._pending.clear()

    # Loops.

    def _loop(self, node: Node) -> None:
        if self._strict:
            raise _NotAnExpressionError
        body = node.graphs['body']
        count = len(node.outputs)
        header = len(node.inputs) - len(body.captures)
        sources = [self._take(value) for value in node.inputs[: header - count]]
        initial = list(node.inputs[header - count : header])
        waiting = {self._facts.root(value) for value in initial}
        for root in [r for r in self._pending if r not in waiting]:
            if root in self._pending:
                self._assign(root, self._take(root))
        avoid = tuple(v for source in sources for v in source.reads)
        variables = self._state_variables(node, initial, avoid)
        self._move(list(zip(variables, initial, strict=True)))
        params = body.own_params
        mark = len(self._log)
        outer, self._block = (self._block, self._graph, self._position), []
        self._depth += 1
        self._loops += 1
        for variable, param in zip(variables, params[len(params) - count :], strict=True):
            self._hold(variable, param)
        false = [variable for variable, v in zip(variables, initial, strict=True) if self._is_false(v)]
        flag, statement = self._loop_header(node, sources, variables, false)
        moves = list(zip(variables, body.outputs, strict=True))
        self._body(body, moves)
        block = self._block
        self._depth -= 1
        self._loops -= 1
        self._block, self._graph, self._position = outer
        changed = self._revert(mark)
        self._forget(changed)
        for variable, output in zip(variables, node.outputs, strict=True):
            self._hold(variable, output)
        if flag is not None:
            block = self._flag_to_break(node.outputs[variables.index(flag)], flag, block)
        statement.body = block or [ast.Pass()]
        self._emit(statement, node, sources)

    def _flag_to_break(self, output: Value, flag: str, block: Block) -> Block:
        keep = self._facts.uses(output) > 0
        rewriter = FlagToBreak(flag, keep, self._origins)
        block = rewriter(block)
        if not keep and not rewriter.is_read(block):
            self._drop_assignment(flag)
        return block

    def _drop_assignment(self, variable: str) -> None:
        """The flag became a `break`; what set it before the loop goes."""
        for i in range(len(self._block) - 1, -1, -1):
            statement = self._block[i]
            if isinstance(statement, ast.Assign):
                target = statement.targets[0]
                if isinstance(target, ast.Name) and target.id == variable:
                    if isinstance(statement.value, ast.Constant):
                        del self._block[i]
                    return

    def _state_variables(
        self, node: Node, initial: Sequence[Value], avoid: tuple[str, ...]
    ) -> list[str]:
        variables: list[str] = []
        for value, output in zip(initial, node.outputs, strict=True):
            root = self._facts.root(value)
            variable = self._home.get(root)
            if (
                variable is None
                or variable in variables
                or self._wish[variable] != self._hint(output)
                or self._facts.captures(node, root)
                or self._facts.live_after(root, self._graph, self._position)
            ):
                variable = self._variable(output, (*variables, *avoid), node)
            variables.append(variable)
        return variables

    def _is_false(self, value: Value) -> bool:
        constant = self._constant(value)
        return constant is not None and constant[0] is False

    def _loop_header(
        self, node: Node, sources: Sequence[Expr], variables: Sequence[str], false: Sequence[str]
    ) -> tuple[str | None, ast.While | ast.For]:
        """The loop without its body; and the variable that ends it when it becomes true, if any.

        Args:
          node: the loop.
          sources: what it runs over.
          variables: where its state is.
          false: which of them are false before the loop.
        """
        flag, test = None, None
        if 'test' in node.graphs:
            test = self._test(node)
            flag, test = _split_flag(test, false) if test is not None else (None, None)
            if test is not None and node.op is FOR_LOOP:
                self._break_unless(test, node)
        if node.op is WHILE_LOOP:
            return flag, ast.While(test.tree if test else ast.Constant(True), [], [])
        body = node.graphs['body']
        self._graph, self._position = body, -1
        own = body.own_params
        items = self._items(own[: len(own) - len(variables)], variables)
        return flag, ast.For(
            *_iteration(node.attrs['iterable'], [s.tree for s in sources], items), [], []
        )

    def _test(self, node: Node) -> Expr | None:
        """The test as an expression; if it needs statements, they start the body and None."""
        graph = node.graphs['test']
        try:
            return self._as_expression(graph)
        except _NotAnExpressionError:
            outer = self._graph, self._position
            self._nodes(graph)
            self._finish(graph)
            test = self._take(graph.outputs[0])
            self._flush()
            self._break_unless(test, node)
            self._graph, self._position = outer
            return None

    def _break_unless(self, test: Expr, node: Node) -> None:
        self._emit(ast.If(_negated(test.tree), [ast.Break()], []), node, [test])

    def _items(self, items: Sequence[Value], state: Sequence[str]) -> Iterator[ast.expr]:
        """The variables for the leaves of one turn's item."""
        for item in items:
            if self._facts.uses(item):
                variable = self._variable(item, state)
                self._hold(variable, item)
                yield ast.Name(variable, ast.Store())
            else:
                yield ast.Name('_', ast.Store())


class _Binder(ast.NodeTransformer):
    """Replaces objects that Python cannot write by names."""

    def __init__(self, bind: Any, wish: str) -> None:
        self._bind = bind
        self._wish = wish

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """One constant."""
        if _writable(node.value):
            return node
        return literals.name(self._bind(node.value, self._wish))


def _expression(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    """The node as an expression over its inputs."""
    if node.op.expression is not None:
        return node.op.expression(node, args)
    if node.op is CAST:
        return _cast(node, args[0])
    if node.op is IS_MISSING:
        return _is_none(args[0])
    assert node.op is UNWRAP, f'{node.op.name} has no lowering'
    return literals.call(ast.Constant(present), args[0], ast.Constant(node.attrs['name']))


def _cast(node: Node, tree: ast.expr) -> ast.expr:
    source, target = node.inputs[0].type, node.outputs[0].type
    cast = literals.cast(tree, source.present, target.present)
    return ast.IfExp(_is_none(tree), ast.Constant(None), cast) if source.maybe else cast


def _is_none(tree: ast.expr) -> ast.expr:
    return ast.Compare(tree, [ast.Is()], [ast.Constant(None)])


def _chain(operator: ast.boolop, operands: Sequence[ast.expr]) -> ast.expr:
    """`a and b and c`, without parentheses around `b and c`."""
    values: list[ast.expr] = []
    for operand in operands:
        same = isinstance(operand, ast.BoolOp) and type(operand.op) is type(operator)
        values += operand.values if same else [operand]  # type: ignore[attr-defined]
    return ast.BoolOp(operator, values)


def _negated(tree: ast.expr) -> ast.expr:
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):
        return tree.operand
    return ast.UnaryOp(ast.Not(), tree)


def _split_flag(test: Expr, false: Sequence[str]) -> tuple[str | None, Expr | None]:
    """`flag, rest` for the test `not flag and rest`, where the flag is false before the loop."""
    tree = test.tree
    rest: Expr | None = None
    if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
        others = tree.values[1:]
        inner = others[0] if len(others) == 1 else ast.BoolOp(ast.And(), others)
        tree, rest = tree.values[0], replace(test, tree=inner)
    operand = _negated(tree)
    if isinstance(operand, ast.Name) and tree is not operand and operand.id in false:
        if isinstance(tree, ast.UnaryOp):
            return operand.id, rest
    return None, test


def _iteration(
    iterable: Any, sources: Sequence[ast.expr], items: Iterator[ast.expr]
) -> tuple[ast.expr, ast.expr]:
    """The target and the iterable of a `for` statement."""
    kind, *parts = iterable
    if kind == 'range':
        args = _range_arguments([sources[i] for i in parts])
        return next(items), literals.call(literals.name('range'), *args)
    if kind == 'rows':
        return next(items), sources[parts[0]]
    if kind == 'reversed':
        target, inner = _iteration(parts[0], sources, items)
        return target, literals.call(literals.name('reversed'), inner)
    if kind == 'enumerate':
        counter = next(items)
        target, inner = _iteration(parts[0], sources, items)
        start = sources[parts[1]]
        first = isinstance(start, ast.Constant) and start.value == 0
        args = [inner] if first else [inner, start]
        pair = ast.Tuple([counter, target], ast.Store())
        return pair, literals.call(literals.name('enumerate'), *args)
    pairs = [_iteration(part, sources, items) for part in parts]
    targets = ast.Tuple([target for target, _ in pairs], ast.Store())
    return targets, literals.call(literals.name('zip'), *(inner for _, inner in pairs))


def _range_arguments(args: list[ast.expr]) -> list[ast.expr]:
    """`range(n)` for `range(0, n, 1)`."""
    start, stop, step = args
    if isinstance(step, ast.Constant) and step.value == 1:
        if isinstance(start, ast.Constant) and start.value == 0:
            return [stop]
        return [start, stop]
    return args


def _assignment(targets: Sequence[str], tree: ast.expr) -> ast.stmt:
    names: list[ast.expr] = [ast.Name(target, ast.Store()) for target in targets]
    target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
    return ast.Assign([target], tree, lineno=0)


def _base(value: Value) -> str:
    """The name of a value in its graph without the number that made it unique there."""
    return re.sub(r'(?<=.)_\d+$', '', value.name)


def _writable(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_writable, value))
    return value is None or value is ... or type(value) in (bool, int, float, complex, str, bytes)


def _measure(tree: ast.expr, known: dict[int, int]) -> tuple[int, dict[int, int]]:
    """About how many characters the expression takes, and how often each known part is in it."""
    width = 0
    counts: dict[int, int] = {}
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        if id(node) in known:
            counts[id(node)] = counts.get(id(node), 0) + 1
            width += known[id(node)]
            continue
        if isinstance(node, ast.Name):
            width += len(node.id)
        elif isinstance(node, ast.Constant):
            width += len(repr(node.value)) if _writable(node.value) else 8
        elif isinstance(node, ast.Attribute):
            width += len(node.attr) + 1
        elif isinstance(node, ast.keyword):
            width += len(node.arg or '') + 3
        elif isinstance(node, (ast.BinOp, ast.Compare, ast.BoolOp)):
            width += 4
        elif isinstance(node, (ast.Call, ast.Tuple, ast.List, ast.Subscript)):
            width += 2 + 2 * len(getattr(node, 'elts', getattr(node, 'args', ())))
        elif isinstance(node, (ast.expr, ast.arg)):
            width += 1
        stack.extend(ast.iter_child_nodes(node))
    return width, counts
