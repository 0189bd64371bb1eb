"""Calls that look at what they are given while a function is traced."""
from __future__ import annotations

from collections.abc import Mapping

import gast
import numpy as np

from autograph_lite.converters.callees import DRAWS, Callee, callee, is_numpy_function, meaning
from autograph_lite.converters.calls import through_call
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.names import names_in
from autograph_lite.pyct.tree import Node, walk


def traced_calls(tree: Node, context: Context) -> Node:
    """Let calls that `to_code` shows as they are look at their arguments first, while tracing.

    `np.sum([a, b])` gives a list to NumPy, which would ask each tensor in it for its value; a draw
    from a generator is to be made when the graph runs; `x.sum()` most likely is a method of an
    array, but the user's classes may have one of this name, too.

    >>> show(traced_calls, '''
    ... def noisy(a, b, rng):
    ...     return np.sum([a, b]) + rng.normal() + a.sum()
    ... ''')
    def noisy(a, b, rng):
        return ag.call(np.sum, [a, b]) + ag.call(rng.normal) + ag.call(a.sum)

    A nested function that calls itself becomes one of the graph.

    >>> show(traced_calls, '''
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
    return _Calls(tree, context).rewrite(tree)


class _Calls(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._recursive = _recursive(tree, context)

    def visit_Call(self, node: Node) -> Node:
        kind, name = callee(node.func, self._context)
        looks = (
            kind is Callee.METHOD or self._is_numpy(node.func, kind) or self._may_draw(node.func)
            or meaning(node.func, self._context) is list)
        self.generic_visit(node)
        if kind is Callee.LOCAL and name in self._recursive:
            return through_call(node, self._context, 'local_call')
        return through_call(node, self._context) if looks else node

    def _is_numpy(self, function: Node, kind: Callee) -> bool:
        if isinstance(function, gast.Attribute):  # a method of a ufunc
            owner = meaning(function.value, self._context)
            if isinstance(owner, np.ufunc):
                return True
        return kind is Callee.LIBRARY and is_numpy_function(meaning(function, self._context))

    def _may_draw(self, function: Node) -> bool:
        if not isinstance(function, gast.Attribute) or function.attr not in DRAWS:
            return False
        return meaning(function, self._context) is MISSING  # it is a method of an object


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
