"""Chained comparisons, and `is None`."""
from __future__ import annotations

import copy
import functools

import gast

from autograph_lite.analysis.qualnames import QualName, qualname_of
from autograph_lite.converters.build import load, negated, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


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

    Whether a variable is `None` may depend on a tensor; then the running graph says it.

    >>> show(comparisons, '''
    ... def largest(xs, start=None):
    ...     best = start if start is not None else None
    ...     for x in xs:
    ...         if best is None or x > best:
    ...             best = x
    ...     return best
    ... ''')
    def largest(xs, start=None):
        best = start if start is not None else None
        for x in xs:
            if ag.is_none(best) or x > best:
                best = x
        return best
    """
    return _Comparisons(tree, context).rewrite(tree)


class _Comparisons(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._tree = tree

    def visit_If(self, node: Node) -> Node:
        plan = self._context.plan
        if plan is None or node.test not in plan.plain:
            node.test = self.visit(node.test)
        node.body = self.block(node.body)
        node.orelse = self.block(node.orelse)
        return node

    def visit_Compare(self, node: Node) -> Node:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return self._is_none(node)
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

    def _is_none(self, node: Node) -> Node:
        match node:
            case gast.Compare(
                left=value,
                ops=[gast.Is() | gast.IsNot() as operation],
                comparators=[gast.Constant(value=None)],
            ) if self._may_be_staged(qualname_of(value)):
                test = operator(self._context, 'is_none', value)
                return located(
                    test if isinstance(operation, gast.Is) else negated(test), node)
        return node

    @functools.cached_property
    def _bound(self) -> set[QualName | None]:
        return {
            qualname_of(node) for node in walk(self._tree)
            if isinstance(getattr(node, 'ctx', None), gast.Store)}

    def _may_be_staged(self, name: QualName | None) -> bool:
        return name is None or not self._bound.isdisjoint((*name.parents, name))


def _binds(chain: Node) -> bool:
    return any(
        isinstance(part, gast.NamedExpr)
        for value in chain.values if isinstance(value, gast.Compare)
        for part in value.comparators)
