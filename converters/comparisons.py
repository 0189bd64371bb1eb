"""Chained comparisons."""
from __future__ import annotations

import copy

import gast

from autograph_lite.converters.build import load
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def comparisons(tree: Node, context: Context) -> Node:
    """Write `a < b < c` as the `and` that it is.

    >>> show(comparisons, '''
    ... def inside(x, low, high):
    ...     return low <= x < high
    ... ''')
    def inside(x, low, high):
        return low <= x and x < high

    What stands in the middle is evaluated once.

    >>> show(comparisons, '''
    ... def inside(x):
    ...     return 0 < np.sum(x) < 1
    ... ''')
    def inside(x):
        return 0 < (middle := np.sum(x)) and middle < 1
    """
    return _Comparisons(context).rewrite(tree)


class _Comparisons(Rewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depth = 0

    def visit_Compare(self, node: Node) -> Node:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        if len(node.ops) == 1:
            return node
        return located(self._chain(node.left, node.ops, node.comparators, 0), node)

    def _chain(self, left: Node, ops: list[Node], rest: list[Node], place: int) -> Node:
        if len(ops) == 1:
            return gast.Compare(left, ops, rest)
        middle, again = rest[0], copy.deepcopy(rest[0])
        is_simple = isinstance(middle, gast.Name | gast.Constant)
        if not is_simple:
            name = self._context.namer.fresh('middle')
            middle = gast.NamedExpr(gast.Name(name, gast.Store(), None, None), middle)
            again = load(name)
        first = gast.Compare(left, ops[:1], [middle])
        then = self._chain(again, ops[1:], rest[1:], place + 1)
        # A function sees what was bound before it in the expression, not what another has bound.
        is_flat = isinstance(then, gast.BoolOp) and not _binds(then)
        return gast.BoolOp(gast.And(), [first, *(then.values if is_flat else [then])])

    def visit_comprehension(self, node: Node) -> Node:
        """Python allows no `:=` in what a comprehension goes through."""
        node.ifs = [self.visit(test) for test in node.ifs]
        return node


def _binds(chain: Node) -> bool:
    return any(
        isinstance(part, gast.NamedExpr)
        for value in chain.values if isinstance(value, gast.Compare)
        for part in value.comparators)
