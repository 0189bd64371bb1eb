"""Calls of builtins, of `math`, and of what NumPy has that no protocol lets a tensor reach."""
from __future__ import annotations

import ast

import gast
import numpy as np

from autograph_lite.converters.build import load
from autograph_lite.converters.callees import GRIDS, Callee, callee, meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_NAMESPACES = {Callee.BUILTIN: (), Callee.CREATION: ('np',), Callee.MATH: ('math',)}
# `ag.print` prints at every call, whatever it is given.
_OTHER_NAMES = {'print': 'print_'}


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
    if context.namespace.has(gast.Call, gast.Subscript):
        _Calls(context).rewrite(tree)
    return tree


class _Calls(Rewriter):
    visit_ClassDef = Rewriter.class_body

    def visit_Call(self, node: Node) -> Node:
        kind, name = callee(node.func, self._context)
        self.generic_visit(node)
        if kind not in _NAMESPACES or _is_as_written(kind, name, node):
            return node
        function = load(self._context.ag)
        for attribute in (*_NAMESPACES[kind], _OTHER_NAMES.get(name, name)):
            function = gast.Attribute(function, attribute, gast.Load())
        node.func = located(function, node.func)
        return node

    def visit_Subscript(self, node: Node) -> Node:
        found = meaning(node.value, self._context)
        self.generic_visit(node)
        for name in GRIDS:
            if found is getattr(np, name):
                namespace = gast.Attribute(load(self._context.ag), 'np', gast.Load())
                grid = gast.Attribute(namespace, name, gast.Load())
                node.value = located(grid, node.value)
        return node


def _is_as_written(kind: Callee, name: str, call: Node) -> bool:
    """Whether there is no tensor for a call to take."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return kind is not Callee.CREATION and bool(arguments or name == 'print') and all(
        isinstance(part, gast.Constant | gast.UnaryOp | ast.unaryop)
        for argument in arguments for part in walk(argument))
