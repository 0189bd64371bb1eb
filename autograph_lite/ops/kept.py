"""Cells: what a `try` block has made of a variable, for the handlers that need to know.

    cell                        a new cell
    keep      (cell, value)     the value is in the cell from now on
    kept      (cell)            what was kept last
"""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Attrs, Node, Op, declared_type
from ..graph.types import ObjectType, TensorType

_Types = Sequence[TensorType]
_Args = Sequence[ast.expr]


class Cell:
    """What holds one value; a list of one element in the program."""


def _cell_type(types: _Types, attrs: Attrs) -> TensorType:
    return ObjectType(of=Cell)


def _nothing(types: _Types, attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _new(node: Node, args: _Args) -> ast.expr:
    return ast.List([ast.Constant(None)], ast.Load())


def _held(cell: ast.expr, context: ast.expr_context) -> ast.expr:
    return ast.Subscript(cell, ast.Constant(0), context)


def _keep(node: Node, args: _Args) -> list[ast.stmt]:
    return [ast.Assign([_held(args[0], ast.Store())], args[1])]


def _read(node: Node, args: _Args) -> ast.expr:
    return _held(args[0], ast.Load())


CELL = Op('cell', _cell_type, expression=_new, effect=True)
KEEP = Op('keep', _nothing, statement=_keep, effect=True)
KEPT = Op('kept', declared_type, expression=_read, effect=True)
