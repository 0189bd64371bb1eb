"""Straight-line code: nodes without subgraphs, as expressions and assignments."""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Graph, Node, Value
from ..graph.names import stored_name
from ..graph.tracing import CONSTANT
from ..ops import raising
from ..ops.control_flow import CAST, MISSING
from ..ops.exceptions import CAUGHT
from ..ops.ufuncs import overwriting
from ..optimize.facts import is_identity
from ..optimize.raising import may_raise
from .assigning import Assigning
from .constants import array_name, array_tree, as_array
from .expressions import assignment, name
from .pops import joined_pop
from .printer import INDENT, WIDTH
from .shortening import after_raising, widest
from .waiting import Expr

# Expressions longer than this are broken up, those of a value that the user named earlier.
_LONGEST = 76
_LONGEST_NAMED = 48
_SHORTEST = 32
# What is written where it is read.
_IN_PLACE = (CAUGHT, CONSTANT, MISSING)


class StraightLine(Assigning):
    """Writes nodes in program order.

    A value that is read once waits, and is written inside the expression that reads it; every other
    value gets a variable. What waits is written before anything that would change its value; what
    may raise is done in program order.
    """

    def _nodes(self, graph: Graph) -> None:
        """Writes the nodes of a graph; afterwards its results can be read."""
        here = self._here
        here.graph = graph
        for here.position, here.node in enumerate(graph.nodes):
            self._visit(here.node)
            here.graph = graph
        here.position, here.node = len(graph.nodes) - 1, None

    def _visit(self, node: Node) -> None:
        if node.op in _IN_PLACE or is_identity(node) or 'fixed' in node.attrs:
            return
        needed = node.effect or node.op.updates or any(map(self._facts.uses, node.outputs))
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

    def _compute(self, node: Node) -> None:
        expr = self._build(node)
        if node.effect:
            with self._variables.using([expr]):
                self._flush()
        if len(node.outputs) != 1 or not self._facts.uses(node.outputs[0]):
            self._do_before([expr])
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
        if self._apart or not self._facts.used_once_here(value):
            return False
        if value.node is None or stored_name(value.node.site) is None:
            return expr.width <= self._longest()
        # The user's own assignment stays where it is if it can.
        return expr.width <= _LONGEST_NAMED and (self._strict or not self._variables.wanted(value))

    def _longest(self) -> int:
        if self._apart:
            return 0
        return max(min(_LONGEST, WIDTH - 16 - INDENT * self._depth), _SHORTEST)

    def _build(self, node: Node) -> Expr:
        """The node's expression, with what it reads written inside as far as that is readable."""
        args = self._operands(node)
        while True:
            tree, found = self._expression(node, args)
            inside = [i for i, arg in enumerate(args) if arg.parts]
            twice = [i for i in inside if found.counts.get(id(args[i].tree), 0) > 1]
            if twice:
                self._name(args, after_raising(args, twice[0]), node.inputs)
            elif (excess := found.width - self._longest()) > 0 and inside:
                self._name(args, widest(args, excess, found.counts), node.inputs)
            else:
                return self._joined(node, tree, found.width, args)

    def _joined(self, node: Node, tree: ast.expr, width: int, args: Sequence[Expr]) -> Expr:
        parts = [part for arg in args for part in arg.parts]
        return Expr(
            tree,
            width,
            tuple(dict.fromkeys(v for arg in args for v in arg.reads)),
            tuple(dict.fromkeys(b for arg in args for b in arg.buffers)),
            (*parts, (tree, node.site)),
            tuple(each for arg in args for each in arg.handed),
            (*(site for arg in args for site in arg.merged), *node.merged),
            self._raises(node) or any(arg.raises for arg in args),
        )

    def _operands(self, node: Node) -> list[Expr]:
        """What reads the node's inputs; in a loop, numbers beside arrays are arrays made before."""
        self._in_turn(node.inputs)
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

    def _raises(self, node: Node) -> bool:
        """Whether the node may raise, as far as the program cares."""
        if self._in_order:
            return raising.may_raise(node)
        owner, _ = self._facts.owners.get(self._here.graph, (None, 0))
        return may_raise(node, owner)

    def _in_turn(self, values: Sequence[Value]) -> None:
        """Before these are read in one expression: what may raise is assigned that has to be first.

        What waits stays in program order: the expression takes the last that do, in their order.
        """
        waiting = self._waiting
        wanted = list(filter(waiting.may_raise, map(self._facts.root, values)))
        while wanted != waiting.last_raising(len(wanted)):
            self._flush(waiting.raising()[:1])
            wanted = list(filter(waiting.may_raise, wanted))

    def _name(self, args: list[Expr], chosen: Sequence[int], values: Sequence[Value]) -> None:
        """Gives arguments variables of their own, in this order."""
        with self._variables.using(args):
            for i in chosen:
                with self._variables.replacing(args, i):
                    self._assign(values[i], args[i])
                    args[i] = self._take(values[i])

    def _shorten(self, args: list[Expr], values: Sequence[Value], apart: int = 0) -> None:
        """Gives arguments variables of their own until all together are short enough."""
        while any(arg.parts for arg in args):
            excess = sum(arg.width + apart for arg in args) - self._longest()
            if excess <= 0:
                break
            self._name(args, widest(args, excess), values)

    def _statement(self, node: Node) -> None:
        """An update of a buffer in place, or an effect."""
        assert node.op.statement is not None
        args = self._operands(node)
        self._do_before(args, self._raises(node))
        if node.op.updates and not isinstance(args[0].tree, ast.Name):
            self._name(args, after_raising(args, 0), node.inputs)
        self._shorten(args, node.inputs)
        with self._variables.using(args):
            if node.op.updates:
                self._flush(self._waiting.users(self._facts.buffer(node.inputs[0])))
            if node.op.effect or (node.op.updates and self._tries):
                self._flush()
        if node.attrs.get('reuses') and self._renames(node, args):
            return
        statements = node.op.statement(node, [arg.tree for arg in args])
        if not statements:  # what it is given has done it
            made, doer = map(self._facts.root, (node.outputs[0], node.inputs[-1]))
            if doer in self._makers:
                self._makers[made] = self._makers[doer]
        for statement in statements:
            written = self.globals.bind_objects(statement, node)
            self._emit(written, node, args)
            for inner in ast.walk(written):
                if isinstance(inner, ast.stmt):
                    self._origins[inner] = self._origins[written]
        if node.attrs.get('pops', False):
            self._join_pop()
        if node.op.updates:
            self._variables.hold(args[0].reads[0], node.outputs[0])

    def _join_pop(self) -> None:
        statement = joined_pop(self._block, self.globals.constants)
        if statement is not None:
            got, done = self._block[-2:]
            self._origins[statement] = self._origins.pop(got)
            del self._origins[done]
            self._block[-2:] = [statement]

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
