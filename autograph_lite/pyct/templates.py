"""Code templates: real functions whose parameters are the holes."""
from __future__ import annotations

import ast
import copy
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gast

from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.tree import Node, without_positions

Hole = Any  # a name, an expression, or a sequence of names and expressions or of statements


def fill(template: Callable[..., Any], **holes: Hole) -> list[Node]:
    """The statements of a template with its holes filled; they carry no positions of their own.

    A hole may be filled with

    * a `str`: a name; wherever the hole stands as a variable, a parameter, or the name of a `def`;
    * an expression: wherever the hole is read or assigned to;
    * a sequence of names or expressions: `*hole` in a call, a tuple or a parameter list is
      replaced by its items; the hole itself stands for all of them as Python would return them:
      one is itself, several are a tuple, none is `None`;
    * a list of statements: the hole standing alone as a statement is replaced by them.

    A hole that is not filled, and a value for a hole that does not exist, is a `TypeError`.
    """
    tree = _parsed(template)
    names = [
        argument.id
        for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)]
    missing = [name for name in names if name not in holes]
    unknown = [name for name in holes if name not in names]
    if missing or unknown:
        problems = [f'no value for {name!r}' for name in missing]
        problems += [f'no hole {name!r}' for name in unknown]
        raise TypeError(f'template {tree.name}: ' + ', '.join(problems))
    body = copy.deepcopy(tree.body)
    if gast.get_docstring(tree) is not None:
        del body[0]
    return _Filler(holes).statements(body)


@functools.cache
def _parsed(template: Callable[..., Any]) -> Node:
    return without_positions(parse_function(template).node)


class _Filler(gast.NodeTransformer):  # type: ignore[misc]  # gast is untyped
    def __init__(self, holes: Mapping[str, Hole]) -> None:
        self._holes = holes

    def statements(self, body: Sequence[Node]) -> list[Node]:
        result: list[Node] = []
        for statement in body:
            hole = self._hole(statement.value) if isinstance(statement, gast.Expr) else None
            if isinstance(hole, Sequence) and all(isinstance(item, ast.stmt) for item in hole):
                result.extend(hole)
            else:
                result.append(self.visit(statement))
        return result

    def _hole(self, node: Node) -> Hole:
        return self._holes.get(node.id) if isinstance(node, gast.Name) else None

    def generic_visit(self, node: Node) -> Node:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self.statements(value))
            elif isinstance(value, list):
                setattr(node, field, [new for item in value for new in self._items(item)])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def _items(self, item: Node) -> list[Node]:
        if isinstance(item, gast.Starred) and self._is_sequence(hole := self._hole(item.value)):
            return [_expression(part, item.ctx) for part in hole]
        return [self.visit(item)] if isinstance(item, ast.AST) else [item]

    @staticmethod
    def _is_sequence(hole: Hole) -> bool:
        return isinstance(hole, Sequence) and not isinstance(hole, str)

    def visit_Name(self, node: Node) -> Node:
        if node.id not in self._holes:
            return node
        hole = self._holes[node.id]
        if not self._is_sequence(hole):
            return _expression(hole, node.ctx)
        items = [_expression(item, node.ctx) for item in hole]
        if len(items) == 1:
            return items[0]
        return gast.Tuple(items, node.ctx) if items else gast.Constant(None, None)

    def visit_FunctionDef(self, node: Node) -> Node:
        name = self._holes.get(node.name, node.name)
        node.name = getattr(name, 'id', name)
        return self.generic_visit(node)

    def visit_arguments(self, node: Node) -> Node:
        if node.vararg is not None and self._is_sequence(hole := self._hole(node.vararg)):
            node.vararg = None
            node.args = node.args + [_expression(item, gast.Param()) for item in hole]
        return self.generic_visit(node)


def _expression(value: Hole, context: Node) -> Node:
    """A name or an expression as it stands where it is read, assigned to, or a parameter."""
    if isinstance(value, str):
        return gast.Name(value, context, None, None)
    value = copy.deepcopy(value)
    if isinstance(context, gast.Load):
        return value
    if hasattr(value, 'ctx'):
        value.ctx = context
    for item in getattr(value, 'elts', ()):
        item.ctx = context
    return value
