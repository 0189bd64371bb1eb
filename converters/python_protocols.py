"""What Python asks an object for by itself: membership, items, the class."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def python_protocols(tree: Node, context: Context) -> Node:
    """Ask for membership, items and classes, while tracing, in a way that knows tensors.

    Python makes a bool of every comparison in `x in (1, 2)`, wants a number for the index of a
    list, and says that the class of a tensor is `Tensor`. Nobody needs to see this, so `to_code`
    shows the tree before it.

    >>> show(python_protocols, '''
    ... def f(x, i, table):
    ...     return x in (1, 2), x not in table, table[i], type(x) is np.ndarray
    ... ''')
    def f(x, i, table):
        return (
            ag.in_(x, (1, 2)), ag.not_(ag.in_(x, table)), ag.item(table, i),
            ag.type_of(x) is np.ndarray)
    """
    return _Protocols(context).rewrite(tree)


class _Protocols(Rewriter):
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

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.Call(func=gast.Name() as function, args=[value], keywords=[]) if not (
                isinstance(value, gast.Starred)
            ):
                if meaning(function, self._context) is type:
                    return located(operator(self._context, 'type_of', value), node)
        return node
