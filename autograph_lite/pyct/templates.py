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
        self._used: set[int] = set()

    def statements(self, body: Sequence[Node]) -> list[Node]:
        """The statements of a block, those that are holes replaced."""
        result: list[Node] = []
        for statement in body:
            is_name = isinstance(statement, gast.Expr)
            hole: Hole = self._hole(statement.value) if is_name else None
            if _is_sequence(hole) and all(isinstance(item, ast.stmt) for item in hole):
                result.extend(map(self._once, hole))
            else:
                result.append(self.visit(statement))
        return result

    def generic_visit(self, node: Node) -> Node:
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, self.statements(value))
            elif isinstance(value, list):
                setattr(node, field, [new for item in value for new in self._items(item)])
            elif isinstance(value, ast.AST):
                setattr(node, field, self.visit(value))
        return node

    def visit_Name(self, node: Node) -> Node:
        if node.id not in self._holes:
            return self.generic_visit(node)
        hole = self._holes[node.id]
        if not _is_sequence(hole):
            return self._expression(hole, node.ctx)
        items = [self._expression(item, node.ctx) for item in hole]
        if len(items) == 1:
            return items[0]
        return gast.Tuple(items, node.ctx) if items else gast.Constant(None, None)

    def visit_FunctionDef(self, node: Node) -> Node:
        name = self._holes.get(node.name, node.name)
        node.name = getattr(name, 'id', name)
        return self.generic_visit(node)

    def visit_arguments(self, node: Node) -> Node:
        if node.vararg is not None and _is_sequence(hole := self._hole(node.vararg)):
            node.vararg = None
            node.args = [*node.args, *(self._expression(item, gast.Param()) for item in hole)]
        return self.generic_visit(node)

    def _items(self, item: Node) -> list[Node]:
        if isinstance(item, gast.Starred) and _is_sequence(hole := self._hole(item.value)):
            return [self._expression(part, item.ctx) for part in hole]
        return [self.visit(item)] if isinstance(item, ast.AST) else [item]

    def _hole(self, node: Node) -> Hole:
        return self._holes.get(node.id) if isinstance(node, gast.Name) else None

    def _expression(self, value: Hole, context: Node) -> Node:
        """A name or an expression as it stands where it is read, assigned to, or a parameter."""
        if isinstance(value, str):
            return gast.Name(value, context, None, None)
        if isinstance(context, gast.Load):
            return self._once(value)
        value = copy.deepcopy(value)
        for target in (value, *getattr(value, 'elts', ())):
            target.ctx = context
        return value

    def _once(self, node: Node) -> Node:
        """The node itself, that what is known about it stays known; in a second place, a copy."""
        if id(node) in self._used:
            return copy.deepcopy(node)
        self._used.add(id(node))
        return node


def _is_sequence(hole: Hole) -> bool:
    return isinstance(hole, Sequence) and not isinstance(hole, str)
