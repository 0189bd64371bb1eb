"""`try`."""
from __future__ import annotations

from collections.abc import Iterator

import gast

from autograph_lite.converters.build import assign, constant, load, operator, store
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_JUMPS = gast.Return | gast.Break | gast.Continue


def try_statements(tree: Node, context: Context) -> Node:
    """Notice, while tracing, what is staged under an `except`, and refuse it.

    The handlers of a graph's function run while it is traced; what its operations raise when the
    graph runs would pass them by. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(try_statements, '''
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

    A `finally` runs also where a trace is given up, perhaps to begin anew: what it then finds may
    be of the trace that is no more.

    >>> show(try_statements, '''
    ... def stop(x, clock):
    ...     try:
    ...         return np.sin(x)
    ...     finally:
    ...         clock.stop(x)
    ... ''')
    def stop(x, clock):
        finishing = ag.finishing()
        try:
            return np.sin(x)
        finally:
            with finishing:
                clock.stop(x)
    """
    _Tries(context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        start: list[Node] = []
        if node.finalbody and not any(isinstance(part, _JUMPS) for part in _parts(node.finalbody)):
            name = self._context.helper('finishing', f'{node.lineno} {node.col_offset}')
            around = gast.withitem(load(name), None)
            node.finalbody = [located(gast.With([around], node.finalbody, None), node)]
            is_done = [constant(True)] if node in self._context.returned_first else []
            made = operator(self._context, 'finishing', *is_done)
            start = [located(assign(name, made), node)]
        if not node.handlers:
            return [*start, node]
        name = self._context.helper('excepting')
        watched = gast.Call(gast.Attribute(load(name), 'block', gast.Load()), [], [])
        node.body = [located(gast.With([gast.withitem(watched, None)], node.body, None), node)]
        target = store(name)
        around = gast.withitem(operator(self._context, 'excepting'), target)
        return [*start, located(gast.With([around], [node], None), node)]

    visit_TryStar = visit_Try


def _parts(block: list[Node]) -> Iterator[Node]:
    """What is in the block itself: a function that is defined there returns for itself."""
    for statement in block:
        yield statement
        if not isinstance(statement, gast.FunctionDef):
            for inner in blocks(statement):
                yield from _parts(inner)
