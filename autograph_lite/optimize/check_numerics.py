"""Where a NaN or an infinity comes from: graphs that check every number that they make."""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import Location, describe
from ..graph.graph import Attrs, Graph, Node, Op, Value
from ..graph.text import operation
from ..graph.types import TensorType
from ..ops.control_flow import CAST, MISSING
from ..ops.effects import END_ERRSTATE, ERRSTATE
from ..ops.variables import READ, READ_ITEM

# NumPy's own warnings would say less, and not where.
_QUIET = {'divide': 'ignore', 'over': 'ignore', 'invalid': 'ignore'}


def check_numerics(graph: Graph) -> None:
    """Puts a check behind every node that makes floating-point numbers, in place."""
    _check(graph)
    begin, end = Node(ERRSTATE, (), {'states': _QUIET}), Node(END_ERRSTATE, (), {})
    graph.nodes = [begin, *graph.nodes, end]


def _check(graph: Graph) -> None:
    nodes: list[Node] = []
    for node in graph.nodes:
        for inner in node.graphs.values():
            _check(inner)
        nodes.append(node)
        if node.graphs or 'value' in node.attrs or node.op in (CAST, MISSING):
            continue
        for output in filter(_has_floats, node.outputs):
            given = [value for value in node.inputs if _has_floats(value)]
            site = node.site
            attrs = {
                'what': _written(node),
                'variable': node.attrs['cell'].name if node.op in (READ, READ_ITEM) else '',
                'given': [value.name for value in given],
                'location': None if site is None else site.location,
            }
            # What is updated in place is its old self no more.
            kept = [] if node.op.updates else given
            nodes.append(Node(CHECK_NUMERICS, (output, *kept), attrs, site=site))
    graph.nodes = nodes


def _has_floats(value: Value) -> bool:
    return value.type.dtype.kind in 'fc' and not value.type.maybe


def _written(node: Node) -> str:
    """The operation as the user wrote it, as far as Python tells; else as the graph shows it."""
    location = None if node.site is None else node.site.location
    if location is not None and location.column is not None and location.end_column is not None:
        return location.text[location.column : location.end_column]
    return operation(node, [value.name for value in node.inputs])


def raise_unless_finite(
    x: Any, given: Sequence[Any], what: str, variable: str, names: Sequence[str],
    location: Location | None,
) -> None:
    """Checks one result.

    Raises:
      FloatingPointError: it has a NaN or an infinity.
    """
    kind = _kind(x)
    if not kind:
        return
    before = [(name, _kind(value)) for name, value in zip(names, given, strict=False)]
    if variable:
        message = f'The variable {variable!r} holds {kind}: {x!r}'
    else:
        message = f'{what} makes {kind}: {x!r}'
        for name, had in before:
            if had:
                message = f'{what} gives {kind}, because {name} has {had} already: {x!r}'
                break
    raise FloatingPointError(describe(message, location))


def _kind(x: Any) -> str:
    """What is not finite in an array or a number; empty if all is."""
    if isinstance(x, list) or np.all(np.isfinite(x)):
        return ''
    return 'a NaN' if np.any(np.isnan(x)) else 'an infinity'


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    check: Any = raise_unless_finite
    attrs = node.attrs
    args = [
        values[0],
        ast.Tuple(list(values[1:]), ast.Load()),
        *(ast.Constant(attrs[name]) for name in ('what', 'variable')),
        ast.Tuple([ast.Constant(name) for name in attrs['given']], ast.Load()),
        ast.Constant(attrs['location']),
    ]
    return [ast.Expr(ast.Call(ast.Constant(check), args, []))]


CHECK_NUMERICS = Op('check_numerics', _nothing, statement=_write, effect=True)
