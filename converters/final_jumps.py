"""`return`, `break` and `continue` in `finally`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, load, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS
from autograph_lite.converters.rewriter import Rewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def final_jumps(tree: Node, context: Context) -> Node:
    """Let no jump out of a `finally` end a refusal, while tracing, as it ends other exceptions.

    Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(final_jumps, '''
    ... def doubled(x):
    ...     try:
    ...         x = 2 * x
    ...     finally:
    ...         return x
    ... ''')
    def doubled(x):
        error = ag.error_in_flight()
        try:
            x = 2 * x
        finally:
            ag.refused_since(error)
            return x
    """
    return _Finals(context).rewrite(tree)


class _Finals(Rewriter):
    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        if not _jumps(node.finalbody, gast.Return | gast.Break | gast.Continue):
            return node
        name = self._context.helper('error')
        before = located(assign(name, operator(self._context, 'error_in_flight')), node)
        refuse = gast.Expr(operator(self._context, 'refused_since', load(name)))
        node.finalbody.insert(0, located(refuse, node.finalbody[0]))
        return [before, node]

    visit_TryStar = visit_Try


def _jumps(statements: list[Node], kinds: type) -> bool:
    """Whether there is a jump out of the statements."""
    return any(
        isinstance(statement, kinds)
        or any(
            _jumps(block, gast.Return if isinstance(statement, LOOPS) else kinds)
            for block in blocks(statement))
        for statement in statements)
