"""Calls of NumPy with what no protocol reaches: lists of tensors, and random generators."""
from __future__ import annotations

import gast
import numpy as np

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import DRAWS, Callee, callee, is_numpy_function, meaning
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def numpy_calls(tree: Node, context: Context) -> Node:
    """Let a call of NumPy look at its arguments first, while tracing.

    `np.sum([a, b])` gives a list to NumPy, which would ask each tensor in it for its value; a draw
    from a generator is to be made when the graph runs. Only then is it known what an argument is,
    so every call that may be such a one is looked at. Nobody needs to see this, so `to_code` shows
    the tree before it.

    >>> show(numpy_calls, '''
    ... def noisy(a, b, rng):
    ...     return np.sum([a, b]) + rng.normal()
    ... ''')
    def noisy(a, b, rng):
        return ag.call(np.sum, [a, b]) + ag.call(rng.normal)
    """
    return _Calls(context).rewrite(tree)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        looked_at = self._is_numpy(node.func) or self._may_draw(node.func)
        self.generic_visit(node)
        if not looked_at:
            return node
        call = operator(self._context, 'call', node.func, *node.args)
        call.keywords = node.keywords
        return located(call, node)

    def _is_numpy(self, function: Node) -> bool:
        if isinstance(function, gast.Attribute):  # a method of a ufunc
            owner = meaning(function.value, self._context)
            if isinstance(owner, np.ufunc):
                return True
        kind, _ = callee(function, self._context)
        return kind is Callee.LIBRARY and is_numpy_function(meaning(function, self._context))

    def _may_draw(self, function: Node) -> bool:
        if not isinstance(function, gast.Attribute) or function.attr not in DRAWS:
            return False
        return meaning(function, self._context) is MISSING  # it is a method of an object
