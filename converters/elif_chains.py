"""Long chains of `elif`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import assign, constant, load
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import DEEPEST
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def elif_chains(tree: Node, context: Context) -> Node:
    """Cut a long chain of `elif`s into pieces.

    Each `elif` becomes a function in a function, and Python reads no text that is indented more
    than a hundred times. So after every so many the chain ends, with a flag that says whether no
    test held so far, and goes on in an `if` of its own.

    >>> tests = ''.join(f'    elif n == {i}:' + chr(10) + f'        x = {i}' + chr(10)
    ...                 for i in range(1, 20))
    >>> text = 'def f(n, x):' + chr(10) + '    if n == 0:' + chr(10) + '        x = 0' + chr(10)
    >>> show(elif_chains, text + tests + '    return x' + chr(10), lines=range(33, 40))
            x = 15
        else:
            unmatched = True
        if unmatched:
            if n == 16:
                x = 16
            elif n == 17:
    """
    return _Chains(context).rewrite(tree)


class _Chains(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depth = 0

    def visit_If(self, node: Node) -> Node | list[Node]:
        chain = [node]
        while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], gast.If):
            chain.append(chain[-1].orelse[0])
        is_long = len(chain) > DEEPEST
        self._depth += is_long
        for link in chain:
            link.body = self.block(link.body)
        chain[-1].orelse = self.block(chain[-1].orelse)
        self._depth -= is_long
        return self._pieces(chain) if is_long else node

    def _pieces(self, chain: list[Node]) -> list[Node]:
        flag = self._context.helper('unmatched', str(self._depth))
        result: list[Node] = []
        for start in range(0, len(chain), DEEPEST):
            first = chain[start]
            piece = [first]
            if start + DEEPEST < len(chain):
                last = chain[start + DEEPEST - 1]
                piece.insert(0, located(assign(flag, constant(False)), first))
                last.orelse = [located(assign(flag, constant(True)), chain[start + DEEPEST])]
            if start:
                piece = [located(gast.If(load(flag), piece, []), first)]
            result += piece
        return result
