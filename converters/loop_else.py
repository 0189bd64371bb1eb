"""`else` after a loop."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, constant
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import guarded, own_jumps
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def loop_else(tree: Node, context: Context) -> Node:
    """Put the `else` of a loop after the loop.

    It runs unless the loop was left by `break`, which a flag tells.

    >>> show(loop_else, '''
    ... def is_prime(n):
    ...     for d in range(2, n):
    ...         if n % d == 0:
    ...             answer = False
    ...             break
    ...     else:
    ...         answer = True
    ...     return answer
    ... ''')
    def is_prime(n):
        did_break = False
        for d in range(2, n):
            if n % d == 0:
                answer = False
                did_break = True
                break
        if not did_break:
            answer = True
        return answer
    """
    return _Loops(context).rewrite(tree)


class _Loops(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depth = 0

    def visit_For(self, node: Node) -> list[Node]:
        depth = self._depth
        self._depth += bool(node.orelse)
        node.body = self.block(node.body)
        self._depth = depth
        orelse, node.orelse = self.block(node.orelse), []
        if not orelse:
            return [node]
        breaks = list(own_jumps(node.body, gast.Break))[::-1]
        if not breaks:
            return [node, *orelse]
        flag = self._context.flag('did_break', f'else {depth}')
        for block, index in breaks:
            self._context.flag_at[block[index]] = flag
            block.insert(index, located(assign(flag, constant(True)), block[index]))
        start = located(assign(flag, constant(False)), node)
        return [start, node, *guarded([flag], orelse, orelse[0])]

    visit_While = visit_For
