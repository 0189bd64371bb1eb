"""Visiting what runs when a function runs, and building what replaces it."""
from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node, children, fields


class Rewriter:
    """Replaces nodes: `visit_If`, `visit_Call`, ... return what stands in the place of a node.

    For a statement that may be a list of statements. What is no part of a function's run is left
    alone: its own defaults, decorators and annotations, which Python has evaluated already, and the
    bodies of classes, whose methods are converted when they are called.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def rewrite(self, function: Node) -> Node:
        """Rewrite the body of the function that is converted."""
        if isinstance(function, gast.Lambda):
            function.body = self.visit(function.body)
        else:
            function.body = self.block(function.body)
        return function

    def block(self, statements: list[Node]) -> list[Node]:
        """Rewrite statements, each of which may become several."""
        result: list[Node] = []
        for statement in statements:
            new = self.visit(statement)
            if isinstance(new, list):
                result.extend(new)
            else:
                result.append(new)
        return result

    def visit(self, node: Node) -> Node:
        """What stands in the place of a node."""
        rewriter: Any
        kind: Any
        rewriter, kind = type(self), type(node)
        method = _method(rewriter, kind)
        return self.generic_visit(node) if method is None else method(self, node)

    def generic_visit(self, node: Node) -> Node:
        """The node itself, with what stands in the place of its parts."""
        kind: Any = type(node)
        for field in _fields(kind):
            value = getattr(node, field)
            if isinstance(value, list):
                if value and isinstance(value[0], ast.stmt):
                    value[:] = self.block(value)
                else:
                    value[:] = [
                        self.visit(each) if isinstance(each, ast.AST) else each for each in value
                    ]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_FunctionDef(self, node: Node) -> Node:
        """A nested function, without its annotations."""
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.visit_arguments(node.args)
        node.body = self.block(node.body)
        return node

    def visit_ClassDef(self, node: Node) -> Node:
        """A nested class: nothing of it."""
        return node

    def visit_arguments(self, node: Node) -> Node:
        """The defaults of a nested function."""
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default and self.visit(default) for default in node.kw_defaults]
        return node


class StatementRewriter(Rewriter):
    """Replaces statements only, and does not look into expressions."""

    def rewrite(self, function: Node) -> Node:
        return function if isinstance(function, gast.Lambda) else super().rewrite(function)

    def generic_visit(self, node: Node) -> Node:
        for block in blocks(node):
            if block:
                block[:] = self.block(block)
        return node

    def visit_FunctionDef(self, node: Node) -> Node:
        node.body = self.block(node.body)
        return node


@functools.cache
def _method(rewriter: Any, kind: Any) -> Any:
    """The method of a kind of rewriter for a kind of node, if it has one."""
    return getattr(rewriter, f'visit_{kind.__name__}', None)


@functools.cache
def _fields(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of node in which there are nodes to rewrite."""
    return tuple(field for field in fields(kind) if field not in ('annotation', 'names'))


def functions(tree: Node) -> Iterator[Node]:
    """The function and those nested in it, apart from lambdas and methods of nested classes."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.FunctionDef):
            yield node
        if not isinstance(node, gast.ClassDef):
            pending.extend(
                child for child in children(node) if not isinstance(child, ast.expr))


def blocks(statement: Node) -> Iterator[list[Node]]:
    """The lists of statements directly in a compound statement that is not a definition."""
    if isinstance(statement, gast.FunctionDef | gast.ClassDef):
        return
    for field in ('body', 'orelse', 'finalbody'):
        if field in statement._fields:
            yield getattr(statement, field)
    for part in (*getattr(statement, 'handlers', ()), *getattr(statement, 'cases', ())):
        yield part.body
