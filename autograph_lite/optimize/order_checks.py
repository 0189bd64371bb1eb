"""Programs that hold only for arguments that lie in memory in order, and raise for others.

    if not (a.flags.c_contiguous and b.flags.c_contiguous):
        raise UnorderedError

That comes first of all. Whoever runs such a program runs the graph as it was if it raises this: see
`backends.numpy`.
"""
from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from ..graph.graph import Attrs, Graph, Node, Op, Value
from ..graph.types import TensorType
from .rewriting import node_for


class UnorderedError(Exception):
    """An argument does not lie in memory in order."""


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _write_check(node: Node, args: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    flags = [ast.Attribute(arg, 'flags', ast.Load()) for arg in args]
    tests: list[ast.expr] = [ast.Attribute(flag, 'c_contiguous', ast.Load()) for flag in flags]
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    # The program names what is no literal.
    error: Any = UnorderedError
    failed = ast.Raise(ast.Constant(error))
    return [ast.If(ast.UnaryOp(ast.Not(), test), [failed], [])]


CHECK_ORDER = Op('check_order', _nothing, statement=_write_check, effect=True)


def is_checked(graph: Graph) -> bool:
    """Whether the graph looks at its arguments first."""
    return bool(graph.nodes) and graph.nodes[0].op is CHECK_ORDER


def require_order(graph: Graph, params: Iterable[Value]) -> None:
    """Makes the graph raise where one of these arguments is not in order."""
    wanted = set(params)
    if not wanted:
        return
    if is_checked(graph):
        wanted.update(graph.nodes.pop(0).inputs)
    ordered = [param for param in graph.params if param in wanted]
    graph.nodes.insert(0, node_for(graph, CHECK_ORDER, ordered))
