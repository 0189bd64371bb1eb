"""`finally` that ends what was raised by a jump."""
from __future__ import annotations

import copy

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import falls, jumps_out_of
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def swallowing_finals(tree: Node, context: Context) -> Node:
    """Let a jump out of a `finally` end also what the running graph raises.

    Handlers are what a graph takes over. Nobody needs to see this, so `to_code` shows the tree
    without it.

    >>> show(swallowing_finals, '''
    ... def root(x):
    ...     try:
    ...         y = invert(x)
    ...     finally:
    ...         return x
    ... ''')
    def root(x):
        try:
            y = invert(x)
        except:
            pass
        return x
    """
    _Tries(context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def visit_Try(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        final = node.finalbody
        if not jumps_out_of(final):
            return node
        block = node.body
        if node.handlers:
            block = [gast.Try(node.body, node.handlers, node.orelse, [])]
        if not falls(final):
            block = _to_its_end(block)
        if jumps_out_of(block):
            return node
        handler = located(gast.ExceptHandler(None, None, _handling(final)), node)
        ended = located(gast.Try(located(block, node), [handler], [], []), node)
        self._context.finals[ended] = 'jumps'
        return [ended, *final]


def _to_its_end(block: list[Node]) -> list[Node]:
    """A block without jumps, where another one follows it in any case."""
    for i, statement in enumerate(block):
        match statement:
            case gast.Return(value=gast.expr() as value):
                return [*block[:i], located(gast.Expr(value), statement)]
            case gast.Return() | gast.Break() | gast.Continue():
                return [*block[:i], located(gast.Pass(), statement)]
            case gast.If(test=test, body=body, orelse=orelse) if not falls(body):
                rest = _to_its_end(orelse + block[i + 1:])
                return [*block[:i], located(gast.If(test, _to_its_end(body), rest), statement)]
    return block


def _handling(final: list[Node]) -> list[Node]:
    """What is done where something was raised, before what is done in any case."""
    if falls(final):
        return [*copy.deepcopy(final), gast.Raise(None, None)]
    if any(isinstance(part, gast.Raise) for statement in final for part in walk(statement)):
        return copy.deepcopy(final)
    return [gast.Pass()]
