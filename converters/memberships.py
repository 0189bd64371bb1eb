"""`x in container`, and items of containers."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def memberships(tree: Node, context: Context) -> Node:
    """Ask for membership and items, while tracing, in a way that knows tensors.

    Python makes a bool of every comparison in `x in (1, 2)`, and wants a number for the index of
    a list. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(memberships, '''
    ... def f(x, i, table):
    ...     return x in (1, 2), x not in table, table[i]
    ... ''')
    def f(x, i, table):
        return ag.in_(x, (1, 2)), ag.not_(ag.in_(x, table)), ag.item(table, i)
    """
    return _Memberships(context).rewrite(tree)


class _Memberships(Rewriter):
    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], gast.In | gast.NotIn):
            return node
        asked = operator(self._context, 'in_', node.left, node.comparators[0])
        if isinstance(node.ops[0], gast.NotIn):
            asked = operator(self._context, 'not_', asked)
        return located(asked, node)

    def visit_Subscript(self, node: Node) -> Node:
        self.generic_visit(node)
        is_key = isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str)
        if is_key or not isinstance(node.ctx, gast.Load) or (
            isinstance(node.slice, gast.Slice | gast.Tuple)):
            return node
        return located(operator(self._context, 'item', node.value, node.slice), node)
