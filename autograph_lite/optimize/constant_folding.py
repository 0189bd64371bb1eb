"""Constant folding: what depends on constants alone is computed once.

    f(1, np.float32(2))  ->  its value

Constants are Python numbers and NumPy scalars, never arrays: a captured array is read anew at every
call, and an array that is a result must be a new one. What raises or warns is left to run time.
"""
from __future__ import annotations

import ast
import math
import warnings
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..graph.types import type_of
from ..ops.control_flow import CAST

# Python's integers have no bound: powers and shifts of larger ones may take for ever.
_LARGEST_INT = 1 << 16


def constant_folding(graph: Graph) -> None:
    """Turns nodes whose inputs are all constant numbers into constants."""
    _fold(graph, {})


def _fold(graph: Graph, known: dict[Value, Any]) -> None:
    """`known` are the numbers that values of this graph are known to be."""
    for node in graph.nodes:
        if node.op is CONSTANT:
            if not isinstance(node.attrs['value'], np.ndarray):
                known[node.outputs[0]] = node.attrs['value']
        elif node.graphs:
            for inner in node.graphs.values():
                captured = zip(inner.params[len(inner.own_params) :], inner.captures, strict=True)
                _fold(inner, {param: known[v] for param, v in captured if v in known})
        elif node.inputs and all(value in known for value in node.inputs):
            value = _value(node, [known[v] for v in node.inputs])
            if value is not None:
                known[node.outputs[0]] = value
                attrs = {'value': value, 'type': node.outputs[0].type}
                node.op, node.inputs, node.attrs = CONSTANT, (), attrs


def _value(node: Node, args: list[Any]) -> Any:
    """What the node gives for these arguments; None where that is better left to run time."""
    if len(node.outputs) != 1 or node.op.effect or node.op.updates or node.op.view:
        return None
    type_ = node.outputs[0].type
    if type_.kind == 'array' or type_.maybe or not all(map(_is_small, args)):
        return None
    with warnings.catch_warnings(), np.errstate(all='raise'):
        warnings.simplefilter('error')
        try:
            value = _compute(node, args)
        except Exception:
            return None
    return value if type_of(value) == type_ and _is_small(value) else None


def _is_small(value: Any) -> bool:
    return not isinstance(value, int) or abs(value) < _LARGEST_INT


def _compute(node: Node, args: list[Any]) -> Any:
    if node.op is CAST:
        type_ = node.outputs[0].type
        return (type_.python_type if type_.weak else type_.dtype.type)(args[0])
    if node.op.expression is None:
        return None
    names = [f'x{i}' for i in range(len(args))]
    tree = node.op.expression(node, [ast.Name(name, ast.Load()) for name in names])
    code = compile(ast.fix_missing_locations(ast.Expression(tree)), '<folded>', 'eval')
    return eval(code, {'np': np, 'math': math, **dict(zip(names, args, strict=True))})
