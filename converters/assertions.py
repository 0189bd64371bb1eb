"""`assert`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator, thunk
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def assertions(tree: Node, context: Context) -> Node:
    """Turn `assert` into a call; the message is made only if it is needed.

    >>> show(assertions, '''
    ... def root(x):
    ...     assert x >= 0, 'negative'
    ...     return np.sqrt(x)
    ... ''')
    def root(x):
        ag.assert_(x >= 0, lambda: 'negative')
        return np.sqrt(x)
    """
    return _Assertions(context).rewrite(tree)


class _Assertions(StatementRewriter):
    def visit_Assert(self, node: Node) -> Node:
        arguments = [node.test] if node.msg is None else [node.test, thunk(node.msg)]
        return located(gast.Expr(operator(self._context, 'assert_', *arguments)), node)
