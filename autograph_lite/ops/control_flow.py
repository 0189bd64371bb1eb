"""`cond`, loops and functions: nodes that own subgraphs, and the casts where branches join.

    cond        inputs (pred, *captures)
                graphs true, false: params (*captures)
    while_loop  inputs (*state, *captures)
                graphs test, body:  params (*state, *captures)
    for_loop    inputs (*sources, *state, *captures)
                graphs body:        params (*items, *state, *captures)
                       test:        params (*state, *captures); only where it may end early
    function    inputs (*arguments)
                graphs function:    params (*arguments); no captures
    try         inputs (*captures)
                graphs try, except: params (*captures)
    recurse     inputs (*arguments), of the innermost function of that name around it

The subgraphs of one node have the same captures. `attrs['types']` are the joined output types, and
`attrs['state']` is how many state values there are. A for_loop's `attrs['iterable']` says what it
runs over, with indices into its sources: `('range', start, stop, step)`, `('rows', x)`,
`('enumerate', iterable, start)`, `('zip', iterable, ...)`, `('reversed', iterable)`; the items are
the leaves of one turn's item, in order.

A `function` is called once, where it stands, and calls itself by the `recurse` nodes in it, which
have its `attrs['name']` and its types; `attrs['effect']` tells of them whether it has an effect.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence

from ..graph.graph import Attrs, Node, Op, declared_type, declared_types
from ..graph.types import TensorType, python_scalar

COND = Op('cond', declared_types)
WHILE_LOOP = Op('while_loop', declared_types)
FOR_LOOP = Op('for_loop', declared_types)

# A value taken to the type of a join: a Python number to another Python or NumPy type.
CAST = Op('cast', declared_type)
# A value that is not there: `None`, or what a name without a value holds.
MISSING = Op('missing', declared_type)
# Whether a value that may be missing is.
IS_MISSING = Op('is_missing', declared_type)


def _called(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    return ast.Call(ast.Name(node.attrs['name'], ast.Load()), list(args), [])


FUNCTION = Op('function', declared_types)
# `attrs['errors']` are the classes that it catches, `attrs['caught']` the name of what is caught.
TRY = Op('try', declared_types)
RECURSE = Op('recurse', declared_types, expression=_called)


def _infer_not(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return python_scalar(bool)


def _not(node: Node, args: Sequence[ast.expr]) -> ast.expr:
    return ast.UnaryOp(ast.Not(), args[0])


# Python's `not`, of a scalar.
NOT = Op('not', _infer_not, expression=_not)
