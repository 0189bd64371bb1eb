"""What a loop gains by Python's numbers, and what its checks cost, in nanoseconds a turn.

NumPy's integers are about as fast as Python's among themselves, and faster where a divisor is
large; beside a Python number they are not, nor are comparisons, floats and elements of arrays.
Measured with Python 3.11; a branch counts half, an inner loop several times.
"""
from __future__ import annotations

from collections.abc import Iterator

from ..graph.graph import Node
from ..ops.control_flow import COND
from ..ops.indexing import GETITEM, SETITEM
from ..ops.ufuncs import UFUNC
from ..ops.unboxed import CHECK_RANGE
from .rewriting import constant
from .scalar_loops import INT

_ELEMENT = 40
_FLOATS = 25
_COMPARED = 25
_BESIDE_A_NUMBER = 23
_DIVIDED_BY_A_NUMBER = 15
_INTEGERS = 8
_CHECK = 32
# Python divides by more than one of its digits slowly.
_LARGE_DIVISOR = -20
_DIGIT = 1 << 30
_TURNS = 8
_COMPARISONS = ('less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal')


def gain(loop: Node) -> float:
    """What the operations of a loop gain that computes with NumPy's numbers yet."""
    return sum(_gain(node) * often for node, often in _often(loop, 1))


def cost(loop: Node) -> float:
    """What the checks of a loop cost that computes with Python's numbers."""
    return sum(_CHECK * often for node, often in _often(loop, 1) if node.op is CHECK_RANGE)


def _often(owner: Node, times: float) -> Iterator[tuple[Node, float]]:
    """Every node of what a node owns, and how often it runs in a turn."""
    for graph in owner.graphs.values():
        for node in graph.nodes:
            yield node, times
            if node.graphs:
                yield from _often(node, times / 2 if node.op is COND else times * _TURNS)


def _gain(node: Node) -> float:
    if node.op in (GETITEM, SETITEM):
        return _ELEMENT
    if node.op is not UFUNC:
        return 0
    name = node.attrs['ufunc'].removeprefix('numpy.')
    types = [value.type for value in node.inputs]
    if any(type_.dtype != INT for type_ in types):
        return _FLOATS
    numbers = [x for x in node.attrs['arguments'].args if isinstance(x, int)]
    numbers += [x for value in node.inputs if (x := constant(value)) is not None]
    is_beside = len(types) < 2 or any(type_.weak for type_ in types)
    if name in ('remainder', 'floor_divide'):
        if not is_beside:
            return 0
        return _LARGE_DIVISOR if any(abs(x) >= _DIGIT for x in numbers) else _DIVIDED_BY_A_NUMBER
    if name in _COMPARISONS:
        return _COMPARED
    return _BESIDE_A_NUMBER if is_beside else _INTEGERS
