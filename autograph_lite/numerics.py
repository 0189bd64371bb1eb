"""Where a NaN or an infinity comes from: graphs that check every number that they make."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from .graph.graph import Attrs, Graph, Node, Op
from .graph.types import TensorType
from .ops.control_flow import CAST, MISSING


def check_numerics(graph: Graph) -> None:
    """Puts a check behind every node that makes floating-point numbers, in place."""
    nodes: list[Node] = []
    for node in graph.nodes:
        for inner in node.graphs.values():
            check_numerics(inner)
        nodes.append(node)
        if node.graphs or 'value' in node.attrs or node.op in (CAST, MISSING):
            continue
        for output in node.outputs:
            if output.type.dtype.kind in 'fc' and not output.type.maybe:
                attrs = {'what': node.op.name}
                nodes.append(Node(CHECK_NUMERICS, (output,), attrs, site=node.site))
    graph.nodes = nodes


def raise_unless_finite(x: Any, what: str) -> None:
    """Checks one result.

    Raises:
      FloatingPointError: it has a NaN or an infinity.
    """
    if isinstance(x, list):
        return
    if not np.all(np.isfinite(x)):
        kind = 'a NaN' if np.any(np.isnan(x)) else 'an infinity'
        raise FloatingPointError(f'{what} makes {kind}: {x!r}')


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    check: Any = raise_unless_finite
    args = [values[0], ast.Constant(node.attrs['what'])]
    return [ast.Expr(ast.Call(ast.Constant(check), args, []))]


CHECK_NUMERICS = Op('check_numerics', _nothing, statement=_write, effect=True)
