"""f-strings with tensors in them."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def texts(tree: Node, context: Context) -> Node:
    """Keep the parts of an f-string apart, for messages with the values of the run.

    `raise ValueError(f'{x} is negative')` in a staged branch raises when the graph runs; while
    tracing, `x` has no value to format. Nobody needs to see this, so `to_code` shows the tree
    before it.

    >>> show(texts, '''
    ... def check(x):
    ...     return f'{x:.2f} is negative'
    ... ''')
    def check(x):
        return ag.text((x, -1, '.2f'), ' is negative')
    """
    _Texts(context).rewrite(tree)
    return tree


class _Texts(Rewriter):
    def __init__(self, context: Context) -> None:
        self._context = context

    def visit_JoinedStr(self, node: Node) -> Node:
        return located(operator(self._context, 'text', *map(self._part, node.values)), node)

    def _part(self, part: Node) -> Node:
        if not isinstance(part, gast.FormattedValue):
            return part
        match part.format_spec:
            case None:
                spec = constant('')
            case gast.JoinedStr(values=[gast.Constant() as spec]):
                pass
            case nested:
                spec = self.visit(nested)
        return gast.Tuple([self.visit(part.value), constant(part.conversion), spec], gast.Load())
