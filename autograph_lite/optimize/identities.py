"""Algebraic identities: what gives one of its operands back is that operand.

    x * 1, x / 1, x ** 1, x - 0          ->  x      not of complex numbers, but for x - 0
    n + 0, n | 0, n ^ 0, n << 0, n // 1  ->  n      of integers: -0.0 + 0 is 0.0
    -(-x), ~(~n), +x, maximum(x, x)      ->  x
    abs(abs(x)), floor(floor(x))         ->  abs(x), floor(x)

These hold to the last bit for NaN, -0.0, infinities and integers that wrap, where the operand has
the type of the result already. An array must have been made by a ufunc: its elements lie in the
order in which those of the result would, which sums depend on; and nobody may be able to tell it
from a copy, so neither may be modified or returned.
"""
from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..ops.ufuncs import UFUNC
from .facts import Facts, seen, updated
from .rewriting import replace_values, with_numbers

# The number that changes nothing on the right; whether also on the left; for which kinds of dtypes.
_NEUTRAL = {
    'multiply': (1, True, 'iuf'),
    'divide': (1, False, 'f'),
    'power': (1, False, 'iuf'),
    'subtract': (0, False, 'iufc'),
    'add': (0, True, 'iu'),
    'bitwise_or': (0, True, 'iu'),
    'bitwise_xor': (0, True, 'iu'),
    'left_shift': (0, False, 'iu'),
    'right_shift': (0, False, 'iu'),
    'floor_divide': (1, False, 'iu'),
}
_OWN_INVERSES = ('negative', 'invert', 'logical_not')
# What has no effect on its own result.
_SETTLING = ('absolute', 'fabs', 'floor', 'ceil', 'trunc', 'rint', 'sign')
_IDEMPOTENT = ('maximum', 'minimum', 'fmax', 'fmin', 'bitwise_and', 'bitwise_or')


def identities(graph: Graph) -> None:
    """Makes the readers of what is the same as an operand read the operand."""
    facts = Facts(graph)
    private = updated(graph, facts) | seen(graph, facts)
    replaced: dict[Graph, dict[Value, Value]] = {}
    for inner, node, numbers in with_numbers(graph):
        value = _operand(node, numbers)
        if value is None or value.type != node.outputs[0].type:
            continue
        if value.type.kind == 'array' and not (
            _is_made(value) and private.isdisjoint(map(facts.buffer, (value, *node.outputs)))
        ):
            continue
        known = replaced.setdefault(inner, {})
        known[node.outputs[0]] = known.get(value, value)
        if value.node is not None:
            value.node.absorb(node)
    for inner, known in replaced.items():
        replace_values(inner, known)


def _operand(node: Node, numbers: dict[Value, Any]) -> Value | None:
    """The operand that a node gives back."""
    name = _ufunc(node)
    if name in _NEUTRAL:
        number, both, kinds = _NEUTRAL[name]
        left, right = node.inputs
        if left.type.dtype.kind in kinds and _is(number, numbers.get(right)):
            return left
        if both and right.type.dtype.kind in kinds and _is(number, numbers.get(left)):
            return right
    if name in _IDEMPOTENT and node.inputs[0] is node.inputs[1]:
        return node.inputs[0]
    if name == 'positive':
        return node.inputs[0]
    if name in _OWN_INVERSES or name in _SETTLING:
        inner = node.inputs[0].node
        if inner is None or _ufunc(inner) != name:
            return None
        return node.inputs[0] if name in _SETTLING else inner.inputs[0]
    return None


def _ufunc(node: Node) -> str | None:
    """The name of the ufunc that a node calls without options."""
    if node.op is not UFUNC or node.attrs['arguments'].kwargs:
        return None
    return str(node.attrs['ufunc']).removeprefix('numpy.')


def _is(number: int, value: Any) -> bool:
    """Whether a value is the number; of zeros, the positive one."""
    is_real = isinstance(value, int | float | np.integer | np.floating)
    is_real = is_real and not isinstance(value, np.timedelta64)  # to NumPy, that is an integer
    return is_real and value == number and (number != 0 or not np.signbit(value))


def _is_made(value: Value) -> bool:
    return value.node is not None and _ufunc(value.node) is not None
