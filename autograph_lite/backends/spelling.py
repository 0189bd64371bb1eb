"""The cheapest way to call what NumPy does: the same work without the Python code around it.

    np.argmin(x, axis=1)     x.argmin(axis=1)                     what np.argmin does in the end
    np.zeros_like(x)         np.zeros(x.shape[0]), as a number
    np.copy(x)               x.copy('K')
    np.flatnonzero(x)        x.nonzero()[0], for a vector
    np.moveaxis(x, 0, -1)    x.transpose(1, 2, 0)
    np.transpose(x)          x.T
    np.expand_dims(x, 1)     x[:, None]

Reductions are in `reductions`, what puts arrays together is in `joins`. Each row gives the same
value, dtype, type, warnings and errors, to the last bit.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence

import numpy as np

from ..graph.graph import Node
from ..ops.calls import CALL, VIEW_CALL, target
from ..ops.template import Arguments, Slot, number
from .joins import join
from .reductions import HasElements, reduction
from .written import item, written

# Functions that do nothing but call the method of the same name with the same arguments.
_METHODS = frozenset(
    (
        *('argmax', 'argmin', 'argsort', 'clip', 'cumprod', 'cumsum', 'diagonal', 'dot', 'mean'),
        *('nonzero', 'ravel', 'repeat', 'reshape', 'round', 'searchsorted', 'squeeze', 'take'),
        'trace',
    )
)
_TRANSPOSES = (
    'T', 'mT', 'transpose', 'matrix_transpose', 'permute_dims', 'swapaxes', 'moveaxis', 'rollaxis')
# An array with more axes than this, of two elements each, is not made to find out.
_MOST_AXES = 8
_METHOD_OPTIONS = frozenset(('axis', 'keepdims', 'dtype', 'kind', 'mode', 'side', 'sorter'))


def cheapest(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr | None:
    """The call over these inputs as NumPy runs it fastest; None where that is as written."""
    if node.op not in (CALL, VIEW_CALL) or node.attrs['pick'] or not node.inputs:
        return None
    found = join(node, args)
    root, _, function = node.attrs['function'].rpartition('.')
    arguments: Arguments = node.attrs['arguments']
    if found is not None or root not in ('numpy', 'ndarray') or arguments.args[:1] != (Slot(0),):
        return found
    if node.inputs[0].type.kind != 'array' or node.inputs[0].type.dtype.kind not in 'biufc':
        return None
    if function in _TRANSPOSES:
        return _transpose(node, args)
    found = reduction(node, args, has_elements)
    if found is not None or root != 'numpy':
        return found
    if function == 'expand_dims':
        return _new_axes(node, args)
    if function == 'zeros_like':
        return _zeros_like(node)
    if function == 'copy' and arguments == Arguments((Slot(0),)):
        return written(node, 'ndarray.copy', Arguments((Slot(0), 'K')), args)
    if function == 'flatnonzero' and len(node.inputs[0].type.shape or ()) == 1:
        return item(written(node, 'ndarray.nonzero', arguments, args), [number(0)])
    named = {name for name, _ in arguments.kwargs}
    if function in _METHODS and named <= _METHOD_OPTIONS:
        return written(node, f'ndarray.{function}', arguments, args)
    return None


def _zeros_like(node: Node) -> ast.expr | None:
    """The zeros without the array that they are like; more axes might lie in another order."""
    type_ = node.outputs[0].type
    if type_.shape is None or len(type_.shape) != 1 or type_.shape[0] is None:
        return None
    dtype = () if type_.dtype == np.float64 else (type_.dtype,)
    return written(node, 'numpy.zeros', Arguments((type_.shape[0], *dtype)), [])


def _transpose(node: Node, args: Sequence[ast.expr]) -> ast.expr | None:
    """The method with the order of the axes, or the attribute where they are reversed."""
    shape = node.inputs[0].type.shape
    if shape is None or not 0 < len(shape) <= _MOST_AXES or len(node.inputs) != 1:
        return None
    sample = np.empty((2,) * len(shape), np.int8)
    given, options = node.attrs['arguments'].fill([sample])
    strides = target(node.attrs['function'])(*given, **options).strides
    order = tuple(sample.strides.index(stride) for stride in strides)
    if order == tuple(reversed(range(len(order)))):
        return ast.Attribute(args[0], 'T', ast.Load())
    return written(node, 'ndarray.transpose', Arguments((Slot(0), *order)), args)


def _new_axes(node: Node, args: Sequence[ast.expr]) -> ast.expr | None:
    """The index that puts new axes between the others."""
    shape, arguments = node.outputs[0].type.shape, node.attrs['arguments']
    options = dict(zip(('axis',), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    axis = options.get('axis')
    axes = axis if isinstance(axis, tuple) else (axis,)
    if shape is None or not all(type(each) is int for each in axes):
        return None
    new = {each % len(shape) for each in axes}
    index = [ast.Constant(None) if i in new else ast.Slice() for i in range(max(new) + 1)]
    return item(args[0], index)
