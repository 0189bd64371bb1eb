"""Straight-line code: nodes without subgraphs, as expressions and assignments."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name, stored_name
from ..graph.tracing import CONSTANT
from ..graph.types import python_scalar
from ..ops.control_flow import CAST, MISSING
from ..ops.ufuncs import overwriting
from ..optimize.facts import Facts, is_identity
from . import literals
from .constants import array_name, array_tree, as_array
from .expressions import Measure, assignment, expression, measure, name, negated
from .globals import Globals
from .names import Names
from .printer import INDENT, WIDTH, Origin, Origins
from .variables import Cursor, Variables
from .waiting import Expr, Waiting

# Expressions longer than this are broken up, those of a value that the user named earlier.
_LONGEST = 76
_LONGEST_NAMED = 48
_SHORTEST = 32

Block = list[ast.stmt]


class NeedsStatementError(Exception):
    """What was to be one expression needs a statement."""


class StraightLine:
    """Writes nodes in program order.

    A value that is read once waits, and is written inside the expression that reads it; every other
    value gets a variable. What waits is written before anything that would change its value.

    Attributes:
      globals: the global names of the program.
    """

    def __init__(self, graph: Graph, outer: StraightLine | None = None) -> None:
        self._helpers: list[str] = [] if outer is None else outer._helpers
        self._facts: Facts = Facts(graph) if outer is None else outer._facts
        taken = () if outer is None else (*outer.globals.all(), *self._helpers)
        self._names: Names = Names() if outer is None else Names(outer._names, taken)
        self.globals: Globals = Globals(self._names, None if outer is None else outer.globals)
        self._here = Cursor(graph)
        self._variables = Variables(graph, self._facts, self._names, self._here)
        self._waiting = Waiting()
        self._block: Block = []
        self._origins: Origins = {}
        self._depth = 1
        self._loops = 0
        # In how many `try` blocks we are: what they modify, they modify after what may raise.
        self._tries = 0
        # Whether the program may come here again and again.
        self._repeats = outer is not None
        # Inside an expression no statement may be written.
        self._strict = False

    def _nodes(self, graph: Graph) -> None:
        """Writes the nodes of a graph; afterwards its results can be read."""
        here = self._here
        here.graph = graph
        for here.position, here.node in enumerate(graph.nodes):
            self._visit(here.node)
            here.graph = graph
        here.position, here.node = len(graph.nodes) - 1, None

    def _visit(self, node: Node) -> None:
        if node.op in (CONSTANT, MISSING) or is_identity(node) or 'fixed' in node.attrs:
            return
        needed = node.op.updates or any(map(self._facts.uses, node.outputs)) or node.effect
        if not needed or (node.op is CAST and self._constant(node.outputs[0]) is not None):
            return
        if node.graphs:
            self._control(node)
        elif node.op.statement is not None:
            self._statement(node)
        else:
            self._compute(node)

    def _control(self, node: Node) -> None:
        raise NotImplementedError

    # Nodes.

    def _compute(self, node: Node) -> None:
        expr = self._build(node)
        if node.effect:
            with self._variables.using([expr]):
                self._flush()
        if not any(map(self._facts.uses, node.outputs)):
            self._emit(ast.Expr(expr.tree), node, [expr])
        elif len(node.outputs) > 1:
            self._assign_several(node, expr)
        else:
            self._define(node.outputs[0], expr, waits=not node.effect)

    def _define(self, value: Value, expr: Expr, waits: bool = True) -> None:
        """The value is this expression: it waits for its one reader, or is assigned."""
        if waits and self._may_wait(value, expr):
            self._waiting.add(self._facts.root(value), expr)
        else:
            self._assign(value, expr)

    def _may_wait(self, value: Value, expr: Expr) -> bool:
        if not self._facts.used_once_here(value):
            return False
        if value.node is None or stored_name(value.node.site) is None:
            return expr.width <= self._longest()
        # The user's own assignment stays where it is if it can.
        return expr.width <= _LONGEST_NAMED and (self._strict or not self._variables.wanted(value))

    def _longest(self) -> int:
        return max(min(_LONGEST, WIDTH - 16 - INDENT * self._depth), _SHORTEST)

    def _build(self, node: Node) -> Expr:
        """The node's expression, with what it reads written inside as far as that is readable."""
        args = self._operands(node)
        while True:
            tree, found = self._expression(node, args)
            inside = [i for i, arg in enumerate(args) if arg.parts]
            twice = [i for i in inside if found.counts.get(id(args[i].tree), 0) > 1]
            if twice:
                self._name(args, twice[0], node.inputs)
            elif found.width > self._longest() and inside:
                self._name(args, max(inside, key=lambda i: args[i].width), node.inputs)
            else:
                return self._joined(node, tree, found.width, args)

    def _expression(self, node: Node, args: Sequence[Expr]) -> tuple[ast.expr, Measure]:
        trees = [arg.tree for arg in args]
        bare = node.op is CAST and self._asks_truth(node)
        tree = trees[0] if bare else expression(node, trees, self._has_elements)
        if self._loops:
            tree = self.globals.bind_methods(self._as_truth(node, tree))
        known = {id(arg.tree): arg.width for arg in args}
        found = measure(tree, known)
        if not found.writable:
            tree = self.globals.bind_objects(tree, node)
            found = measure(tree, known)
        return tree, found

    def _has_elements(self, value: Value, axis: int) -> bool:
        """Whether a condition around here says that the axis is longer than 0."""
        return self._facts.has_elements(value, axis, self._here.graph)

    def _asks_truth(self, cast: Node) -> bool:
        """Whether all that matters of a cast is whether its result is true."""
        output = cast.outputs[0]
        return output.type.dtype == np.bool_ and self._facts.is_truth(output)

    def _as_truth(self, node: Node, tree: ast.expr) -> ast.expr:
        """`not n` for `n == 0` where a loop asks for no more; it is a fifth faster."""
        if not node.inputs or node.inputs[0].type != python_scalar(int):
            return tree
        match tree:
            case ast.Compare(left, [ast.Eq()], [ast.Constant(0)]):
                return negated(left) if self._facts.is_truth(node.outputs[0]) else tree
        return tree

    def _joined(self, node: Node, tree: ast.expr, width: int, args: Sequence[Expr]) -> Expr:
        parts = [part for arg in args for part in arg.parts]
        return Expr(
            tree,
            width,
            tuple(dict.fromkeys(v for arg in args for v in arg.reads)),
            tuple(dict.fromkeys(b for arg in args for b in arg.buffers)),
            (*parts, (tree, node.site)),
            (*(site for arg in args for site in arg.merged), *node.merged),
        )

    def _name(self, args: list[Expr], i: int, values: Sequence[Value]) -> None:
        """Gives an argument a variable of its own."""
        with self._variables.using(args[:i] + args[i + 1 :]):
            self._assign(values[i], args[i])
        args[i] = self._take(values[i])

    def _statement(self, node: Node) -> None:
        """An update of a buffer in place, or an effect."""
        assert node.op.statement is not None
        args = self._operands(node)
        if node.op.updates and not isinstance(args[0].tree, ast.Name):
            self._name(args, 0, node.inputs)
        while sum(arg.width for arg in args) > self._longest() and any(arg.parts for arg in args):
            longest = max(range(len(args)), key=lambda i: (bool(args[i].parts), args[i].width))
            self._name(args, longest, node.inputs)
        with self._variables.using(args):
            if node.op.updates:
                self._flush(self._waiting.users(self._facts.buffer(node.inputs[0])))
            if node.op.effect or (node.op.updates and self._tries):
                self._flush()
        if node.attrs.get('reuses') and self._renames(node, args):
            return
        for statement in node.op.statement(node, [arg.tree for arg in args]):
            written = self.globals.bind_objects(statement, node)
            self._emit(written, node, args)
            for inner in ast.walk(written):
                if isinstance(inner, ast.stmt):
                    self._origins[inner] = self._origins[written]
        if node.op.updates:
            self._variables.hold(args[0].reads[0], node.outputs[0])

    def _renames(self, node: Node, args: Sequence[Expr]) -> bool:
        """Writes `b = f(a, out=a)` where the user has a name of its own for the result."""
        output, variable = node.outputs[0], args[0].reads[0]
        wish = self._variables.user_name(output)
        if wish is None or self._variables.has_wish(variable, wish):
            return False
        with self._variables.using(args):
            target = self._variables.choose(output)
            self._flush(self._waiting.readers(target))
        tree = overwriting(node, [arg.tree for arg in args])
        self._emit(assignment([target], tree), node, args)
        self._variables.hold(target, output)
        return True

    def _assign_several(self, node: Node, expr: Expr) -> None:
        targets: list[str] = []
        for output in node.outputs:
            used = self._facts.uses(output)
            targets.append(self._variables.choose(output, targets) if used else '_')
        assigned = [
            (target, output)
            for target, output in zip(targets, node.outputs, strict=True)
            if self._facts.uses(output)
        ]
        with self._variables.using([expr], *targets):
            for target, _ in assigned:
                self._flush(self._waiting.readers(target))
        self._emit(assignment(targets, expr.tree), node, [expr])
        for target, output in assigned:
            self._variables.hold(target, output)

    # Values.

    def _take(self, value: Value) -> Expr:
        """What reads the value; an expression that waited for its reader waits no longer."""
        root = self._facts.root(value)
        expr = self._waiting.take(root)
        if expr is not None:
            return expr
        variable = self._variables.home(root)
        if variable is not None:
            buffers = (self._facts.buffer(root),) if root.type.kind == 'array' else ()
            return Expr(name(variable), len(variable), (variable,), buffers)
        if root.node is not None and 'fixed' in root.node.attrs:
            tree, _ = self._expression(root.node, [])
            variable = self.globals.bind_tree(tree, base_name(root))
            return Expr(name(variable), len(variable))
        constant = self._constant(root)
        assert constant is not None, f'{root.name} is read before it is written'
        tree = self._literal(constant[0], root)
        return Expr(tree, measure(tree).width)

    def _operands(self, node: Node) -> list[Expr]:
        """What reads the node's inputs; in a loop, numbers beside arrays are arrays made before."""
        args = []
        for i, value in enumerate(node.inputs):
            known = self._constant(value) if self._loops else None
            array = as_array(node, i, known[0]) if known is not None else None
            if array is None:
                args.append(self._take(value))
            else:
                wish = array_name(array)
                variable = self.globals.bind_tree(array_tree(array), wish, array.dtype.name)
                args.append(Expr(name(variable), len(variable)))
        return args

    def _constant(self, value: Value) -> tuple[Any] | None:
        """The value of a constant, or of a cast of one; None for anything else."""
        node = self._facts.root(value).node
        if node is None:
            return None
        if node.op is CONSTANT:
            return (node.attrs['value'],)
        if node.op is MISSING:
            return (None,)
        if node.op is not CAST:
            return None
        inner = self._constant(node.inputs[0])
        if inner is None or inner[0] is None or isinstance(inner[0], np.ndarray):
            return inner if inner is not None and inner[0] is None else None
        try:
            return (literals.cast_constant(inner[0], node.outputs[0].type),)
        except (ValueError, TypeError, OverflowError):
            return None

    def _literal(self, value: Any, like: Value) -> ast.expr:
        if value is None:
            return ast.Constant(None)
        if not literals.is_literal(value):
            return name(self.globals.bind(value, like.name))
        tree = literals.literal(value)
        repeats = self._loops or self._repeats
        if repeats and isinstance(tree, ast.Call) and isinstance(value, np.generic):
            return name(self.globals.bind_tree(tree))
        return tree

    # Statements.

    def _emit(self, statement: ast.stmt, node: Node | None, exprs: Sequence[Expr]) -> None:
        if self._strict:
            raise NeedsStatementError
        parts = [part for expr in exprs for part in expr.parts]
        site = node.site if node is not None else parts[-1][1] if parts else None
        known = tuple((tree, site) for tree, site in parts if site is not None)
        merged = [site for expr in exprs for site in expr.merged]
        self._origins[statement] = Origin(
            site, known, (*merged, *(node.merged if node is not None else ())))
        self._block.append(statement)

    def _assign(self, value: Value, expr: Expr) -> None:
        if self._strict:
            raise NeedsStatementError
        variable = self._variables.choose(value)
        with self._variables.using([expr], variable):
            self._flush(self._waiting.readers(variable))
        self._emit(assignment([variable], expr.tree), value.node, [expr])
        self._variables.hold(variable, value)

    def _flush(self, values: Iterable[Value] | None = None) -> None:
        """Writes what waits: all, or these values."""
        for value in self._waiting if values is None else values:
            if value in self._waiting:
                self._assign(value, self._take(value))

    def _move(self, moves: Sequence[tuple[str, Value]]) -> None:
        """Assigns values to variables, all at once as it were."""
        todo = [
            (variable, self._take(value))
            for variable, value in moves
            if self._variables.home(value) != variable
        ]
        while todo:
            for i, (variable, _) in enumerate(todo):
                if not any(variable in e.reads for j, (_, e) in enumerate(todo) if j != i):
                    break
            else:
                exprs = [expr for _, expr in todo]
                tree = ast.Tuple([expr.tree for expr in exprs], ast.Load())
                self._emit(assignment([variable for variable, _ in todo], tree), None, exprs)
                return
            variable, expr = todo.pop(i)
            self._emit(assignment([variable], expr.tree), None, [expr])
