"""Algebraic identities: what gives one of its operands back is that operand.

    x * 1, x / 1, x ** 1, x - 0          ->  x      not of complex numbers, but for x - 0
    n + 0, n | 0, n ^ 0, n << 0, n // 1  ->  n      of integers: -0.0 + 0 is 0.0
    -(-x), ~(~n), +x, maximum(x, x)      ->  x
    abs(abs(x)), floor(floor(x))         ->  abs(x), floor(x)
    x.astype(x.dtype)                    ->  x
    x.copy()                             ->  x      of an array that tracing has made

These hold to the last bit for NaN, -0.0, infinities and integers that wrap, where the operand has
the type of the result already. An array must have been made by a ufunc: its elements lie in the
order in which those of the result would, which sums depend on; and nobody may be able to tell it
from a copy, so neither may be modified or returned.
"""
from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..ops.calls import CALL
from ..ops.made import is_own_copy
from ..ops.template import Slot
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
# What has no effect on what it gave itself.
_SETTLING = ('absolute', 'fabs', 'floor', 'ceil', 'trunc', 'rint', 'sign')
_IDEMPOTENT = ('maximum', 'minimum', 'fmax', 'fmin', 'bitwise_and', 'bitwise_or')


def identities(graph: Graph) -> None:
    """Makes the readers of what is the same as an operand read the operand."""
    _Identities(graph).rewrite()


class _Identities:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._same: dict[Value, Value] = {}

    def rewrite(self) -> None:
        """Replaces what is found, once all nodes were looked at."""
        graphs: dict[Graph, None] = {}
        for graph, node, numbers in with_numbers(self._graph):
            value = self._operand(node, numbers)
            if value is not None and self._is_alike(value, node.outputs[0]):
                self._same[node.outputs[0]] = value
                if value.node is not None:
                    value.node.absorb(node)
                graphs[graph] = None
        for graph in graphs:
            replace_values(graph, self._same)

    def _operand(self, node: Node, numbers: dict[Value, Any]) -> Value | None:
        """The operand that a node gives back."""
        operands = [self._same.get(value, value) for value in node.inputs]
        name = _ufunc(node)
        if name is None:
            return operands[0] if _is_conversion(node) or is_own_copy(node) else None
        if name in _NEUTRAL:
            number, both, kinds = _NEUTRAL[name]
            left, right = operands
            if left.type.dtype.kind in kinds and _is(number, numbers.get(right)):
                return left
            if both and right.type.dtype.kind in kinds and _is(number, numbers.get(left)):
                return right
        if name in _IDEMPOTENT and operands[0] is operands[1]:
            return operands[0]
        if name == 'positive':
            return operands[0]
        inner = operands[0].node
        if inner is None or _ufunc(inner) != name:
            return None
        if name in _SETTLING:
            return operands[0]
        inside = inner.inputs[0]
        return self._same.get(inside, inside) if name in _OWN_INVERSES else None

    def _is_alike(self, value: Value, result: Value) -> bool:
        """Whether nobody can tell the operand from the result."""
        if value.type != result.type:
            return False
        if value.type.kind != 'array':
            return True
        is_private = self._private.isdisjoint(map(self._facts.buffer, (value, result)))
        return is_private and (_is_made(value) or is_own_copy(result.node))

    @functools.cached_property
    def _facts(self) -> Facts:
        return Facts(self._graph)

    @functools.cached_property
    def _private(self) -> set[Value]:
        return updated(self._graph, self._facts) | seen(self._graph, self._facts)


def _is_conversion(node: Node) -> bool:
    """Whether this is `x.astype(dtype)`."""
    if node.op is not CALL or node.attrs['function'] != 'ndarray.astype':
        return False
    arguments = node.attrs['arguments']
    return len(arguments.args) == 2 and arguments.args[0] == Slot(0) and not arguments.kwargs


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
