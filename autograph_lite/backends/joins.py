"""The cheapest way to put arrays together.

    np.roll(x, 1, axis=0)      np.concatenate((x[-1:], x[:-1]), axis=0)
    np.append(x, a)            np.concatenate((x, [a])), for a vector and a scalar
    np.hstack((a, b))          np.concatenate((a, b), axis=1); of vectors, along axis 0
    np.vstack((a, b))          np.concatenate((a, b), axis=0); of vectors, np.array((a, b))
    np.column_stack((a, b))    np.concatenate((a[:, None], b[:, None]), axis=1), for vectors
    np.stack((a, b), axis=1)   np.concatenate((a[:, None], b[:, None]), axis=1)
    np.stack((a, b))           np.array((a, b)), for vectors

The results lie in memory as NumPy's do, too.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from ..graph.graph import Node
from ..graph.types import ListType, TensorType
from ..ops.template import Arguments, Listed, Slot, dotted, number, write
from .written import item

Args = Sequence[ast.expr]


def join(node: Node, args: Args) -> ast.expr | None:
    """What a call puts together; None where it is best written as it is."""
    rule = _RULES.get(node.attrs['function'])
    return None if rule is None else rule(node, args)


def _append(node: Node, args: Args) -> ast.expr | None:
    """The vector and a vector of the one number, put together."""
    types = [value.type for value in node.inputs]
    arguments: Arguments = node.attrs['arguments']
    if arguments.args != (Slot(0), Slot(1)) or arguments.kwargs or len(types) != 2:
        return None
    if not _is_array(types[0]) or len(types[0].shape or ()) != 1 or types[1].kind != 'scalar':
        return None
    pair = ast.Tuple([args[0], ast.List([args[1]], ast.Load())], ast.Load())
    return ast.Call(dotted('numpy.concatenate'), [pair], [])


def _roll(node: Node, args: Args) -> ast.expr | None:
    """The two parts of the array, the other way round."""
    arguments: Arguments = node.attrs['arguments']
    given = dict(zip(('shift', 'axis'), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    shift, axis, shape = given.get('shift'), given.get('axis'), node.inputs[0].type.shape
    if arguments.args[:1] != (Slot(0),) or not _is_array(node.inputs[0].type):
        return None
    if not node.inputs[0].type.dtype.isnative:  # to put together is to bring into native order
        return None
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
        item(args[0], [*before, ast.Slice(lower=number(-shift))]),
        item(args[0], [*before, ast.Slice(upper=number(-shift))]),
    ]
    return _concatenated(ast.Tuple(parts, ast.Load()), axis % len(shape))


def _hstack(node: Node, args: Args) -> ast.expr | None:
    joined, ranks = _joined(node), _ranks(node)
    if joined is None or not all(ranks) or node.attrs['arguments'].kwargs:
        return None
    return _concatenated(write(joined, args), min(ranks[0] - 1, 1))


def _vstack(node: Node, args: Args) -> ast.expr | None:
    joined, ranks = _joined(node), _ranks(node)
    if joined is None or node.attrs['arguments'].kwargs:
        return None
    if _are_alike_vectors(node):
        return ast.Call(dotted('numpy.array'), [write(joined, args)], [])
    return _concatenated(write(joined, args), 0) if min(ranks) > 1 else None


def _column_stack(node: Node, args: Args) -> ast.expr | None:
    joined, ranks = _joined(node), _ranks(node)
    if joined is None or set(ranks) != {1}:
        return None
    return _concatenated(write(joined, _with_axis(args, 1)), 1)


def _stack(node: Node, args: Args) -> ast.expr | None:
    joined, ranks = _joined(node), _ranks(node)
    arguments: Arguments = node.attrs['arguments']
    options = dict(zip(('axis',), arguments.args[1:], strict=False)) | dict(arguments.kwargs)
    axis = options.pop('axis', 0)
    if joined is None or options or not ranks[0] or type(axis) is not int:
        return None
    if not _are_alike(node):  # NumPy's own words if they are not
        return None
    if not -ranks[0] - 1 <= axis <= ranks[0]:
        return None
    axis %= ranks[0] + 1
    if axis == 0 and _are_alike_vectors(node):
        return ast.Call(dotted('numpy.array'), [write(joined, args)], [])
    return _concatenated(write(joined, _with_axis(args, axis)), axis)


def _concatenated(parts: ast.expr, axis: int) -> ast.expr:
    keyword = ast.keyword('axis', number(axis))
    return ast.Call(dotted('numpy.concatenate'), [parts], [keyword])


def _with_axis(args: Args, axis: int) -> Args:
    """`x[:, None]`: the arrays with one more axis."""
    index = [*[ast.Slice()] * axis, ast.Constant(None)]
    return [item(arg, index) for arg in args]


def _joined(node: Node) -> Listed | tuple[Any, ...] | None:
    """The list or tuple of arrays that is the call's first argument; None if it holds others."""
    arguments: Arguments = node.attrs['arguments']
    first = arguments.args[0] if arguments.args else None
    parts = first.items if isinstance(first, Listed) else first
    if not isinstance(parts, tuple) or not parts:
        return None
    if not all(isinstance(part, Slot) for part in parts):
        return None
    if not all(_is_array(value.type) for value in node.inputs):
        return None
    return first


def _is_array(type_: TensorType) -> bool:
    return (
        type_.kind == 'array' and not isinstance(type_, ListType) and not type_.maybe
        and type_.shape is not None and type_.dtype.kind in 'biufc'
    )  # fmt: skip


def _ranks(node: Node) -> list[int]:
    return [len(value.type.shape or ()) for value in node.inputs]


def _are_alike_vectors(node: Node) -> bool:
    types = {value.type for value in node.inputs}
    return _are_alike(node) and len(types) == 1 and _ranks(node)[0] == 1


def _are_alike(node: Node) -> bool:
    """Whether all arrays have one shape for certain."""
    shapes = {value.type.shape for value in node.inputs}
    shape = next(iter(shapes))
    return len(shapes) == 1 and shape is not None and None not in shape


_RULES: dict[str, Callable[[Node, Args], ast.expr | None]] = {
    'numpy.append': _append,
    'numpy.roll': _roll,
    'numpy.hstack': _hstack,
    'numpy.vstack': _vstack,
    'numpy.column_stack': _column_stack,
    'numpy.stack': _stack,
}
