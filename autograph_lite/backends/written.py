"""A call written as one of another function, or as an index."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from ..graph.graph import Node
from ..ops.template import Arguments


def written(
    node: Node, function: str, arguments: Arguments, args: Sequence[ast.expr]
) -> ast.expr:
    """The call of another function with other arguments."""
    attrs = {**node.attrs, 'function': function, 'arguments': arguments}
    assert node.op.expression is not None
    return node.op.expression(replace(node, attrs=attrs), args)


def item(tree: ast.expr, index: Sequence[ast.expr]) -> ast.expr:
    """`tree[index]`."""
    place = index[0] if len(index) == 1 else ast.Tuple(list(index), ast.Load())
    return ast.Subscript(tree, place, ast.Load())
