"""`continue`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, constant
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import TailForm, own_jumps
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def continue_statements(tree: Node, context: Context) -> Node:
    """Let each turn of a loop end where its body ends.

    The body becomes a function of its own, which has no loop to continue.

    >>> show(continue_statements, '''
    ... def total(xs):
    ...     s = 0
    ...     for x in xs:
    ...         if x < 0:
    ...             continue
    ...         s += x
    ...     return s
    ... ''')
    def total(xs):
        s = 0
        for x in xs:
            if x < 0:
                pass
            else:
                s += x
        return s
    """
    return _Loops(context).rewrite(tree)


class _Loops(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depth = 0

    def visit_For(self, node: Node) -> Node:
        depth = self._depth
        self._depth += any(own_jumps(node.body, gast.Continue))
        self.generic_visit(node)
        self._depth = depth
        form = _Continues(self._context, depth)
        jumping = [statement for statement in node.body if form.may_jump(statement)]
        if jumping and not form.leaves_finally(jumping):
            node.body = form.lower(node.body, True) or [located(gast.Pass(), node.body[0])]
        return node

    visit_While = visit_For


class _Continues(TailForm):
    """The region is a loop's body. Nothing is left of a `continue` after which nothing follows."""

    kind = gast.Continue

    def __init__(self, context: Context, depth: int) -> None:
        super().__init__()
        self._context = context
        self._depth = str(depth)

    def jump(self, node: Node, last: bool) -> list[Node]:
        if last:
            return []
        flag = self._context.flag('did_continue', self._depth)
        return [located(assign(flag, constant(True)), node)]

    def flags(self, statements: list[Node]) -> list[str]:
        del statements  # a turn is continued once, so one flag is enough
        return [self._context.flag('did_continue', self._depth)]
