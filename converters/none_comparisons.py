"""`is None`."""
from __future__ import annotations

import functools

import gast

from autograph_lite.analysis.qualnames import QualName, qualname_of
from autograph_lite.converters.build import negated, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def none_comparisons(tree: Node, context: Context) -> Node:
    """Let the running graph say whether a variable is `None`, where it may depend on a tensor.

    >>> show(none_comparisons, '''
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
