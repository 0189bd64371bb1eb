"""`ufunc`: every universal function of NumPy, with NumPy's own rules for dtypes and shapes.

    ufunc      inputs (*operands, mask?)       `np.add(x, y)`, `x + y`
    ufunc_out  inputs (out, *operands, mask?)  `np.add(x, y, out=z)`, `x += y`; z is consumed

`attrs['ufunc']` is the public name ('numpy.add'), `attrs['arguments']` the template of the call and
`attrs['operator']` the operator ('add') if it was written as one. Operands are always inputs, also
numbers. The spelling is kept: `x ** 2` and `np.power(x, 2)` may differ in the last bit.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.dispatch import FALLBACKS
from ..graph.graph import Attrs, Node, Op
from ..graph.tensor import Tensor
from ..graph.tracing import constant, emit, is_tracing
from ..graph.types import TensorType, result_type, type_of
from .broadcasting import BroadcastError, assume, broadcast
from .calls import CALL, answer, call
from .infix import IN_PLACE, in_place, infix
from .public_names import public_name, target, value_name
from .template import Arguments, Inputs, Slot, dotted, freeze


def _operands(types: Sequence[TensorType], arguments: Arguments) -> list[TensorType]:
    return [types[slot.index] for slot in arguments.args]


def _resolved(ufunc: np.ufunc, types: Sequence[TensorType], attrs: Attrs) -> list[np.dtype[Any]]:
    """The dtypes of the outputs, by the ufunc itself.

    Raises:
      TypeError: NumPy has no loop for these operands, or may not cast to the output.
    """
    arguments: Arguments = attrs['arguments']
    options = dict(arguments.kwargs)
    given = {name: options[name] for name in ('signature', 'casting') if name in options}
    if options.get('dtype') is not None:
        given['signature'] = (None,) * ufunc.nin + (np.dtype(options['dtype']),) * ufunc.nout
    out = options.get('out')
    outputs = (None,) * ufunc.nout if out is None else (types[out.index].dtype,)
    resolved = ufunc.resolve_dtypes(
        (*(t.promotion for t in _operands(types, arguments)), *outputs),
        **given,
    )
    return list(resolved[ufunc.nin :])


def _infer(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    arguments: Arguments = attrs['arguments']
    ufunc: Any = target(attrs['ufunc'])
    if ufunc.signature:
        return answer(attrs['ufunc'], arguments, types).types
    try:
        shape = broadcast(t.shape for t in types)
    except BroadcastError:
        raise _misfit(ufunc, types, arguments) from None
    return tuple(result_type(dtype, shape) for dtype in _resolved(ufunc, types, attrs))


def _infer_out(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    arguments: Arguments = attrs['arguments']
    ufunc: Any = target(attrs['ufunc'])
    if ufunc.signature:
        kwargs = tuple((name, part) for name, part in arguments.kwargs if name != 'out')
        known = None not in (types[0].shape or ())
        answer(attrs['ufunc'], arguments if known else replace(arguments, kwargs=kwargs), types)
        return types[0]
    _resolved(ufunc, types, attrs)
    out = types[0].shape
    try:
        shape = broadcast(t.shape for t in types)
    except BroadcastError:
        raise _misfit(ufunc, types, arguments) from None
    if out is not None and shape is not None and not _fits(shape, out):
        raise _misfit(ufunc, types, arguments)
    return types[0]


def _fits(shape: Sequence[int | None], out: Sequence[int | None]) -> bool:
    """Whether the output may have the broadcast shape: an output is never stretched."""
    return len(shape) == len(out) and all(
        n == m or n is None or m is None for n, m in zip(shape, out, strict=True)
    )


def _misfit(ufunc: Any, types: Sequence[TensorType], arguments: Arguments) -> Exception:
    """NumPy's own error for operands that do not broadcast."""
    stand_ins: list[Any] = [
        np.broadcast_to(np.zeros((), t.dtype), assume(t.shape)) for t in types
    ]
    args, kwargs = arguments.fill(stand_ins)
    if 'out' in kwargs:
        kwargs['out'] = np.empty(assume(types[0].shape), types[0].dtype)
    try:
        ufunc(*args, **kwargs)
    except ValueError as error:
        return error
    return ValueError('operands could not be broadcast together')


