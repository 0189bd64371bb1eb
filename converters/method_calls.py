"""Calls of methods that have the name of one of NumPy's or Python's."""
from __future__ import annotations

import functools
from collections import Counter, defaultdict, deque

from autograph_lite.converters.build import through_call
from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
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
    _Calls(context).rewrite(tree)
    return tree


_STAGED = (list, tuple, dict, defaultdict, deque, Counter, functools.reduce)


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, _ = callee(node.func, self._context)
        self.generic_visit(node)
        called = meaning(node.func, self._context)
        if kind is not Callee.METHOD and not any(called is each for each in _STAGED):
            return node
        return through_call(node, self._context)
