"""`with contextlib.suppress(...)`."""
from __future__ import annotations

import contextlib

import gast

from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def suppressions(tree: Node, context: Context) -> Node:
    """Let what is suppressed be caught: a graph knows of `try`.

    Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(suppressions, after='fence', text='''
    ... import contextlib
    ... def root(x, default):
    ...     y = default
    ...     with contextlib.suppress(ValueError, KeyError):
    ...         y = invert(x)
    ...     return y
    ... ''')
    def root(x, default):
        y = default
        try:
            y = invert(x)
        except (ValueError, KeyError):
            pass
        return y
    """
    _Withs(context).rewrite(tree)
    return tree


class _Withs(StatementRewriter):
    def visit_With(self, node: Node) -> Node:
        self.generic_visit(node)
        suppressing = [self._kinds(item) for item in node.items]
        if not any(suppressing):
            return node
        body = node.body
        for item, kinds in zip(node.items[::-1], suppressing[::-1], strict=True):
            if kinds is None:
                inner = gast.With([item], body, None)
            else:
                inner = gast.Try(body, [gast.ExceptHandler(kinds, None, [gast.Pass()])], [], [])
            body = [located(inner, node)]
        return body[0]

    def _kinds(self, item: Node) -> Node | None:
        """What the item of a `with` suppresses; None if it is another manager."""
        match item:
            case gast.withitem(
                context_expr=gast.Call(func=function, keywords=[]) as call, optional_vars=None
            ) if meaning(function, self._context) is contextlib.suppress:
                return gast.Tuple(call.args, gast.Load())
        return None