def _expression(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    args, keywords = node.attrs['arguments'].write(values)
    if node.attrs['operator']:
        return infix(node.attrs['operator'], args)
    return ast.Call(dotted(node.attrs['ufunc']), args, keywords)


def _statement(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    if node.attrs['operator'] in IN_PLACE:
        args, _ = node.attrs['arguments'].write(values)
        return [in_place(node.attrs['operator'], args[0], args[1])]
    return [ast.Expr(overwriting(node, values))]


def overwriting(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    """The call that an update in place is, as an expression that gives the updated array."""
    args, keywords = node.attrs['arguments'].write(values)
    return ast.Call(dotted(node.attrs['ufunc']), args, keywords)


UFUNC = Op('ufunc', _infer, expression=_expression)
UFUNC_OUT = Op('ufunc_out', _infer_out, statement=_statement, updates=True)


def apply(
    ufunc: np.ufunc, operands: Sequence[Any], operator: str = '', **options: Any
) -> tuple[Tensor, ...]:
    """Traces a call of a ufunc that makes new arrays; one tensor for each output.

    Args:
      ufunc: the function.
      operands: tensors, arrays and numbers.
      operator: the operator, if it was written as one.
      options: `where`, `dtype`, `casting`, ...
    """
    inputs = Inputs()
    arguments = _arguments(operands, options, inputs)
    name = public_name(ufunc)
    attrs = {'ufunc': name, 'arguments': arguments, 'operator': operator}
    return emit(UFUNC, inputs.tensors, attrs, names=[value_name(name)] * ufunc.nout)


def apply_into(
    out: Tensor, ufunc: np.ufunc, operands: Sequence[Any], operator: str = '', **options: Any
) -> Tensor:
    """Traces a call of a ufunc that writes to the array `out`, which it gives back."""
    inputs = Inputs(out)
    arguments = _arguments(operands, {**options, 'out': out}, inputs)
    attrs = {'ufunc': public_name(ufunc), 'arguments': arguments, 'operator': operator}
    return emit(UFUNC_OUT, inputs.tensors, attrs, names=[out.name])[0]


def _arguments(operands: Sequence[Any], options: dict[str, Any], inputs: Inputs) -> Arguments:
    args = []
    for operand in operands:
        args.append(Slot(len(inputs.tensors)))
        inputs.tensors.append(operand if isinstance(operand, Tensor) else constant(operand))
    kwargs = []
    for key, value in options.items():
        if key == 'where' and not isinstance(value, Tensor):
            if value is True:
                continue
            value = constant(np.asarray(value))
        kwargs.append((key, freeze(value, inputs)))
    return Arguments(tuple(args), tuple(kwargs))


def operand(x: Any) -> Any:
    """An operand of a ufunc as a tensor, array, NumPy scalar or number; None for anything else."""
    if isinstance(x, Tensor) or type_of(x) is not None:
        return x
    if isinstance(x, list | tuple):
        return call('numpy.asarray', (x,), {})
    if isinstance(x, int):
        return int(x)
    if isinstance(x, float | complex):
        return float(x) if isinstance(x, float) else complex(x)
    return np.asarray(x)[()] if isinstance(x, str | bytes) else None


def _ufunc(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """What `Tensor.__array_ufunc__` does."""
    if not is_tracing():
        return NotImplemented
    if method != '__call__':
        return call(f'{public_name(ufunc)}.{method}', inputs, kwargs)
    operands = [operand(x) for x in inputs]
    if any(x is None for x in operands):
        return NotImplemented
    options = dict(kwargs)
    outs = options.pop('out', (None,))
    outs = outs if isinstance(outs, tuple) else (outs,)
    if all(out is None for out in outs):
        results = apply(ufunc, operands, **options)
        return results[0] if ufunc.nout == 1 else results
    outs = tuple(constant(x) if isinstance(x, np.ndarray) else x for x in outs)
    for out in outs:
        if out is not None and not (isinstance(out, Tensor) and out.type.kind == 'array'):
            raise TypeError('return arrays must be of ArrayType')
    if ufunc.nout == 1:
        return apply_into(outs[0], ufunc, operands, **options)
    results = _apply_to_copies(outs, ufunc, operands, options)
    for out, result in zip(outs, results, strict=True):
        if out is not None:
            call('numpy.copyto', (out, result), {})
    return tuple(
        result if out is None else out for out, result in zip(outs, results, strict=True)
    )


def _apply_to_copies(
    outs: tuple[Tensor | None, ...],
    ufunc: np.ufunc,
    operands: Sequence[Any],
    options: dict[str, Any],
) -> tuple[Tensor, ...]:
    """A call that writes several outputs, each to a copy: a node modifies one array at most."""
    name = public_name(ufunc)
    copies = tuple(None if out is None else call('ndarray.copy', (out,), {}) for out in outs)
    inputs = Inputs()
    arguments = _arguments(operands, {**options, 'out': copies}, inputs)
    found = answer(name, arguments, [tensor.type.present for tensor in inputs.tensors])
    attrs = {'function': name, 'arguments': arguments, 'types': found.types, 'pick': ()}
    return emit(CALL, inputs.tensors, attrs, names=[value_name(name)] * ufunc.nout)


FALLBACKS['ufunc'] = _ufunc
