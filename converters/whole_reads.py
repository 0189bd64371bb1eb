"""`{k for k in d}`, `f(**d)`: what Python itself reads all of."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def whole_reads(tree: Node, context: Context) -> Node:
    """Say, while tracing, what Python goes through by itself, or gives to a call by name.

    Of a dict outside a branch may not have set every item. Nobody needs to see this, so `to_code`
    shows the tree before it.

    >>> show(whole_reads, '''
    ... def f(table):
    ...     return {key for key in table}, largest(**table)
    ... ''')
    def f(table):
        return {key for key in ag.whole(table)}, largest(**ag.whole(table))
    """
    _Whole(context).rewrite(tree)
    return tree


class _Whole(Rewriter):
    def visit_SetComp(self, node: Node) -> Node:
        self.generic_visit(node)
        for each in node.generators:
            each.iter = self._whole(each.iter)
        return node

    visit_DictComp = visit_GeneratorExp = visit_ListComp = visit_SetComp

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        for each in node.keywords:
            if each.arg is None:
                each.value = self._whole(each.value)
        return node

    def _whole(self, value: Node) -> Node:
        if isinstance(value, gast.Constant | gast.List | gast.Tuple | gast.Dict | gast.Set):
            return value
        return located(operator(self._context, 'whole', value), value)
