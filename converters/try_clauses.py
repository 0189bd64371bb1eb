"""`else` and `finally` of a `try` with handlers."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, constant, load
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.scoped_names import without_bare_super
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def try_clauses(tree: Node, context: Context) -> Node:
    """Leave a `try` with handlers nothing but these, for a graph to take over.

    Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(try_clauses, after='fence', text='''
    ... def root(x, scale):
    ...     try:
    ...         y = invert(x)
    ...     except ValueError:
    ...         y = 0
    ...     else:
    ...         y = y * scale
    ...     finally:
    ...         close(x)
    ...     return y
    ... ''')
    def root(x, scale):
        try:
            succeeded = False
            try:
                y = invert(x)
                succeeded = True
            except ValueError:
                y = 0
            if succeeded:
                y = y * scale
        finally:
            close(x)
        return y
    """
    return _Tries(context).rewrite(tree)


class _Tries(StatementRewriter):
    def block(self, statements: list[Node]) -> list[Node]:
        """What follows a `try` whose handlers all leave is what follows where nothing is raised."""
        for i, statement in enumerate(statements):
            if isinstance(statement, gast.Try) and statements[i + 1:] and _only_succeeds(statement):
                statement.orelse = [*statement.orelse, *statements[i + 1:]]
                del statements[i + 1:]
                break
        return super().block(statements)

    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        if not node.handlers:
            return node
        self._context.tries.add(without_bare_super(node, self._context))
        self._context.leaving.update(filter(_leaves, node.handlers))
        statements = self._without_else(node)
        if not node.finalbody:
            return statements
        final, node.finalbody = node.finalbody, []
        return located(gast.Try(statements, [], [], final), node)

    def _without_else(self, node: Node) -> list[Node]:
        if not node.orelse:
            return [node]
        flag = self._context.helper('succeeded', f'{node.lineno}')
        orelse, node.orelse = node.orelse, []
        self._context.else_binds[node] = {
            target.id for statement in orelse if isinstance(statement, gast.Assign)
            for target in statement.targets if isinstance(target, gast.Name)}
        node.body.append(located(assign(flag, constant(True)), node))
        return [
            located(assign(flag, constant(False)), node),
            node,
            located(gast.If(load(flag), orelse, []), node),
        ]


def _only_succeeds(node: Node) -> bool:
    """Whether a `try` is left downwards only where its block raises nothing."""
    return bool(node.handlers) and not node.finalbody and all(map(_leaves, node.handlers))


def _leaves(handler: Node) -> bool:
    return isinstance(handler.body[-1], _LEAVING)


_LEAVING = gast.Return | gast.Raise | gast.Break | gast.Continue
