"""`global` and `nonlocal`."""
from __future__ import annotations

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter, blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def declarations(tree: Node, context: Context) -> Node:
    """Put `global` and `nonlocal` at the start of their function.

    They hold for the whole function wherever they stand; in a branch that becomes a function they
    would hold for the branch.

    >>> show(declarations, '''
    ... def count(x):
    ...     if x > 0:
    ...         global counter
    ...         counter = counter + 1
    ... ''')
    def count(x):
        global counter
        if x > 0:
            counter = counter + 1
    """
    for function in functions(tree):
        nested = [
            found for statement in function.body for block in blocks(statement)
            for found in _declarations(block)]
        if nested:
            _Removed(nested, context).rewrite(function)
            start = 1 if gast.get_docstring(function) is not None else 0
            function.body[start:start] = nested
    return tree


def _declarations(statements: list[Node]) -> list[Node]:
    found = [each for each in statements if isinstance(each, gast.Global | gast.Nonlocal)]
    for statement in statements:
        for block in blocks(statement):
            found += _declarations(block)
    return found


class _Removed(StatementRewriter):
    def __init__(self, statements: list[Node], context: Context) -> None:
        super().__init__(context)
        self._statements = set(statements)

    def block(self, statements: list[Node]) -> list[Node]:
        kept = [each for each in statements if each not in self._statements]
        return super().block(kept or [located(gast.Pass(), statements[0])])
