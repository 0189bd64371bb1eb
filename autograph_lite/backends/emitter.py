"""From a graph to one Python function."""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Graph, Node, Value
from ..graph.sites import Handed
from ..ops.control_flow import COND, FUNCTION, TRY
from .expressions import up_to_raise
from .functions import Functions, sole_function
from .loops import Loops
from .printer import Line, Origin, print_block


class Emitter(Loops):
    """Writes one graph.

    Args:
      graph: the graph.
      outer: what writes the function that calls this one, where this is not the whole program.
      in_order: whether all operations are done in program order, not only those that may raise.
      apart: whether each is a statement of its own, which also is in that order.

    Attributes:
      name: the name of the function.
    """

    def __init__(
        self, graph: Graph, outer: Functions | None = None, in_order: bool = False,
        apart: bool = False,
    ) -> None:
        super().__init__(graph, outer)
        self._in_order = in_order or apart if outer is None else outer._in_order
        self._apart = apart if outer is None else outer._apart
        self.name = self._called.get(graph.name, '') if self._is_inner else ''
        whole = None if self._is_inner else sole_function(graph)
        if whole is not None:
            self.name = self._called[whole.attrs['name']] = self._names.fresh(graph.name)
            self._helpers.append(self.name)  # no function that it calls has a variable of the name
            graph, self._repeats = whole.graphs['function'], True
        for node in graph.walk():
            if node.op is TRY:
                self._names.reserve(node.attrs['caught'])
        arguments = [ast.arg(self._parameter(param)) for param in graph.params]
        self._nodes(graph)
        self._return(graph.outputs)
        body = up_to_raise(self._block)
        if not body:
            body = [ast.Pass()]
            self._origins[body[0]] = Origin(None, handed=(Handed(None, 'return'),))
        if not self.name:
            globals_ = [*self.globals.all(), *self._helpers]
            self.name = self._names.function(graph.name, globals_)
        signature = ast.arguments([], arguments, None, [], [], None, [])
        definition = ast.FunctionDef(self.name, signature, body, [], None)
        if not self._is_inner:
            self._origins[definition] = Origin(None, handed=(Handed(None, ''),))
        self._functions.append(definition)

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
        self._in_turn(outputs)
        exprs = [self._take(value) for value in outputs]
        self._do_before(exprs)
        if len(exprs) > 1:
            self._shorten(exprs, outputs, apart=len(', '))
        if exprs:
            trees = [expr.tree for expr in exprs]
            tree = trees[0] if len(trees) == 1 else ast.Tuple(trees, ast.Load())
            self._emit(ast.Return(tree), None, exprs, Handed(None, 'return'))

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
