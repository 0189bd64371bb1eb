"""Conditional expressions."""
from __future__ import annotations

from autograph_lite.converters.build import operator, thunk
from autograph_lite.converters.context import Context
from autograph_lite.converters.lazy import Lazy
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def conditional_expressions(tree: Node, context: Context) -> Node:
    """Turn `a if test else b` into a call with its two values as functions.

    >>> show(conditional_expressions, '''
    ... def rectified(x):
    ...     return x if x > 0 else 0
    ... ''')
    def rectified(x):
        return ag.cond(x > 0, lambda: x, lambda: 0)
    """
    return _Conditionals(tree, context).rewrite(tree)


class _Conditionals(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_IfExp(self, node: Node) -> Node:
        self.generic_visit(node)
        branches = [node.body, node.orelse]
        if self._lazy.is_python(node.test) or not self._lazy.can_be_functions(branches):
            return node
        call = operator(self._context, 'cond', node.test, *map(thunk, branches))
        return located(call, node)
