"""`a == b` and `a < b` of what may be tuples or lists."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_SIGNS = {
    gast.Eq: '==', gast.NotEq: '!=', gast.Lt: '<', gast.LtE: '<=', gast.Gt: '>', gast.GtE: '>='}
# Neither is ever a tuple.
_OTHERS = gast.Constant | gast.BoolOp | gast.Compare | gast.JoinedStr | gast.Lambda | gast.UnaryOp


def tuple_comparisons(tree: Node, context: Context) -> Node:
    """Compare, while tracing, in a way that knows tensors in tuples.

    Python makes a bool of every comparison of two items, as of `x.shape == (2, 3)` where a length
    is not known. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(tuple_comparisons, '''
    ... def f(x, y):
    ...     return x.shape == y.shape, x > 0
    ... ''')
    def f(x, y):
        return ag.compared(x.shape, '==', y.shape), x > 0
    """
    _Comparisons(context).rewrite(tree)
    return tree


class _Comparisons(Rewriter):
    def __init__(self, context: Context) -> None:
        self._context = context

    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        sign = _SIGNS.get(type(node.ops[0]))
        sides = node.left, node.comparators[0]
        if len(node.ops) > 1 or sign is None or any(isinstance(side, _OTHERS) for side in sides):
            return node
        asked = operator(self._context, 'compared', sides[0], constant(sign), sides[1])
        return located(asked, node)
