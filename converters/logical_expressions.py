"""`and`, `or`, `not`, and conditional expressions."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator, thunk
from autograph_lite.converters.context import Context
from autograph_lite.converters.python_values import Lazy
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def logical_expressions(tree: Node, context: Context) -> Node:
    """Turn `and`, `or`, `not` and `a if test else b` into calls.

    Operands that may not be needed become functions.

    >>> show(logical_expressions, '''
    ... def inside(x):
    ...     return x > 0 and not x > 9, x if x > 0 else 0
    ... ''')
    def inside(x):
        return ag.and_(x > 0, lambda: ag.not_(x > 9)), ag.cond(x > 0, lambda: x, lambda: 0)

    Python asks only whether the operands before the last one are true; if these are Python's own
    values, it can do so itself.

    >>> show(logical_expressions, '''
    ... def positive(x=None):
    ...     return x is not None and x > 0
    ... ''')
    def positive(x=None):
        return x is not None and x > 0
    """
    return _Logical(tree, context).rewrite(tree)


class _Logical(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_BoolOp(self, node: Node) -> Node:
        self.generic_visit(node)
        first, *rest = node.values
        if all(map(self._lazy.is_python, node.values[:-1])):
            return node
        if not self._lazy.can_be_functions(rest):
            return node
        name = 'and_' if isinstance(node.op, gast.And) else 'or_'
        return located(operator(self._context, name, first, *map(thunk, rest)), node)

    def visit_UnaryOp(self, node: Node) -> Node:
        self.generic_visit(node)
        if not isinstance(node.op, gast.Not) or self._lazy.is_python(node.operand):
            return node
        return located(operator(self._context, 'not_', node.operand), node)

    def visit_IfExp(self, node: Node) -> Node:
        self.generic_visit(node)
        branches = [node.body, node.orelse]
        if self._lazy.is_python(node.test) or not self._lazy.can_be_functions(branches):
            return node
        call = operator(self._context, 'cond', node.test, *map(thunk, branches))
        return located(call, node)
