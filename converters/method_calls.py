"""Calls of methods that have the name of one of NumPy's or Python's."""
from __future__ import annotations

import functools
import os
import sys
from collections import Counter, defaultdict, deque
from types import MethodDescriptorType, WrapperDescriptorType

import gast

from autograph_lite.converters.build import operator, through_call
from autograph_lite.converters.callees import Callee, callee, is_bound, meaning, runs_as_it_is
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.converters.untold_calls import is_untold
from autograph_lite.pyct.origin import located
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


_STAGED = (
    list, tuple, dict, set, frozenset, hash, ord, chr, hex, bin, oct, bytes, bytearray, round,
    pow, divmod, delattr, callable, defaultdict, deque, Counter, functools.reduce,
    *(getattr(sys, name) for name in ('exc_info', 'exception') if hasattr(sys, name)),
)  # fmt: skip

# What statements call, which change something.
_OF_STATEMENTS = (
    '__setitem__', '__delitem__', '__setattr__', '__delattr__', '__iadd__', '__imul__', '__iand__',
    '__ior__', '__isub__', '__ixor__',
)  # fmt: skip


class _Calls(Rewriter):
    def visit_Call(self, node: Node) -> Node:
        kind, _ = callee(node.func, self._context)
        self.generic_visit(node)
        called = meaning(node.func, self._context)
        if runs_as_it_is(called):
            call = operator(self._context, 'as_it_is', node.func, *node.args)
            call.keywords = node.keywords
            return located(call, node)
        is_change = isinstance(node.func, gast.Attribute) and node.func.attr in _OF_STATEMENTS
        is_looked_at = kind is Callee.METHOD or any(called is each for each in _STAGED) or (
            is_change or isinstance(called, MethodDescriptorType | WrapperDescriptorType))
        is_looked_at = is_looked_at or is_bound(called) or is_untold(called, len(node.args))
        if is_looked_at or (called is breakpoint and has_pythons_debugger()):
            return through_call(node, self._context)
        return node


def has_pythons_debugger() -> bool:
    """Whether `breakpoint()` calls Python's own debugger; another one looks at who calls it."""
    is_own = sys.breakpointhook is sys.__breakpointhook__
    return is_own and not os.environ.get('PYTHONBREAKPOINT')
