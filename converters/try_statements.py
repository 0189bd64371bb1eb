"""`try` with `except`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import load, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def try_statements(tree: Node, context: Context) -> Node:
    """Notice, while tracing, what is staged under an `except`, and refuse it.

    The handlers of a graph's function run while it is traced; what its operations raise when the
    graph runs would pass them by. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(try_statements, '''
    ... def parse(text):
    ...     try:
    ...         return float(text)
    ...     except ValueError:
    ...         return 0.0
    ... ''')
    def parse(text):
        with ag.excepting() as excepting:
            try:
                with excepting.block():
                    return float(text)
            except ValueError:
                return 0.0
    """
    return _Tries(context).rewrite(tree)


class _Tries(Rewriter):
    def visit_Try(self, node: Node) -> Node:
        self.generic_visit(node)
        if not node.handlers:
            return node
        name = self._context.helper('excepting')
        watched = gast.Call(gast.Attribute(load(name), 'block', gast.Load()), [], [])
        node.body = [located(gast.With([gast.withitem(watched, None)], node.body, None), node)]
        target = gast.Name(name, gast.Store(), None, None)
        around = gast.withitem(operator(self._context, 'excepting'), target)
        return located(gast.With([around], [node], None), node)

    visit_TryStar = visit_Try
