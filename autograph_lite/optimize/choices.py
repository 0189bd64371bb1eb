"""`np.where` written into the array that it takes where the mask is false, where that is faster.

    z = np.where(p, a, z)  ->  np.putmask(z, p, a)     of few elements
                           ->  select(z, p, a)         of numbers of 2 and 4 bytes, of more

A processor guesses which way an element goes; where the mask has no pattern, `np.where` takes six
times as long as where it has one. Arithmetic on the bits does not guess. Measured, with masks that
are random, true in one half, and true: `putmask` takes 0.4 to 0.9 of the time of `np.where`, and
1.0 where each turn of a loop has another random mask for thousands of numbers; `select` of float32
takes 0.1 to 0.9. Of longer numbers, and of arrays that leave the cache, `np.where` stays.
"""
from __future__ import annotations

import math
from typing import Any

from ..graph.graph import Node, Op, Value
from ..ops.calls import CALL, UPDATE_CALL
from ..ops.selection import SELECT
from ..ops.template import Arguments, Slot

# Up to how many elements `putmask` is faster, by the bytes of one; of single bytes it never is.
_FEW = {2: 2000, 4: 8000, 8: 2000, 16: 16_000}
# From how many elements on `select` is faster.
_MANY = {2: 5000, 4: 8000}
_MOST = 1 << 19
# Python's integers up to here are numbers of every type of floating-point numbers of 4 bytes.
_LARGEST = 1 << 24


def is_choice(node: Node) -> bool:
    """Whether this is `np.where(p, a, x)`, of one shape, that is faster written into x."""
    if node.op is not CALL or node.attrs['function'] != 'numpy.where':
        return False
    arguments: Arguments = node.attrs['arguments']
    if len(arguments.args) != 3 or arguments.kwargs:
        return False
    mask, value, _ = arguments.args
    type_ = node.outputs[0].type
    return (
        (mask, arguments.args[2]) == (Slot(0), Slot(len(node.inputs) - 1))
        and value != arguments.args[2]
        and node.inputs[0].type.dtype.kind == 'b'
        and node.inputs[0].type.shape == type_.shape
        and _is_alike(node, value)
        and _way(node.outputs[0]) is not None
    )


def _is_alike(node: Node, value: Any) -> bool:
    """Whether what is taken where the mask is true needs no conversion that may raise or warn."""
    type_ = node.outputs[0].type
    if isinstance(value, Slot):
        return node.inputs[value.index].type == type_
    if type_.dtype.kind != 'f' or type(value) not in (int, float):
        return False
    return bool(value != value or abs(value) <= _LARGEST)


def _way(value: Value) -> Op | None:
    """What writes the choice, for a result of this type; None where `np.where` is faster."""
    size = value.type.dtype.itemsize
    length = math.prod(n or 0 for n in value.type.shape or ())
    if size in _MANY and _MANY[size] < length <= _MOST:
        return SELECT
    return UPDATE_CALL if length <= _FEW.get(size, 0) else None


def write_choice(node: Node, out: Value) -> None:
    """Makes the choice write to the array that it takes where the mask is false."""
    _, value, _ = node.attrs['arguments'].args
    given = Slot(value.index + 1) if isinstance(value, Slot) else value
    op = _way(node.outputs[0])
    assert op is not None
    node.op, node.inputs = op, (out, *node.inputs[:-1])
    arguments = Arguments((Slot(0), Slot(1), given), ())
    node.attrs = {'function': 'numpy.putmask', 'arguments': arguments}
