"""`else` after a loop."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, constant
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import guarded, own_jumps
from autograph_lite.converters.loop_rewriter import LoopRewriter
from autograph_lite.pyct.origin import front_of, located
from autograph_lite.pyct.tree import Node, walk


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
    _Loops(context).rewrite(tree)
    return tree


class _Loops(LoopRewriter):
    def visit_For(self, node: Node) -> list[Node]:
        with self.inside(bool(node.orelse)):
            node.body = self.block(node.body)
        orelse, node.orelse = self.block(node.orelse), []
        if not orelse:
            return [node]
        breaks = list(own_jumps(node.body, gast.Break))[::-1]
        if not breaks:
            return [node, *orelse]
        flag = self._context.flag('did_break', f'else {self.depth}')
        for block, index in breaks:
            self._context.flag_at[block[index]] = flag
            block.insert(index, located(assign(flag, constant(True)), block[index]))
        for block, index in _undoing(node.body):
            block.insert(index, located(assign(flag, constant(False)), front_of(block[index])))
        start = located(assign(flag, constant(False)), front_of(node))
        return [start, node, *guarded([flag], orelse, self._context.head_of(orelse, node))]

    visit_While = visit_For


def _undoing(body: list[Node]) -> list[tuple[list[Node], int]]:
    """Where a `break` of a loop has come to nothing: the block and the place in it.

    A `continue` in a `finally` ends it, and so does what a `finally` raises, for a handler.
    """
    breaks = {block[index] for block, index in own_jumps(body, gast.Break)}
    tries = [
        node for statement in body for node in walk(statement)
        if isinstance(node, gast.Try | gast.TryStar)
        and any(block[index] in breaks for block, index in own_jumps([node], gast.Break))]
    ending = {
        block[index]
        for node in tries for block, index in own_jumps(node.finalbody, gast.Continue)}
    own = own_jumps(body, gast.Continue) if ending else ()
    handlers = [
        handler.body for node in tries
        if any(inner.finalbody for part in node.body for inner in walk(part) if inner in tries)
        for handler in node.handlers]
    return [
        *[(block, index) for block, index in own if block[index] in ending][::-1],
        *((block, 0) for block in handlers)]
