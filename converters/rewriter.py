"""Visiting what runs when a function runs, and building what replaces it."""
from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import gast

from autograph_lite.pyct.tree import Node, children, fields

if TYPE_CHECKING:
    from autograph_lite.converters.context import Context


class Rewriter:
    """Replaces nodes: `visit_If`, `visit_Call`, ... return what stands in the place of a node.

    For a statement that may be a list of statements. What is no part of a function's run is left
    alone: its own defaults, decorators and annotations, which Python has evaluated already, and the
    bodies of classes, whose methods are converted when they are called. So is what is to run as it
    is.
    """

    _methods: ClassVar[dict[type, Callable[[Any, Node], Node]]]  # for kinds of nodes seen so far

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
        known = self._methods.get
        for statement in statements:
            kind: Any = type(statement)
            method = known(kind) or self._method(kind)
            new = statement if method is _unchanged else method(self, statement)
            if new.__class__ is list:
                result += new
            else:
                result.append(new)
        return result

    def visit(self, node: Node) -> Node:
        """What stands in the place of a node."""
        kind: Any = type(node)
        return (self._methods.get(kind) or self._method(kind))(self, node)

    def generic_visit(self, node: Node) -> Node:
        """The node itself, with what stands in the place of its parts."""
        kind: Any = type(node)
        known = self._methods.get
        parts = node.__dict__
        for field in _fields(kind):
            value = parts[field]
            kind = type(value)
            if kind is not list:
                method = known(kind) or self._method(kind)
                if method is not _unchanged:
                    parts[field] = method(self, value)
            elif value:
                if isinstance(value[0], ast.stmt):
                    value[:] = self.block(value)
                else:
                    self._each(value)
        return node

    def _each(self, nodes: list[Node]) -> None:
        """Rewrite the nodes of a list, each of which stays one; some may be missing."""
        known = self._methods.get
        for index, node in enumerate(nodes):
            kind: Any = type(node)
            method = known(kind) or self._method(kind)
            if method is not _unchanged:
                nodes[index] = method(self, node)

    def __init_subclass__(cls) -> None:
        cls._methods = {}

    @classmethod
    def _method(cls, kind: Any) -> Callable[[Any, Node], Node]:
        """The method for a kind of node; one with no parts may just as well be left alone.

        So may what stands in the place of a node that there is none of.
        """
        is_node = issubclass(kind, ast.AST)
        generic = cls.generic_visit if is_node and cls._parts(kind) else _unchanged
        method: Callable[[Any, Node], Node] = getattr(cls, f'visit_{kind.__name__}', generic)
        if kind in (gast.Call, gast.FunctionDef):
            method = _unless_kept(kind, method)
        cls._methods[kind] = method
        return method

    @classmethod
    def _parts(cls, kind: Any) -> tuple[str, ...]:
        """The fields of a kind of node in which there may be something to replace."""
        return _fields(kind)

    def visit_FunctionDef(self, node: Node) -> Node:
        """A nested function, without its annotations."""
        if node.decorator_list:
            self._each(node.decorator_list)
        if node.args.defaults or node.args.kw_defaults:
            self.visit_arguments(node.args)
        node.body = self.block(node.body)
        return node

    def visit_match_case(self, node: Node) -> Node:
        """A case without its pattern, in which Python allows nothing but names and constants."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        node.body = self.block(node.body)
        return node

    def visit_ClassDef(self, node: Node) -> Node:
        """A nested class: nothing of it."""
        return node

    def class_body(self, node: Node) -> Node:
        """What runs with the body of a nested class: all but the bodies of its methods."""
        node.body = [each for statement in node.body for each in self._in_class(statement)]
        return node

    def _in_class(self, statement: Node) -> list[Node]:
        if not isinstance(statement, gast.FunctionDef):
            return self.block([statement])
        self._each(statement.decorator_list)
        self.visit_arguments(statement.args)
        return [statement]

    def visit_arguments(self, node: Node) -> Node:
        """The defaults of a nested function."""
        self._each(node.defaults)
        self._each(node.kw_defaults)
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

    @classmethod
    def _parts(cls, kind: Any) -> tuple[str, ...]:
        return _blocks(kind)


def _unchanged(rewriter: Rewriter, node: Node) -> Node:
    return node


def _unless_kept(kind: Any, method: Callable[[Any, Node], Node]) -> Callable[[Any, Node], Node]:
    """The method, for a kind of nodes of which some mark what runs as it is."""
    if kind is gast.Call:
        return lambda rewriter, node: node if _keeps(node.func) else method(rewriter, node)
    return lambda rewriter, node: node if node.decorator_list and is_kept(node) else (
        method(rewriter, node))


def is_kept(node: Node) -> bool:
    """Whether a nested function or a call marks a function as one that runs as it is."""
    kind: Any = type(node)
    if kind is gast.Call:
        return _keeps(node.func)
    return kind is gast.FunctionDef and any(map(_keeps, node.decorator_list))


def _keeps(decorator: Node) -> bool:
    known = decorator.__dict__
    return bool(known.get('attr', known.get('id')) == 'do_not_convert')


def walk_converted(function: Node) -> Iterator[Node]:
    """A function and all nodes in it, in order, but those of nested functions left as they are."""
    pending = [function]
    while pending:
        node = pending.pop()
        yield node
        pending += [child for child in reversed(children(node)) if not is_kept(child)]


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
        pending += [
            child for child in children(node) if type(child) in _HOLDING and not is_kept(child)]


def blocks(statement: Node) -> Sequence[list[Node]]:
    """The lists of statements directly in a compound statement that is not a definition."""
    kind: Any = type(statement)
    fields = _blocks(kind)
    if not fields:
        return ()
    found: list[list[Node]] = []
    parts = statement.__dict__
    for field in fields:
        value = parts[field]
        if field in _OF_CLAUSES:
            found += [clause.body for clause in value]
        else:
            found.append(value)
    return found


@functools.cache
def _blocks(kind: Any) -> tuple[str, ...]:
    """The fields of a kind of statement that are blocks, or clauses with blocks."""
    if issubclass(kind, gast.FunctionDef | gast.ClassDef):
        return ()
    return tuple(field for field in (*_BLOCKS, *_OF_CLAUSES) if field in kind._fields)


_BLOCKS = 'body', 'orelse', 'finalbody'
_OF_CLAUSES = 'handlers', 'cases'
# Statements and clauses in which statements of the same function stand.
_HOLDING = frozenset(
    kind for kind in vars(gast).values()
    if isinstance(kind, type) and issubclass(kind, ast.stmt | gast.ExceptHandler | gast.match_case)
    and kind is not gast.ClassDef and not {*_BLOCKS, *_OF_CLAUSES}.isdisjoint(kind._fields))
