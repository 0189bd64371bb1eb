"""Transposes of transposes as one, and all of them in the spelling that costs least.

    x.transpose(p).transpose(q)   ->   x.transpose(r)         where r[i] is p[q[i]]
    x.T.T                         ->   x
    np.transpose(x)               ->   x.T
    np.moveaxis(x, 0, -1)         ->   x.transpose(1, 2, 0)
    np.expand_dims(x, 1)          ->   x[:, None]

All are views of the same array, or the array itself where nobody can tell one from the other. What
is spelled alike is one common subexpression.
Measured: 0.2 µs in the place of 2.2 for `moveaxis`, 0.1 in the place of 1.3 for `expand_dims`.
"""
from __future__ import annotations

import numpy as np

from ..graph.graph import Attrs, Graph, Node, Value
from ..graph.types import TensorType
from ..ops.calls import VIEW_CALL, target
from ..ops.indexing import VIEW
from ..ops.template import Arguments, Sliced, Slot
from .facts import Facts, seen, updated
from .rewriting import replace_values

_TRANSPOSES = (
    'T', 'mT', 'transpose', 'matrix_transpose', 'permute_dims', 'swapaxes', 'moveaxis', 'rollaxis')
# An array with more axes than this, of two elements each, is not made to find out.
_MOST_AXES = 8
_WHOLE = Sliced(None, None, None)


def transposes(graph: Graph) -> None:
    """Makes one of transposes of transposes, and all of them cheap."""
    found = [(node, order) for node in graph.walk() if (order := axes_of(node)) is not None]
    orders = dict(found)
    same: dict[Value, Value] = {}
    for node, order in found:
        inner = node.inputs[0].node
        is_chain = inner in orders and node.inputs[0].graph is node.outputs[0].graph
        if inner is not None and is_chain:
            order = tuple(orders[inner][axis] for axis in order)
            orders[node] = order
            node.inputs = inner.inputs
            if order == tuple(range(len(order))):
                same[node.outputs[0]] = node.inputs[0]
        node.attrs = {**node.attrs, **_spelled(order)}
    for node in graph.walk():
        index = _new_axes(node)
        if index is not None:
            node.op, node.attrs = VIEW, {'index': index}
    _replace(graph, same)


def _spelled(order: tuple[int, ...]) -> Attrs:
    """The function and the arguments of a transpose."""
    if order == tuple(reversed(range(len(order)))):
        return {'function': 'ndarray.T', 'arguments': Arguments((Slot(0),))}
    return {'function': 'ndarray.transpose', 'arguments': Arguments((Slot(0), *order))}


def axes_of(node: Node) -> tuple[int, ...] | None:
    """Which axes of its operand those of a transpose are; None for any other node."""
    if node.op is not VIEW_CALL or node.attrs['pick'] or len(node.inputs) != 1:
        return None
    root, _, name = node.attrs['function'].rpartition('.')
    shape = node.inputs[0].type.shape
    if root not in ('numpy', 'ndarray') or name not in _TRANSPOSES or shape is None:
        return None
    if type(node.inputs[0].type) is not TensorType or node.inputs[0].type.kind != 'array':
        return None
    if node.attrs['arguments'].args[:1] != (Slot(0),) or not 0 < len(shape) <= _MOST_AXES:
        return None
    sample = np.empty((2,) * len(shape), np.int8)
    args, kwargs = node.attrs['arguments'].fill([sample])
    strides = target(node.attrs['function'])(*args, **kwargs).strides
    return tuple(sample.strides.index(stride) for stride in strides)


def _new_axes(node: Node) -> tuple[Sliced | None, ...] | None:
    """The index that does what `expand_dims` does; None for any other node."""
    if node.op is not VIEW_CALL or node.attrs['function'] != 'numpy.expand_dims':
        return None
    x, result = node.inputs[0].type, node.outputs[0].type
    arguments: Arguments = node.attrs['arguments']
    options = dict(zip(('axis',), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    axis = options.get('axis')
    axes = axis if isinstance(axis, tuple) else (axis,)
    known = all(type(each) is int for each in axes)
    if x.kind != 'array' or result.shape is None or not known or len(node.inputs) != 1:
        return None
    new = {each % len(result.shape) for each in axes}
    return tuple(None if i in new else _WHOLE for i in range(max(new) + 1))


def _replace(graph: Graph, same: dict[Value, Value]) -> None:
    """Makes the readers of what is the array itself read that, where nobody can tell."""
    if not same:
        return
    facts = Facts(graph)
    private = updated(graph, facts) | seen(graph, facts)
    alike = {value: x for value, x in same.items() if facts.buffer(value) not in private}
    for inner in dict.fromkeys(value.graph for value in alike):
        replace_values(inner, alike)
