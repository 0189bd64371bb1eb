"""Decorators of nested functions."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import is_of_library, meaning
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def decorators(tree: Node, context: Context) -> Node:
    """Let the user's decorators be converted, too, while tracing.

    Python itself would call them as they are, and what they make of a function with them. Nobody
    needs to see this, so `to_code` shows the tree before it.

    >>> show(decorators, '''
    ... def f(x):
    ...     @bounded
    ...     def g(x):
    ...         return x * x
    ...     return g(x)
    ... ''')
    def f(x):
        @ag.decorator(bounded)
        def g(x):
            return x * x
        return g(x)
    """
    for function in functions(tree):
        if function is not tree:
            function.decorator_list = [
                each if _is_librarys(each, context) else
                located(operator(context, 'decorator', each), each)
                for each in function.decorator_list]
    return tree


def _is_librarys(decorator: Node, context: Context) -> bool:
    called = decorator.func if isinstance(decorator, gast.Call) else decorator
    value = meaning(called, context)
    return value is not MISSING and is_of_library(value)
