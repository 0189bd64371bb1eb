"""Calls of functions that are defined in the function itself."""
from __future__ import annotations

from collections.abc import Mapping

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.names import names_in
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def local_calls(tree: Node, context: Context) -> Node:
    """Let calls of nested functions that call themselves be noticed while tracing.

    Such a function becomes one of the graph. Nobody needs to see this, so `to_code` shows the tree
    before it.

    >>> show(local_calls, '''
    ... def f(x):
    ...     def power(n):
    ...         return x * power(n - 1) if n > 0 else 1.0
    ...     return power(3)
    ... ''')
    def f(x):
        def power(n):
            return x * ag.local_call(power, n - 1) if n > 0 else 1.0
        return ag.local_call(power, 3)
    """
    recursive = _recursive(tree, context)
    if recursive:
        _Calls(recursive, context).rewrite(tree)
    return tree


class _Calls(Rewriter):
    def __init__(self, functions: frozenset[str], context: Context) -> None:
        super().__init__(context)
        self._functions = functions

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        match node.func:
            case gast.Name(id=name) if name in self._functions:
                call = operator(self._context, 'local_call', node.func, *node.args)
                call.keywords = node.keywords
                return located(call, node)
        return node


def _recursive(tree: Node, context: Context) -> frozenset[str]:
    """The nested functions that may come to call themselves."""
    mentioned: dict[str, set[str]] = {}
    for name, part in _nested(tree, context):
        mentioned.setdefault(name, set()).update(names_in(part))
    return frozenset(name for name in mentioned if name in _reached(name, mentioned))


def _nested(tree: Node, context: Context) -> list[tuple[str, Node]]:
    found: list[tuple[str, Node]] = []
    for node in walk(tree):
        match node:
            case gast.FunctionDef(name=name) if node is not tree and node not in context.helpers:
                found += [(name, each) for each in node.body]
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda(body=body)):
                found.append((name, body))
    return [(name, each) for name, each in found if name in context.namespace.functions]


def _reached(start: str, mentioned: Mapping[str, set[str]]) -> set[str]:
    """The nested functions that a function mentions, and those that they mention."""
    waiting, seen = [start], set[str]()
    while waiting:
        new = mentioned[waiting.pop()] & mentioned.keys() - seen
        seen |= new
        waiting += sorted(new)
    return seen
