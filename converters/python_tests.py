"""Conditions that Python itself asks."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.python_values import Lazy
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_COMPREHENSIONS = {
    gast.ListComp: 'a list comprehension that does not convert',
    gast.SetComp: 'a set comprehension',
    gast.DictComp: 'a dict comprehension',
    gast.GeneratorExp: 'a generator expression that does not convert',
}


def python_tests(tree: Node, context: Context) -> Node:
    """Refuse, while tracing, a tensor as a condition where one had to stay with Python.

    Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(python_tests, '''
    ... def f(xs):
    ...     return {float(x) for x in xs if x > 0}
    ... ''')
    def f(xs):
        return {float(x) for x in xs if ag.python_test(x > 0, 'a set comprehension')}
    """
    return _Tests(tree, context).rewrite(tree)


class _Tests(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_If(self, node: Node) -> Node:
        self.generic_visit(node)
        node.test = self._test(node.test, 'a statement that a jump in a `finally` may leave')
        return node

    visit_While = visit_If

    def visit_ListComp(self, node: Node) -> Node:
        self.generic_visit(node)
        for generator in node.generators:
            kind = _COMPREHENSIONS[type(node)]
            generator.ifs = [self._test(test, kind) for test in generator.ifs]
        return node

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_BoolOp(self, node: Node) -> Node:
        self.generic_visit(node)
        kind = '`and` or `or` with `:=` in it'
        node.values = [*(self._test(test, kind) for test in node.values[:-1]), node.values[-1]]
        return node

    def visit_IfExp(self, node: Node) -> Node:
        self.generic_visit(node)
        node.test = self._test(node.test, 'a conditional expression with `:=` in it')
        return node

    def _test(self, node: Node, kind: str) -> Node:
        if self._lazy.is_python(node):
            return node
        return located(operator(self._context, 'python_test', node, constant(kind)), node)
