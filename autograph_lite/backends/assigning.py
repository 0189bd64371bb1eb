"""What reads a value, and the statements that assign values to variables."""
from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name
from ..graph.sites import Handed
from ..graph.tracing import CONSTANT
from ..graph.types import python_scalar
from ..ops.control_flow import CAST, MISSING
from ..ops.exceptions import CAUGHT
from ..optimize.facts import Facts
from . import literals
from .expressions import Measure, assignment, expression, measure, name, negated
from .globals import Globals
from .names import Names
from .printer import Origin, Origins
from .variables import Cursor, Variables
from .waiting import Expr, Waiting

Block = list[ast.stmt]
# A variable, the value that it gets, and what that is to the user.
Move = tuple[str, Value, Handed]


class NeedsStatementError(Exception):
    """What was to be one expression needs a statement."""


class Assigning:
    """Writes values: what waits inside what reads it, every other one to a variable.

    Attributes:
      globals: the global names of the program.
    """

    def __init__(self, graph: Graph, outer: Assigning | None = None) -> None:
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
        self._makers: dict[Value, ast.stmt] = {}
        self._depth = 1
        self._loops = 0
        # In how many `try` blocks we are: what they modify, they modify after what may raise.
        self._tries = 0
        # Whether the program may come here again and again.
        self._repeats = outer is not None
        self._in_order = False
        self._apart = False
        # Inside an expression no statement may be written.
        self._strict = False

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
        if root.node is not None and root.node.op is CAUGHT:
            variable = root.node.attrs['caught']
            return Expr(name(variable), len(variable))
        constant = self._constant(root)
        assert constant is not None, f'{root.name} is read before it is written'
        tree = self._literal(constant[0], root)
        return Expr(tree, measure(tree).width)

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

    # Statements.

    def _emit(
        self,
        statement: ast.stmt,
        node: Node | None,
        exprs: Sequence[Expr],
        handed: Handed | None = None,
    ) -> None:
        if self._strict:
            raise NeedsStatementError
        parts = [part for expr in exprs for part in expr.parts]
        site = node.site if node is not None else parts[-1][1] if parts else None
        known = tuple((tree, site) for tree, site in parts if site is not None)
        given = [each for expr in exprs for each in expr.handed]
        merged = [site for expr in exprs for site in expr.merged]
        self._origins[statement] = Origin(
            site,
            known,
            (*given, *([handed] if handed else ())),
            (*merged, *(node.merged if node is not None else ())),
        )
        self._block.append(statement)
        if node is not None:
            made = map(self._facts.root, node.outputs)
            self._makers.update(dict.fromkeys(made, statement))

    def _assign(self, value: Value, expr: Expr) -> None:
        self._do_before([expr])
        self._write(value, expr)

    def _write(self, value: Value, expr: Expr) -> None:
        if self._strict:
            raise NeedsStatementError
        variable = self._variables.choose(value)
        with self._variables.using([expr], variable):
            self._flush(self._waiting.readers(variable))
        self._emit(assignment([variable], expr.tree), value.node, [expr])
        self._variables.hold(variable, value)

    def _flush(self, values: Iterable[Value] | None = None) -> None:
        """Writes what waits: all, or these values and what has to be done before them."""
        for value in self._waiting if values is None else self._waiting.with_older(values):
            if value in self._waiting:
                self._write(value, self._take(value))

    def _do_before(self, exprs: Sequence[Expr], raises: bool = False) -> None:
        """Before a statement of these is written: what waits and may raise comes before it."""
        if raises or any(expr.raises for expr in exprs):
            with self._variables.using(exprs):
                self._flush(self._waiting.raising())

    def _move(self, moves: Sequence[Move]) -> None:
        """Assigns values to variables, all at once as it were."""
        for variable, value, handed in moves:
            if self._variables.home(value) == variable:
                self._stays(value, handed)
        if len(raising := self._waiting.raising()) > 1:
            self._flush(raising[:-1])
        todo = [
            (variable, self._take(value), handed)
            for variable, value, handed in moves
            if self._variables.home(value) != variable
        ]
        while todo:
            for i, (variable, _, _) in enumerate(todo):
                if not any(variable in e.reads for j, (_, e, _) in enumerate(todo) if j != i):
                    break
            else:
                exprs = [expr for _, expr, _ in todo]
                tree = ast.Tuple([expr.tree for expr in exprs], ast.Load())
                targets = [variable for variable, _, _ in todo]
                self._emit(assignment(targets, tree), None, exprs, todo[0][2])
                return
            variable, expr, handed = todo.pop(i)
            self._emit(assignment([variable], expr.tree), None, [expr], handed)

    def _stays(self, value: Value, handed: Handed) -> None:
        """What made a value passes it on too: it is where it belongs without a move."""
        statement = self._makers.get(self._facts.root(value))
        if statement in self._block:
            origin = self._origins[statement]
            self._origins[statement] = replace(origin, handed=(*origin.handed, handed))
