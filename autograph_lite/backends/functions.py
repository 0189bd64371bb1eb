"""Functions that a program calls: those that call themselves, and those of blocks of arrays.

    fib: int64 = fib(m: int64 = n):         def fib(m):
      function:                               return m if m < 2 else fib(m - 1) + fib(m - 2)
        ...                            ->
    return fib                              def f(n):
                                                return fib(n)

A program that is nothing but the call of such a function is that function.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Graph, Node
from ..graph.tracing import CONSTANT
from ..ops.control_flow import FUNCTION, RECURSE
from ..ops.turn_sums import TURN_SUMS
from ..optimize.elementwise_blocks import BLOCKS
from .expressions import Measure, call, measure, name
from .names import identifier
from .printer import Line
from .straight import StraightLine
from .waiting import Expr


class Functions(StraightLine):
    """Writes the functions that a graph calls before the graph itself.

    Args:
      graph: what is written.
      outer: what writes the function that calls this one, where this is not the whole program.
    """

    def __init__(self, graph: Graph, outer: Functions | None = None) -> None:
        super().__init__(graph, outer)
        self._whole = graph
        self._blocks: list[list[Line]] = []
        self._is_inner = outer is not None
        # What the functions around here are called in the program, by their names in the graph.
        self._called: dict[str, str] = {} if outer is None else dict(outer._called)
        self._written: dict[Graph, str] = {}

    def lines(self) -> list[Line]:
        """The lines of the program."""
        raise NotImplementedError

    def _write_function(self, node: Node) -> None:
        """Writes a function that calls itself."""
        function = node.graphs['function']
        if function not in self._written:
            called = self._names.fresh_global(node.attrs['name'], identifier(self._whole.name))
            self._helpers.append(called)
            self._written[function] = self._called[node.attrs['name']] = called
            self._blocks.append(type(self)(function, self).lines())

    def _expression(self, node: Node, args: Sequence[Expr]) -> tuple[ast.expr, Measure]:
        if node.op in (FUNCTION, RECURSE):
            graph = node.graphs.get('function')
            called = self._written[graph] if graph else self._called[node.attrs['name']]
            tree = call(name(called), *(arg.tree for arg in args))
            return tree, measure(tree, {id(arg.tree): arg.width for arg in args})
        if node.op in (BLOCKS, TURN_SUMS) and 'function' not in node.attrs:
            # The graph of a block, of arrays or of turns, becomes a function of its own.
            block: Graph = node.attrs['block']
            block.name = self._names.fresh_global(block.name)
            self._helpers.append(block.name)
            self._blocks.append(type(self)(block).lines())
            node.attrs = {**node.attrs, 'function': block.name}
        return super()._expression(node, args)


def sole_function(graph: Graph) -> Node | None:
    """The function that calls itself that is all that the graph is; None if there is more to it."""
    nodes = [node for node in graph.nodes if node.op is not CONSTANT]
    if len(nodes) != 1 or nodes[0].op is not FUNCTION:
        return None
    node = nodes[0]
    is_all = list(node.inputs) == graph.params and list(node.outputs) == graph.outputs
    return node if is_all else None
