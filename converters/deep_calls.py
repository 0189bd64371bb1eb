"""Calls in calls, very deep."""
from __future__ import annotations

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.own_functions import Parts, Statements, binds
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node, children


def deep_calls(tree: Node, context: Context) -> Node:
    """Cut calls that stand in each other, very deep, into functions.

    A long chain of methods or of `not` has become such calls, and Python reads no more than two
    hundred brackets in each other.

    >>> text = 'def f(x):' + chr(10) + '    return x' + '.next()' * 61
    >>> show(deep_calls, after='calls', text=text, lines=range(2, 3))
        def part():
    >>> show(deep_calls, after='calls', text=text, lines=range(6, 7))
        return ag.call(part().next)
    """
    if context.namespace.widest > 2 * DEEPEST:  # each bracket comes of two characters at least
        Statements(context, _Parts).rewrite(tree)
    return tree


class _Parts(Parts):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depths: dict[Node, int] = {}

    def visit_Call(self, node: Node) -> Node:
        self.generic_visit(node)
        depth = self._depth(node)
        if depth < DEEPEST or binds(node):
            return node
        returned = located(gast.Return(node), front_of(node))
        return self.call('part', [returned], node)

    def _depth(self, node: Node) -> int:
        """How many brackets are in each other."""
        if node not in self._depths:
            inside = [(self._depth(part), part) for part in children(node)]
            function = node.func if isinstance(node, gast.Call) else None
            self._depths[node] = max(
                (depth + (function not in (None, part)) for depth, part in inside), default=0)
        return self._depths[node]


DEEPEST = 60
