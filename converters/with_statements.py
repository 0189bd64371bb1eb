"""`with`."""
from __future__ import annotations

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def with_statements(tree: Node, context: Context) -> Node:
    """Let `with np.errstate(...)` hold when the graph runs, not only while it is traced.

    Every other context manager is entered and left while tracing. Nobody needs to see this, so
    `to_code` shows the tree before it.

    >>> show(with_statements, '''
    ... def f(x):
    ...     with np.errstate(divide='ignore'):
    ...         return 1 / x
    ... ''')
    def f(x):
        with ag.context(np.errstate(divide='ignore')):
            return 1 / x
    """
    return _Withs(context).rewrite(tree)


class _Withs(Rewriter):
    def visit_With(self, node: Node) -> Node:
        self.generic_visit(node)
        for item in node.items:
            manager = operator(self._context, 'context', item.context_expr)
            item.context_expr = located(manager, item.context_expr)
        return node
