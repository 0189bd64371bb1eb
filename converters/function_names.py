"""Names of generated functions in one another."""
from __future__ import annotations

from collections.abc import Mapping

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.tree import Node, walk


def function_names(tree: Node, context: Context) -> Node:
    """Give a generated function another name than those of the functions around it.

    >>> show(function_names, after='loops', text='''
    ... def total(rows):
    ...     s = 0
    ...     for row in rows:
    ...         for x in row:
    ...             s = s + x
    ...     return s
    ... ''')
    def total(rows):
        s = 0
    <BLANKLINE>
        def loop_body(row, s):
    <BLANKLINE>
            def loop_body_1(x, s):
                return s + x
    <BLANKLINE>
            return ag.for_loop(row, loop_body_1, s)
    <BLANKLINE>
        s = ag.for_loop(rows, loop_body, s)
        return s
    """
    return _Names(context).rewrite(tree)


class _Names(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._around: list[str] = []  # what the functions around this place were called

    def block(self, statements: list[Node]) -> list[Node]:
        renamed: dict[str, str] = {}  # functions of the statement that comes next
        for statement in statements:
            if statement not in self._context.helpers:
                _rename(statement, renamed)
                self.visit(statement)
                renamed = {}
                continue
            name = statement.name
            depth = self._around.count(name)
            if depth:
                statement.name = renamed[name] = self._context.helper(name, f'in {depth}')
            self._around.append(name)
            self.visit(statement)
            self._around.pop()
        return statements


def _rename(statement: Node, names: Mapping[str, str]) -> None:
    if names:
        for node in walk(statement):
            if isinstance(node, gast.Name):
                node.id = names.get(node.id, node.id)
