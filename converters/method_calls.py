"""Calls of methods that have the name of one of NumPy's or Python's."""
from __future__ import annotations

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def method_calls(tree: Node, context: Context) -> Node:
    """Let methods of the user's classes be converted whatever their names are, while tracing.

    `x.sum()` most likely is a method of an array, and `to_code` shows it so; the user's classes may
    have a method `sum` as well.

    >>> show(method_calls, '''
    ... def f(x):
    ...     return x.sum()
    ... ''')
    def f(x):
        return ag.call(x.sum)
    """
    return _Calls(context).rewrite(tree)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, _ = callee(node.func, self._context)
        self.generic_visit(node)
        if kind is not Callee.METHOD and meaning(node.func, self._context) is not list:
            return node
        call = operator(self._context, 'call', node.func, *node.args)
        call.keywords = node.keywords
        return located(call, node)
