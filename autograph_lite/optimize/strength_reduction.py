"""Strength reduction: a cheaper operation that gives the same, to the last bit.

    x / 2**k         ->  x * 2**-k        of floats, k >= 0, where both numbers are exact
    n // 2**k        ->  n >> k           of arrays of integers
    n % 2**k         ->  n & (2**k - 1)

A quotient and a product are both the one nearest to the exact value, which is the same one, and
overflow, underflow and NaN with it. Shifts and masks round towards minus infinity, as Python does.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..graph.types import TensorType, type_of
from ..ops.ufuncs import UFUNC, UFUNC_OUT
from .rewriting import node_for, with_numbers

_CHEAPER = {
    'numpy.divide': ('numpy.multiply', 'mul'),
    'numpy.floor_divide': ('numpy.right_shift', 'rshift'),
    'numpy.remainder': ('numpy.bitwise_and', 'and'),
}


def strength_reduction(graph: Graph) -> None:
    """Replaces divisions of arrays by powers of two."""
    added: dict[Graph, list[Node]] = {}
    for inner, node, numbers in with_numbers(graph):
        if node.op not in (UFUNC, UFUNC_OUT) or node.attrs['ufunc'] not in _CHEAPER:
            continue
        dividend, divisor = (node.inputs[slot.index] for slot in node.attrs['arguments'].args)
        number = _operand(node, dividend.type, numbers.get(divisor))
        if number is not None:
            attrs = {'value': number, 'type': type_of(number)}
            constant = node_for(inner, CONSTANT, (), attrs, site=node.site)
            added.setdefault(inner, []).append(constant)
            _replace(node, divisor, constant.outputs[0])
    for inner, constants in added.items():
        inner.nodes[:0] = constants


def _operand(node: Node, dividend: TensorType, divisor: Any) -> Any:
    """The number of the same type that the cheaper operation takes; None if there is none."""
    dtype = dividend.dtype
    if dividend.kind != 'array' or divisor is None or node.outputs[0].type.dtype != dtype:
        return None
    if any(name != 'out' for name, _ in node.attrs['arguments'].kwargs):
        return None
    if node.attrs['ufunc'] == 'numpy.divide':
        return _reciprocal(divisor, dtype)
    if dtype.kind not in 'iu' or not isinstance(divisor, int | np.integer) or divisor <= 0:
        return None
    if int(divisor).bit_count() != 1 or not _is_of(divisor, dtype):
        return None
    if divisor > np.iinfo(dtype).max:  # which NumPy refuses
        return None
    is_quotient = node.attrs['ufunc'] == 'numpy.floor_divide'
    return type(divisor)(int(divisor).bit_length() - 1 if is_quotient else int(divisor) - 1)


def _reciprocal(divisor: Any, dtype: np.dtype[Any]) -> Any:
    """One divided by a power of two, if that is a normal number."""
    if dtype not in (np.float32, np.float64) or not isinstance(divisor, int | float | np.floating):
        return None
    if isinstance(divisor, bool) or not _is_of(divisor, dtype):
        return None
    if abs(math.frexp(divisor)[0]) != 0.5 or not 0 < math.frexp(divisor)[1] <= 100:
        return None
    return type(divisor)(1 / divisor) if isinstance(divisor, np.floating) else 1 / divisor


def _is_of(number: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a number is Python's, or NumPy's of the type that it is beside."""
    return not isinstance(number, np.generic) or number.dtype == dtype


def _replace(node: Node, divisor: Value, operand: Value) -> None:
    ufunc, operator = _CHEAPER[node.attrs['ufunc']]
    operator = operator if node.attrs['operator'] else ''
    node.attrs = {**node.attrs, 'ufunc': ufunc, 'operator': operator}
    node.inputs = tuple(operand if value is divisor else value for value in node.inputs)
