"""`ag.py_function`: a Python function that the running graph calls, at every run, in order.

`attrs['run']` is what is called with the values of the inputs; `attrs['types']` are the types of
its results, none if it returns nothing that the graph uses.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..graph.graph import Node, Op, declared_types


def _call(node: Node, values: Sequence[ast.expr]) -> ast.Call:
    run: Any = node.attrs['run']
    return ast.Call(ast.Constant(run), list(values), [])


PYTHON_FUNCTION = Op('python_function', declared_types, expression=_call, effect=True)


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Expr(_call(node, values))]


# One that returns nothing.
PYTHON_ACTION = Op('python_action', declared_types, statement=_write, effect=True)
