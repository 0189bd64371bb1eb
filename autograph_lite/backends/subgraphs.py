"""From a subgraph to an expression, or to a block of statements."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from ..graph.graph import Graph, Node
from ..ops.control_flow import COND
from ..ops.effects import RAISE
from .assigning import Block, Move, NeedsStatementError
from .expressions import up_to_raise
from .functions import Functions
from .outline import outline
from .waiting import Expr, Waiting

# A subgraph of more nodes is not written as an expression.
_MOST_NODES = 12
# Python nests at most 20 loops; deeper ones, and deeper branches, get functions of their own.
_DEEPEST_LOOPS = 16
_DEEPEST = 48


class Subgraphs(Functions):
    """Writes what control flow holds inside, as one expression or as a block."""

    def __init__(self, graph: Graph, outer: Functions | None = None) -> None:
        super().__init__(graph, outer)
        self._functions: Block = []

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

    def _inner_block(self, graph: Graph, moves: Sequence[Move]) -> Block:
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

    def _body(self, graph: Graph, moves: Sequence[Move]) -> None:
        for variable, value, _ in moves:
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

    def _go_to(self, graph: Graph, position: int, node: Node | None) -> None:
        self._here.graph, self._here.position, self._here.node = graph, position, node
