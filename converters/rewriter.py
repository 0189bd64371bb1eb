"""Visiting what runs when a function runs, and building what replaces it."""
from __future__ import annotations

import ast
from collections.abc import Iterator

import gast

from autograph_lite.pyct.tree import Node


class Rewriter(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    """A transformer that leaves alone what is not part of a function's run.

    These are its own defaults, decorators and annotations, which Python has evaluated already, and
    the bodies of classes, whose methods are converted when they are called.
    """

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

    def generic_visit(self, node: Node) -> Node:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self.block(value))
            elif isinstance(value, list):
                value[:] = [
                    self.visit(item) if isinstance(item, ast.AST) else item for item in value]
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_FunctionDef(self, node: Node) -> Node:
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.visit_arguments(node.args)
        node.body = self.block(node.body)
        return node

    def visit_ClassDef(self, node: Node) -> Node:
        return node

    def visit_arguments(self, node: Node) -> Node:
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default and self.visit(default) for default in node.kw_defaults]
        return node

    def visit_AnnAssign(self, node: Node) -> Node:
        node.target = self.visit(node.target)
        node.value = node.value and self.visit(node.value)
        return node


def functions(tree: Node) -> Iterator[Node]:
    """The function and those nested in it, apart from lambdas and methods of nested classes."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.FunctionDef):
            yield node
        if not isinstance(node, gast.ClassDef):
            pending.extend(
                child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))


def blocks(statement: Node) -> Iterator[list[Node]]:
    """The lists of statements directly in a compound statement that is not a definition."""
    if isinstance(statement, gast.FunctionDef | gast.ClassDef):
        return
    for field in ('body', 'orelse', 'finalbody'):
        if field in statement._fields:
            yield getattr(statement, field)
    for part in (*getattr(statement, 'handlers', ()), *getattr(statement, 'cases', ())):
        yield part.body
