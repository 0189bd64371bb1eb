"""Parameters whose values variables have taken over."""
from __future__ import annotations

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def taken_parameters(tree: Node, context: Context) -> Node:
    """Let a generated function forget what it was given under a name of its own.

    Whether something has several names is a matter of the user's names alone. Nobody needs to see
    this, so `to_code` shows the tree without it.

    >>> show(taken_parameters, after='if_statements', text='''
    ... def count(d, c):
    ...     def add():
    ...         d['n'] = 1
    ...     if c:
    ...         d = {}
    ...         add()
    ...     return d
    ... ''')
    def count(d, c):
        def add():
            d['n'] = 1
    <BLANKLINE>
        def if_true(d_1):
            nonlocal d
            d = d_1
            del d_1
            d = {}
            add()
            return d
    <BLANKLINE>
        d = ag.cond(c, if_true, ag.unchanged, d)
        return d
    """
    _Functions(context).rewrite(tree)
    return tree


class _Functions(StatementRewriter):
    def visit_FunctionDef(self, node: Node) -> Node:
        node.body = self.block(node.body)
        if node not in self._context.helpers:
            return node
        own = {parameter.id for parameter in node.args.args}
        result: list[Node] = []
        for statement in node.body:
            result.append(statement)
            match statement:
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Name(id=taken)):
                    if taken in own and name not in own and taken not in self._mentioned:
                        forget = gast.Delete([gast.Name(taken, gast.Del(), None, None)])
                        result.append(located(forget, statement))
        node.body = result
        return node

    @property
    def _mentioned(self) -> frozenset[str]:
        """The names in the user's own text."""
        return self._context.namespace.mentioned
