"""The cheapest way to call what NumPy does: the same work without the Python code around it.

    np.sum(x, axis=0)        np.add.reduce(x, axis=0)             what np.sum does in the end
    np.argmin(x, axis=1)     x.argmin(axis=1)                     what np.argmin does in the end
    np.mean(x, axis=0)       np.add.reduce(x, axis=0) / x.shape[0]
    np.roll(x, 1, axis=0)    np.concatenate((x[-1:], x[:-1]), axis=0)
    np.zeros_like(x)         np.zeros(x.shape[0]), as a number
    np.append(x, a)          np.concatenate((x, [a])), for a vector and a scalar
    np.moveaxis(x, 0, -1)    x.transpose(1, 2, 0)
    np.transpose(x)          x.T
    np.expand_dims(x, 1)     x[:, None]

Each row gives the same value, dtype, type, warnings and errors, to the last bit: that is why a mean
is spelled out for floats alone, and only where it is known to be over one element at least.
"""
from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.graph import Node, Value
from ..ops.calls import CALL, VIEW_CALL, target
from ..ops.template import Arguments, Slot, dotted, number

# Reductions that are those of a ufunc, with the options that both take alike.
_REDUCTIONS = {
    'sum': 'add',
    'prod': 'multiply',
    'max': 'maximum',
    'amax': 'maximum',
    'min': 'minimum',
    'amin': 'minimum',
    'any': 'logical_or',
    'all': 'logical_and',
}
_OPTIONS = ('axis', 'keepdims')

# Functions that do nothing but call the method of the same name with the same arguments.
_METHODS = frozenset(
    (
        *('argmax', 'argmin', 'argsort', 'cumprod', 'cumsum', 'mean', 'nonzero', 'repeat'),
        *('reshape', 'searchsorted', 'squeeze', 'take'),
    )
)
_TRANSPOSES = (
    'T', 'mT', 'transpose', 'matrix_transpose', 'permute_dims', 'swapaxes', 'moveaxis', 'rollaxis')
# An array with more axes than this, of two elements each, is not made to find out.
_MOST_AXES = 8
_METHOD_OPTIONS = frozenset(('axis', 'keepdims', 'dtype', 'kind', 'mode', 'side', 'sorter'))

# Integers up to here are floats of single precision, so that dividing by them rounds once.
_LONGEST_MEAN = 1 << 24


# Whether an axis of a value is known to be longer than 0 here.
HasElements = Callable[[Value, int], bool]


