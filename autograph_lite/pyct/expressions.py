"""The text of expressions, by `ast.unparse`, the same on every version of Python.

What is the user's own is printed as the user wrote it. `ast.unparse` prints the name of a variable
as it stands, whatever it is; so a node that is to be printed in a way of our own is replaced by a
variable named like its text, in a node of the same kind where that decides about parentheses.
"""
from __future__ import annotations

import ast
import re
from typing import Any

import gast
from gast.ast3 import GAstToAst3

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.originals import Originals
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import Node

LEFT, PREFIX, NO_PARAMETERS = '\0', '\1', '\2'  # no source text contains these
_SCAFFOLD = re.compile(
    f'{LEFT} \\S+ |(?:lambda |not |[-+~]){PREFIX}:? |(?<=lambda) {NO_PARAMETERS}(?=:)')

# These have no text of their own, or one that depends on where they stand.
_NEVER_WHOLE = (
    gast.Name, gast.Tuple, gast.Starred, gast.Slice, gast.Yield, gast.YieldFrom, gast.Await)


def one_line(expression: Node, source: Source | None = None) -> str:
    """The text of an expression on one line."""
    return deeply(Expressions(Originals(source)).one_line, expression)


class Expressions:
    """Writes expressions, and those parts of statements that consist of expressions."""

    def __init__(self, originals: Originals) -> None:
        self._to_print = _ToPrint(originals)

    def one_line(self, expression: Node) -> str:
        """The text of an expression on one line."""
        return _SCAFFOLD.sub('', ast.unparse(self._to_print.visit(expression)))

    def bare(self, expression: Node) -> str:
        """The same, for places where a tuple needs no parentheses."""
        if isinstance(expression, gast.Tuple) and len(expression.elts) > 1:
            return ', '.join(self.one_line(item) for item in expression.elts)
        return self.one_line(expression)

    def arguments(self, call: Node) -> list[str]:
        """The arguments of a call."""
        return [self.one_line(argument) for argument in call.args] + [
            (f'{keyword.arg}=' if keyword.arg else '**') + self.one_line(keyword.value)
            for keyword in call.keywords]

    def parameters(self, arguments: Node) -> list[str]:
        """The parameters of a `def`, with `/` and `*` where they stand."""
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults: list[Node] = [None] * (len(plain) - len(arguments.defaults))
        defaults += arguments.defaults
        texts = list(map(self._parameter, plain, defaults))
        if arguments.posonlyargs:
            texts.insert(len(arguments.posonlyargs), '/')
        if arguments.vararg is not None:
            texts.append('*' + self._parameter(arguments.vararg))
        elif arguments.kwonlyargs:
            texts.append('*')
        texts += map(self._parameter, arguments.kwonlyargs, arguments.kw_defaults)
        if arguments.kwarg is not None:
            texts.append('**' + self._parameter(arguments.kwarg))
        return texts

    def _parameter(self, name: Node, default: Node = None) -> str:
        annotation = '' if name.annotation is None else f': {self.one_line(name.annotation)}'
        text = str(name.id) + annotation
        if default is None:
            return text
        return f'{text} = {self.one_line(default)}' if annotation else (
            f'{text}={self.one_line(default)}')


class _ToPrint(GAstToAst3):  # type: ignore[misc]  # gast is untyped
    """Converts to `ast` what is then printed."""

    def __init__(self, originals: Originals) -> None:
        self._originals = originals

    def visit(self, node: Node) -> Any:
        if isinstance(node, ast.expr | ast.pattern) and not isinstance(node, _NEVER_WHOLE):
            text = self._originals.text(node)
            if text is not None:
                return _stand_in(node, text)
        return super().visit(node)

    def visit_JoinedStr(self, node: Node) -> Any:
        return gast.gast_to_ast(node)  # quotes inside depend on those outside

    def visit_comprehension(self, node: Node) -> Any:
        new = self.generic_visit(node)
        if isinstance(node.target, gast.Tuple):  # 3.10 to 3.12 would add parentheses
            items = [ast.unparse(item) for item in new.target.elts]
            new.target = _verbatim(', '.join(items) if len(items) > 1 else f'{items[0]},')
        return new

    def visit_Call(self, node: Node) -> Any:
        new = self.generic_visit(node)
        if node.keywords or len(node.args) != 1 or not isinstance(node.args[0], gast.GeneratorExp):
            return new
        function = ast.unparse(ast.Call(new.func, [], [])).removesuffix('()')
        return _verbatim(function + ast.unparse(new.args[0]))  # it brings its parentheses

    def visit_Lambda(self, node: Node) -> Any:
        new = self.generic_visit(node)
        if not ast.unparse(new.args):  # 3.10 and 3.11 would print `lambda : x`
            new.args.args = [ast.arg(NO_PARAMETERS)]
        return new


def _verbatim(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _stand_in(node: Node, text: str) -> ast.expr:
    """A node that gets the parentheses of `node`, but is printed as the text, with a scaffold."""
    left, body = _verbatim(LEFT), _verbatim(text)
    match type(node).__name__:
        case 'BinOp':
            return ast.BinOp(left, node.op, body)
        case 'BoolOp':
            return ast.BoolOp(node.op, [left, body])
        case 'Compare':
            return ast.Compare(left, [ast.Lt()], [body])
        case 'NamedExpr':
            return ast.NamedExpr(left, body)
        case 'UnaryOp':
            return ast.UnaryOp(node.op, _verbatim(f'{PREFIX} {text}'))
        case 'Lambda' | 'IfExp':
            parameter = ast.arg(PREFIX)
            return ast.Lambda(
                ast.arguments([], [parameter], None, [], [], None, []), body)
        case _:
            return body
