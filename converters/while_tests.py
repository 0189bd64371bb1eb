"""`:=` in the test of a `while`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.named_expressions import Statements
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def while_tests(tree: Node, context: Context) -> Node:
    """Let a loop whose test changes something ask in its body.

    The test becomes a function, and what it changes would be lost.

    >>> show(while_tests, after='unbound_reads', text= '''
    ... def drain(x):
    ...     while (y := np.sum(x)) > 1:
    ...         x = x / y
    ...     return x
    ... ''')
    def drain(x):
        while True:
            if not (y := np.sum(x)) > 1:
                break
            x = x / y
        return x
    """
    return _Whiles(context, Statements(tree, context)).rewrite(tree)


class _Whiles(StatementRewriter):
    def __init__(self, context: Context, statements: Statements) -> None:
        super().__init__(context)
        self._statements = statements

    def visit_While(self, node: Node) -> Node:
        self.generic_visit(node)
        if node.test in self._context.changing and not node.orelse:
            leave = gast.If(negated(node.test), [gast.Break()], [])
            self._context.changing.add(leave.test)
            node.body = self._statements.block([located(leave, node.test)]) + node.body
            node.test = located(constant(True), node.test)
        return node