def cheapest(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr | None:
    """The call over these inputs as NumPy runs it fastest; None where that is as written."""
    if node.op not in (CALL, VIEW_CALL) or node.attrs['pick'] or not node.inputs:
        return None
    root, _, function = node.attrs['function'].rpartition('.')
    arguments: Arguments = node.attrs['arguments']
    if root not in ('numpy', 'ndarray') or arguments.args[:1] != (Slot(0),):
        return None
    if node.inputs[0].type.kind != 'array' or node.inputs[0].type.dtype.kind not in 'biufc':
        return None
    if function in _REDUCTIONS:
        return _reduction(node, _REDUCTIONS[function], args)
    if function == 'mean':
        mean = _mean(node, args, has_elements)
        if mean is not None:
            return mean
    if function == 'roll':
        return _roll(node, args)
    if function == 'append':
        return _append(node, args)
    if function in _TRANSPOSES:
        return _transpose(node, args)
    if function == 'expand_dims':
        return _new_axes(node, args)
    if function == 'zeros_like':
        return _zeros_like(node)
    named = {name for name, _ in arguments.kwargs}
    if root == 'numpy' and function in _METHODS and named <= _METHOD_OPTIONS:
        return _written(node, f'ndarray.{function}', arguments, args)
    return None


def _written(
    node: Node, function: str, arguments: Arguments, args: Sequence[ast.expr]
) -> ast.expr:
    """The call of another function with other arguments."""
    attrs = {**node.attrs, 'function': function, 'arguments': arguments}
    assert node.op.expression is not None
    return node.op.expression(replace(node, attrs=attrs), args)


def _options(arguments: Arguments) -> dict[str, Any] | None:
    """The axis and `keepdims`; None where there is another option, or it is no constant."""
    given = dict(zip(('axis',), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    known = all(_is_known(value) for value in given.values())
    fits = len(arguments.args) <= 2 and all(name in _OPTIONS for name in given)
    return given if known and fits else None


def _is_known(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_known, value))
    return value is None or type(value) in (int, bool)


def _reduction(node: Node, ufunc: str, args: Sequence[ast.expr]) -> ast.expr | None:
    """The reduction by the ufunc's own method, which unlike NumPy's function has axis 0 if none."""
    options = _options(node.attrs['arguments'])
    if options is None:
        return None
    axis = options.pop('axis', None)
    if axis is not None or node.inputs[0].type.shape is None or len(node.inputs[0].type.shape) != 1:
        options = {'axis': axis, **options}
    arguments = Arguments((Slot(0),), tuple(options.items()))
    return _written(node, f'numpy.{ufunc}.reduce', arguments, args)


def _mean(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr | None:
    """The sum over the count, for floats and a count that is not 0."""
    x = node.inputs[0]
    options = _options(node.attrs['arguments'])
    if options is None or x.type.shape is None or x.type.dtype.char not in 'fd':
        return None
    axis = options.get('axis')
    axes = tuple(range(len(x.type.shape))) if axis is None else axis
    axes = axes if isinstance(axes, tuple) else (axes,)
    lengths = [x.type.shape[i] for i in axes]
    total = _reduction(node, 'add', args)
    if total is None:
        return None
    if None not in lengths:
        count = math.prod(length or 0 for length in lengths)
        return _over(total, number(count)) if 0 < count < _LONGEST_MEAN else None
    if len(lengths) > 1 or x.type.dtype.char != 'd' or not has_elements(x, axes[0]):
        return None
    shape = ast.Attribute(args[0], 'shape', ast.Load())
    return _over(total, ast.Subscript(shape, number(axes[0]), ast.Load()))


def _over(total: ast.expr, count: ast.expr) -> ast.expr:
    return ast.BinOp(total, ast.Div(), count)


def _zeros_like(node: Node) -> ast.expr | None:
    """The zeros without the array that they are like; more axes might lie in another order."""
    type_ = node.outputs[0].type
    if type_.shape is None or len(type_.shape) != 1 or type_.shape[0] is None:
        return None
    dtype = () if type_.dtype == np.float64 else (type_.dtype,)
    return _written(node, 'numpy.zeros', Arguments((type_.shape[0], *dtype)), [])


def _append(node: Node, args: Sequence[ast.expr]) -> ast.expr | None:
    """The vector and a vector of the one number, put together."""
    types = [value.type for value in node.inputs]
    arguments: Arguments = node.attrs['arguments']
    if arguments.args != (Slot(0), Slot(1)) or arguments.kwargs or len(types) != 2:
        return None
    if types[0].shape is None or len(types[0].shape) != 1 or types[1].kind != 'scalar':
        return None
    pair = ast.Tuple([args[0], ast.List([args[1]], ast.Load())], ast.Load())
    return ast.Call(dotted('numpy.concatenate'), [pair], [])


def _roll(node: Node, args: Sequence[ast.expr]) -> ast.expr | None:
    """The two parts of the array, the other way round."""
    arguments: Arguments = node.attrs['arguments']
    given = dict(zip(('shift', 'axis'), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    shift, axis, shape = given.get('shift'), given.get('axis'), node.inputs[0].type.shape
    if shape is None or type(shift) is not int or not set(given) <= {'shift', 'axis'}:
        return None
    if axis is None and len(shape) == 1:
        axis = 0
    if type(axis) is not int or not -len(shape) <= axis < len(shape):
        return None
    length = shape[axis]
    if length is not None:
        shift = shift % length if length else 0
        shift = shift - length if 2 * shift > length else shift
    if not shift or (length is None and abs(shift) != 1):
        return None
    before: list[ast.expr] = [ast.Slice()] * (axis % len(shape))
    parts = [
        _item(args[0], [*before, ast.Slice(lower=number(-shift))]),
        _item(args[0], [*before, ast.Slice(upper=number(-shift))]),
    ]
    keyword = ast.keyword('axis', number(axis % len(shape)))
    pair = ast.Tuple(parts, ast.Load())
    return ast.Call(dotted('numpy.concatenate'), [pair], [keyword])


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
    return _written(node, 'ndarray.transpose', Arguments((Slot(0), *order)), args)


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
    return _item(args[0], index)


def _item(tree: ast.expr, index: Sequence[ast.expr]) -> ast.expr:
    place = index[0] if len(index) == 1 else ast.Tuple(list(index), ast.Load())
    return ast.Subscript(tree, place, ast.Load())


