"""Calls of the user's functions, and of those of Python and NumPy that no protocol reaches."""
from __future__ import annotations

import ast

import gast
import numpy as np

from autograph_lite.converters.build import load, operator
from autograph_lite.converters.callees import GRIDS, Callee, callee, meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_NAMESPACES = {Callee.BUILTIN: (), Callee.CREATION: ('np',), Callee.MATH: ('math',)}


def calls(tree: Node, context: Context) -> Node:
    """Let the user's functions be converted when they are called.

    What is not known to be NumPy's, Python's or this package's may be the user's. Where Python or
    NumPy has a function that takes no tensor, one is called that does; a call with nothing but
    literals needs none.

    >>> show(calls, '''
    ... def f(g, x):
    ...     y = np.zeros(len(x)) + np.sum(x) + x.sum()
    ...     for i in range(10):
    ...         y = y + g(x) + float('0.5')
    ...     return y
    ... ''')
    def f(g, x):
        y = ag.np.zeros(ag.len(x)) + np.sum(x) + x.sum()
        for i in range(10):
            y = y + ag.call(g, x) + float('0.5')
        return y
    """
    return _Calls(context).rewrite(tree)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, name = callee(node.func, self._context)
        self.generic_visit(node)
        if kind is Callee.USER:
            return through_call(node, self._context)
        if kind in _NAMESPACES and (kind is Callee.CREATION or not _has_only_literals(node)):
            function = load(self._context.ag)
            for attribute in (*_NAMESPACES[kind], name):
                function = gast.Attribute(function, attribute, gast.Load())
            node.func = located(function, node.func)
        return node

    def visit_Subscript(self, node: Node) -> Node:
        found = meaning(node.value, self._context)
        self.generic_visit(node)
        for name in GRIDS:
            if found is getattr(np, name):
                namespace = gast.Attribute(load(self._context.ag), 'np', gast.Load())
                node.value = located(gast.Attribute(namespace, name, gast.Load()), node.value)
        return node


def through_call(node: Node, context: Context, name: str = 'call') -> Node:
    """`ag.call(f, x)` for `f(x)`."""
    call = operator(context, name, node.func, *node.args)
    call.keywords = node.keywords
    return located(call, node)


def _has_only_literals(call: Node) -> bool:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(arguments) and all(
        isinstance(part, gast.Constant | gast.UnaryOp | ast.unaryop)
        for argument in arguments for part in walk(argument))
