"""The text of expressions, by `ast.unparse`, the same on every version of Python.

`ast.unparse` prints the name of a variable as it stands, whatever it is. So a node that is to be
printed in a way of our own is replaced by a variable that is named like its text.
"""
from __future__ import annotations

import ast
import re

import gast
from gast.ast3 import GAstToAst3

from autograph_lite.pyct.tree import Node

NO_PARAMETERS = '\2'


def one_line(expression: Node) -> str:
    """The text of an expression on one line."""
    text = ast.unparse(_ToPrint().visit(expression))
    return re.sub(f'lambda {NO_PARAMETERS}:', 'lambda:', text)


def bare(expression: Node) -> str:
    """The same, for places where a tuple needs no parentheses."""
    if isinstance(expression, gast.Tuple) and expression.elts:
        items = [one_line(item) for item in expression.elts]
        return ', '.join(items) if len(items) > 1 else items[0] + ','
    return one_line(expression)


class _ToPrint(GAstToAst3):  # type: ignore[misc]  # gast is untyped
    def visit_comprehension(self, node: Node) -> Node:
        new = self.generic_visit(node)
        if isinstance(node.target, gast.Tuple):
            new.target = ast.Name(bare(node.target), ast.Store())  # 3.10 to 3.12 add parentheses
        return new

    def visit_Call(self, node: Node) -> Node:
        new = self.generic_visit(node)
        if len(node.args) == 1 and isinstance(node.args[0], gast.GeneratorExp) and not node.keywords:
            # the generator brings its own parentheses
            function = ast.unparse(ast.Call(new.func, [], [])).removesuffix('()')
            return ast.Name(function + ast.unparse(new.args[0]), ast.Load())
        return new

    def visit_Lambda(self, node: Node) -> Node:
        new = self.generic_visit(node)
        if ast.unparse(new.args) == '':
            new.args.args = [ast.arg(NO_PARAMETERS)]  # 3.10 and 3.11 print `lambda : x`
        return new
