"""Operations that are run for what they do: they keep their order, needed or not."""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Attrs, Node, Op
from ..graph.types import TensorType


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _print(node: Node, args: Sequence[ast.expr]) -> list[ast.stmt]:
    values = iter(args)
    shown = [next(values) if t is None else ast.Constant(t) for t in node.attrs['texts']]
    options = [
        ast.keyword(name, ast.Constant(node.attrs[name]))
        for name, default in (('sep', ' '), ('end', '\n'))
        if node.attrs[name] != default
    ]
    return [ast.Expr(ast.Call(ast.Name('print', ast.Load()), shown, options))]


# `ag.print`: `texts` are the printed forms of what is no tensor, None in a tensor's place.
PRINT = Op('print', _nothing, statement=_print, effect=True)
