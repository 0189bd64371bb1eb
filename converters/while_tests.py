"""`:=` in the test of a `while`."""
from __future__ import annotations

import ast

import gast

from autograph_lite.converters.build import constant, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def while_tests(tree: Node, context: Context) -> Node:
    """Let a loop whose test binds a variable ask in its body.

    The test becomes a function, which could not give the variable to the body.

    >>> show(while_tests, '''
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
    del context  # the pass needs to know nothing of the surroundings
    return _Whiles().rewrite(tree)


class _Whiles(StatementRewriter):
    def visit_While(self, node: Node) -> Node:
        self.generic_visit(node)
        binds = any(isinstance(part, gast.NamedExpr) for part in ast.walk(node.test))
        if binds and not node.orelse:
            leave = gast.If(negated(node.test), [gast.Break()], [])
            node.body = [located(leave, node.test), *node.body]
            node.test = located(constant(True), node.test)
        return node
