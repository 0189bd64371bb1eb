"""`with` and `try` that run while a function is traced."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, load, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import LOOPS
from autograph_lite.converters.rewriter import Rewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def traced_statements(tree: Node, context: Context) -> Node:
    """Let a `with` and a `try` that stay Python notice what is staged in them, while tracing.

    `np.errstate` is to hold when the graph runs; every other context manager is entered and left
    while tracing. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(traced_statements, '''
    ... def f(x):
    ...     with np.errstate(divide='ignore'):
    ...         return 1 / x
    ... ''')
    def f(x):
        with ag.context(np.errstate(divide='ignore')):
            return 1 / x

    Handlers run while a function is traced. What its operations raise when the graph runs would
    pass them by, so what is staged there is refused.

    >>> show(traced_statements, '''
    ... def parse(text):
    ...     try:
    ...         return float(text)
    ...     except ValueError:
    ...         return 0.0
    ... ''')
    def parse(text):
        with ag.excepting() as excepting:
            try:
                with excepting.block():
                    return float(text)
            except ValueError:
                return 0.0

    A jump out of a `finally` ends an exception, but must not end a refusal.

    >>> show(traced_statements, '''
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
    return _Statements(context).rewrite(tree)


class _Statements(Rewriter):
    def visit_With(self, node: Node) -> Node:
        self.generic_visit(node)
        for item in node.items:
            manager = operator(self._context, 'context', item.context_expr)
            item.context_expr = located(manager, item.context_expr)
        return node

    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        before = self._guard_refusals(node) if _jumps(
            node.finalbody, gast.Return | gast.Break | gast.Continue) else []
        return [*before, self._excepting(node) if node.handlers else node]

    visit_TryStar = visit_Try

    def _excepting(self, node: Node) -> Node:
        name = self._context.helper('excepting')
        watched = gast.Call(gast.Attribute(load(name), 'block', gast.Load()), [], [])
        node.body = [located(gast.With([gast.withitem(watched, None)], node.body, None), node)]
        target = gast.Name(name, gast.Store(), None, None)
        around = gast.withitem(operator(self._context, 'excepting'), target)
        return located(gast.With([around], [node], None), node)

    def _guard_refusals(self, node: Node) -> list[Node]:
        name = self._context.helper('error')
        before = located(assign(name, operator(self._context, 'error_in_flight')), node)
        refuse = gast.Expr(operator(self._context, 'refused_since', load(name)))
        node.finalbody.insert(0, located(refuse, node.finalbody[0]))
        return [before]


def _jumps(statements: list[Node], kinds: type) -> bool:
    """Whether there is a jump out of the statements."""
    return any(
        isinstance(statement, kinds)
        or any(
            _jumps(block, gast.Return if isinstance(statement, LOOPS) else kinds)
            for block in blocks(statement))
        for statement in statements)
