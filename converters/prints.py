"""`print` of nothing but literals, which the running graph prints where it stands in a block."""
from __future__ import annotations

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def prints(tree: Node, context: Context) -> Node:
    """Let `print` know that it is called, with whatever it is given.

    Only then is it known whether a graph prints it. `to_code` shows the tree before it.

    >>> show(prints, '''
    ... def f(x):
    ...     if x > 0:
    ...         print('positive')
    ... ''')
    def f(x):
        if x > 0:
            ag.print_('positive')
    """
    _Calls(context).rewrite(tree)
    return tree


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        is_print = callee(node.func, self._context) == (Callee.BUILTIN, 'print')
        self.generic_visit(node)
        if not is_print:
            return node
        call = operator(self._context, 'print_', *node.args)
        call.keywords = node.keywords
        return located(call, node)
