"""Operands of which only the truth is asked."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.python_values import Lazy
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def truths(tree: Node, context: Context) -> Node:
    """Ask only for the truth of the operands of `and` and `or` in a condition.

    Elsewhere `a and b` is one of the two, so that they need a common type; in a condition they may
    be an integer and a comparison. Nobody needs to see this, so `to_code` leaves it out.

    >>> show(truths, '''
    ... def visits(graph, seen, v):
    ...     if graph[v] and v not in seen:
    ...         return graph[v] and v
    ... ''')
    def visits(graph, seen, v):
        if ag.is_true(graph[v]) and v not in seen:
            return graph[v] and v
    """
    return _Truths(tree, context).rewrite(tree)


class _Truths(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_If(self, node: Node) -> Node:
        node.test = self._asked(node.test)
        return self.generic_visit(node)

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_UnaryOp(self, node: Node) -> Node:
        if isinstance(node.op, gast.Not):
            node.operand = self._asked(node.operand)
        return self.generic_visit(node)

    def visit_comprehension(self, node: Node) -> Node:
        node.ifs = [self._asked(test) for test in node.ifs]
        return self.generic_visit(node)

    def _asked(self, test: Node) -> Node:
        if isinstance(test, gast.BoolOp):
            test.values = [self._operand(value) for value in test.values]
        return test

    def _operand(self, value: Node) -> Node:
        match value:
            case gast.BoolOp():
                return self._asked(value)
            case gast.Compare() | gast.UnaryOp(op=gast.Not()) | gast.NamedExpr():
                return value
        if self._lazy.is_python(value):
            return value
        return located(operator(self._context, 'is_true', value), value)
