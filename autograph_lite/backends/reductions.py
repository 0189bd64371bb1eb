"""The cheapest way to call reductions.

    np.sum(x, axis=0)     np.add.reduce(x, axis=0)              what np.sum does in the end
    np.mean(x, axis=0)    np.add.reduce(x, axis=0) / x.shape[0]
    np.sum(mask)          np.intp(np.count_nonzero(mask))
    np.mean(mask)         np.float64(np.count_nonzero(mask) / mask.size)

A mean is spelled out only where it is known to be over one element at least: NumPy warns of none.
"""
from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.graph import Node, Value
from ..ops.template import Arguments, Slot, call, number
from .written import written

# Reductions that are those of a ufunc, with the options that both take alike.
_UFUNCS = {
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

# Integers up to here are floats of single precision, so that dividing by them rounds once.
_LONGEST_MEAN = 1 << 24


# Whether an axis of a value is known to be longer than 0 here.
HasElements = Callable[[Value, int], bool]


def reduction(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr | None:
    """A reduction of an array, which is the call's first argument; None for other calls."""
    function = node.attrs['function'].rpartition('.')[2]
    if function in ('sum', 'mean') and _is_whole_mask(node):
        return _count(node, args[0], is_mean=function == 'mean')
    if function in _UFUNCS:
        return _by_ufunc(node, _UFUNCS[function], args)
    return _mean(node, args, has_elements) if function == 'mean' else None


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


def _is_whole_mask(node: Node) -> bool:
    """Whether all elements of an array of truths are taken together, and there are some."""
    type_, options = node.inputs[0].type, _options(node.attrs['arguments'])
    if type_.dtype.kind != 'b' or options is None or type_.shape is None or None in type_.shape:
        return False
    return options.get('axis') is None and not options.get('keepdims') and 0 not in type_.shape


def _count(node: Node, mask: ast.expr, is_mean: bool) -> ast.expr | None:
    """How many are true; of all, if that is asked."""
    count: ast.expr = call('numpy.count_nonzero', mask)
    if is_mean:
        size = math.prod(length or 0 for length in node.inputs[0].type.shape or ())
        return call('numpy.float64', _over(count, number(size)))
    return call('numpy.intp', count) if node.outputs[0].type.dtype == np.intp else None


def _by_ufunc(
    node: Node, ufunc: str, args: Sequence[ast.expr], **more: Any
) -> ast.expr | None:
    """The reduction by the ufunc's own method, which unlike NumPy's function has axis 0 if none."""
    options = _options(node.attrs['arguments'])
    if options is None:
        return None
    axis = options.pop('axis', None)
    if axis is not None or node.inputs[0].type.shape is None or len(node.inputs[0].type.shape) != 1:
        options = {'axis': axis, **options}
    arguments = Arguments((Slot(0),), tuple({**options, **more}.items()))
    return written(node, f'numpy.{ufunc}.reduce', arguments, args)


def _mean(
    node: Node, args: Sequence[ast.expr], has_elements: HasElements
) -> ast.expr | None:
    """The sum over the count, which is not 0; NumPy takes the mean of integers as of floats."""
    x = node.inputs[0]
    options = _options(node.attrs['arguments'])
    is_exact = x.type.dtype.kind in 'biu'
    if options is None or x.type.shape is None or not (is_exact or x.type.dtype.char in 'fd'):
        return None
    axis = options.get('axis')
    axes = tuple(range(len(x.type.shape))) if axis is None else axis
    axes = axes if isinstance(axes, tuple) else (axes,)
    lengths = [x.type.shape[i] for i in axes]
    total = _by_ufunc(node, 'add', args, **({'dtype': np.dtype(float)} if is_exact else {}))
    if total is None:
        return None
    if None not in lengths:
        count = math.prod(length or 0 for length in lengths)
        return _over(total, number(count)) if 0 < count < _LONGEST_MEAN else None
    if len(lengths) > 1 or x.type.dtype.char == 'f' or not has_elements(x, axes[0]):
        return None
    shape = ast.Attribute(args[0], 'shape', ast.Load())
    return _over(total, ast.Subscript(shape, number(axes[0]), ast.Load()))


def _over(total: ast.expr, count: ast.expr) -> ast.expr:
    return ast.BinOp(total, ast.Div(), count)
