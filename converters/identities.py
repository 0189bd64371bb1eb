"""`is`, `isinstance` and `issubclass`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, load, operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def identities(tree: Node, context: Context) -> Node:
    """Ask what a value is in a way that knows of values that may be `None`, while tracing.

    In a function that traced code calls, only the running graph may know whether an argument is
    `None`; to Python, what stands for it is neither `None` nor `True`. The passes after this one
    find a call, and no test that Python itself decides. Nobody needs to see this, so `to_code`
    shows the tree without it.

    >>> show(identities, after='fence', text='''
    ... def f(x, limit=None):
    ...     if limit is not None and isinstance(limit, float):
    ...         x = min(x, limit)
    ...     return x
    ... ''')
    def f(x, limit=None):
        if not ag.operation('is', limit, None) and ag.isinstance(limit, float):
            x = min(x, limit)
        return x
    """
    _Identities(context).rewrite(tree)
    return tree


class _Identities(Rewriter):
    def visit_ClassDef(self, node: Node) -> Node:
        """What the body of a nested class asks, which no other pass looks at, Python must know."""
        node.body = [
            part if isinstance(part, gast.FunctionDef) else self.visit(part) for part in node.body]
        return node

    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        match node:
            case gast.Compare(
                left=left, ops=[gast.Is() | gast.IsNot() as operation], comparators=[right]
            ):
                test = located(
                    operator(self._context, 'operation', constant('is'), left, right), node)
                if isinstance(operation, gast.IsNot):
                    test = gast.UnaryOp(gast.Not(), test)
                return self._context.in_place_of(node, test)
        return node

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        asked = meaning(node.func, self._context)
        if asked is isinstance or asked is issubclass:
            function = gast.Attribute(load(self._context.ag), asked.__name__, gast.Load())
            node.func = located(function, node.func)
        return node
