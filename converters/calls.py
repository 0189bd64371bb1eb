"""Calls of the user's functions."""
from __future__ import annotations

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def calls(tree: Node, context: Context) -> Node:
    """Let the user's functions be converted when they are called.

    What is not known to be NumPy's, Python's or this package's may be the user's.

    >>> show(calls, '''
    ... def both(f, x):
    ...     return f(x) + np.sum(x) + x.sum()
    ... ''')
    def both(f, x):
        return ag.call(f, x) + np.sum(x) + x.sum()
    """
    return _Calls(context).rewrite(tree)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, _ = callee(node.func, self._context)
        self.generic_visit(node)
        if kind is not Callee.USER:
            return node
        call = operator(self._context, 'call', node.func, *node.args)
        call.keywords = node.keywords
        return located(call, node)
