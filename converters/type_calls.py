"""`type(x)`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def type_calls(tree: Node, context: Context) -> Node:
    """Ask for the class that a value has when the graph runs, not for that of a tensor.

    Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(type_calls, '''
    ... def doubled(x):
    ...     return x * 2 if type(x) is np.ndarray else x
    ... ''')
    def doubled(x):
        return x * 2 if ag.type_of(x) is np.ndarray else x
    """
    return _Types(context).rewrite(tree)


class _Types(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.Call(func=gast.Name() as function, args=[value], keywords=[]) if not (
                isinstance(value, gast.Starred)
            ):
                if meaning(function, self._context) is type:
                    return located(operator(self._context, 'type_of', value), node)
        return node
