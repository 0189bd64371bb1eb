"""`x in container`, and items of containers."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
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
    ...     return x in (1, 2), x not in table, table[i], x[i:]
    ... ''')
    def f(x, i, table):
        return (
            ag.in_(x, (1, 2)), ag.not_(ag.in_(x, table)), ag.item(table, i),
            ag.sliced(x, i, None, None))
    """
    if context.namespace.has(gast.In, gast.NotIn, gast.Subscript):
        _Memberships(context).rewrite(tree)
    return tree


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
        if is_key or not isinstance(node.ctx, gast.Load) or isinstance(node.slice, gast.Tuple):
            return node
        if not isinstance(node.slice, gast.Slice):
            return located(operator(self._context, 'item', node.value, node.slice), node)
        given = node.slice.lower, node.slice.upper, node.slice.step
        bounds = [bound or constant(None) for bound in given]
        if all(map(_is_number, bounds)):
            return node
        return located(operator(self._context, 'sliced', node.value, *bounds), node)


def _is_number(bound: Node) -> bool:
    """Whether a bound of a slice is written as a number."""
    number = bound.operand if isinstance(bound, gast.UnaryOp) else bound
    return isinstance(number, gast.Constant)
