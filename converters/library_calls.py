"""Calls of builtins, of `math`, and of functions of NumPy that no protocol lets a tensor reach."""
from __future__ import annotations

import ast

import gast

from autograph_lite.converters.build import load
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_NAMESPACES = {Callee.BUILTIN: (), Callee.CREATION: ('np',), Callee.MATH: ('math',)}


def library_calls(tree: Node, context: Context) -> Node:
    """Call what also takes a tensor, where Python or NumPy has a function that does not.

    A call with nothing but literals needs none.

    >>> show(library_calls, '''
    ... def f(x):
    ...     y = np.zeros(len(x))
    ...     for i in range(10):
    ...         y = y + float('0.5')
    ...     return y
    ... ''')
    def f(x):
        y = ag.np.zeros(ag.len(x))
        for i in range(10):
            y = y + float('0.5')
        return y
    """
    return _Calls(context).rewrite(tree)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, name = callee(node.func, self._context)
        self.generic_visit(node)
        if kind not in _NAMESPACES or (kind is not Callee.CREATION and _has_only_literals(node)):
            return node
        function = load(self._context.ag)
        for attribute in (*_NAMESPACES[kind], name):
            function = gast.Attribute(function, attribute, gast.Load())
        node.func = located(function, node.func)
        return node


def _has_only_literals(call: Node) -> bool:
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(arguments) and all(
        isinstance(part, gast.Constant | gast.UnaryOp | ast.unaryop)
        for argument in arguments for part in walk(argument))
