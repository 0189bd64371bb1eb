"""Python's operators on tensors: NumPy's ufuncs, or Python's own arithmetic between numbers."""
from __future__ import annotations

import ast
import operator as python
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import operator
from ..graph.graph import Node, Op
from ..graph.nest import LEAF
from ..graph.tensor import Tensor
from ..graph.tracing import emit, static_value
from ..graph.types import TensorType, python_scalar, scalar_type, type_of
from .calls import call, rule
from .inference import Answer
from .template import Arguments, Slot
from .ufuncs import apply, apply_into, operand

BINARY: dict[str, np.ufunc] = {
    'add': np.add,
    'sub': np.subtract,
    'mul': np.multiply,
    'truediv': np.true_divide,
    'floordiv': np.floor_divide,
    'mod': np.remainder,
    'pow': np.power,
    'matmul': np.matmul,
    'and': np.bitwise_and,
    'or': np.bitwise_or,
    'xor': np.bitwise_xor,
    'lshift': np.left_shift,
    'rshift': np.right_shift,
}
COMPARISONS: dict[str, np.ufunc] = {
    'lt': np.less,
    'le': np.less_equal,
    'eq': np.equal,
    'ne': np.not_equal,
    'gt': np.greater,
    'ge': np.greater_equal,
}
UNARY: dict[str, np.ufunc] = {
    'neg': np.negative,
    'pos': np.positive,
    'invert': np.invert,
    'abs': np.absolute,
}


def _type(x: Any) -> TensorType:
    type_ = x.type.present if isinstance(x, Tensor) else type_of(x)
    assert type_ is not None
    return type_


def _fit(x: Any, y: Any) -> Any:
    """The other operand as NumPy takes it; None where NumPy, or Python, would not."""
    if isinstance(y, list | tuple | str | bytes) and _type(x).weak:
        return None
    return operand(y)


def binary(name: str, x: Any, y: Any) -> Any:
    """Traces `x + y` for operands of which one is a tensor, by the name of the operator."""
    if _type(x).weak and _type(y).weak:
        return _between_numbers(name, x, y)
    if name == 'matmul' and 'array' not in (_type(x).kind, _type(y).kind):
        return NotImplemented
    if _type(x) == python_scalar(complex) and _type(y) == scalar_type(np.float64):
        # A np.float64 is a Python float to `complex.__add__`, which gives a Python complex.
        return call(f'operator.{getattr(python, f"__{name}__").__name__}', (x, y), {})
    if name == 'pow' and not _is_power(x, y):
        return call('operator.pow', (x, y), {})
    ufunc = BINARY.get(name) or COMPARISONS[name]
    if not _applies(ufunc, x, y):
        return call(f'operator.{getattr(python, f"__{name}__").__name__}', (x, y), {})
    spelled = '' if name == 'pow' and _is_fickle(x, y) else name
    return apply(ufunc, (x, y), operator=spelled)[0]


def _applies(ufunc: np.ufunc, x: Any, y: Any) -> bool:
    """Whether the operator is the ufunc: what it has no loop for is different to `==`, an error of
    the operator's own to others.
    """
    try:
        ufunc.resolve_dtypes((_type(x).promotion, _type(y).promotion, *[None] * ufunc.nout))
    except TypeError:
        return False
    return True


def _is_fickle(x: Any, y: Any) -> bool:
    """Whether the dtype of `x ** y` depends on the value of y; that of np.power does not."""
    base, exponent = _type(x), _type(y)
    return static_value(y) is None and base.kind == 'array' and (
        base.dtype.kind == 'b' or (base.dtype.kind in 'iu' and exponent.kind == 'scalar')
    )


def _is_power(x: Any, y: Any) -> bool:
    """Whether `x ** y` has the type of `np.power`; a boolean array to the power of 2 has not."""
    exponent = static_value(y)
    if _type(x).kind != 'array' or type(exponent) not in (bool, int, float, complex):
        return True
    dtype = _type(x).dtype
    with np.errstate(all='ignore'):
        power = (np.ones(0, dtype) ** exponent).dtype  # without a value to refuse
    return bool(np.power.resolve_dtypes((dtype, _type(exponent).promotion, None))[-1] == power)


def _between_numbers(name: str, x: Any, y: Any) -> Any:
    """Python's own operator between Python numbers."""
    if name == 'matmul':
        return NotImplemented
    left, right = static_value(x), static_value(y)
    function = getattr(python, f'__{name}__')
    if left is not None and right is not None:
        return function(left, right)
    if name == 'pow' and right is None and all(_type(n).dtype.kind in 'bi' for n in (x, y)):
        return emit(INTEGER_POWER, [x, y])[0]
    return call(f'operator.{function.__name__}', (x, y), {})


def integer_power(n: int, k: int) -> int:
    """`n ** k` of Python's integers where the program counts on an integer.

    Raises:
      StagingError: the exponent is negative, so that the result is a float.
    """
    if k < 0:
        raise StagingError(
            'An integer to a negative power is a float, and the program counts on an integer: '
            'write `float(n) ** k`.'
        )
    power: int = n**k
    return power


def _write_power(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    function: Any = integer_power
    return ast.Call(ast.Constant(function), list(values), [])


INTEGER_POWER = Op('power', lambda types, _: python_scalar(int), expression=_write_power)


@rule('operator.pow')
def _power_of_numbers(
    name: str, types: Sequence[TensorType], arguments: Arguments
) -> Answer | None:
    """Powers of floats are floats, but for the complex root of a negative number, which NumPy and
    `math` refuse: it may reach only what takes a complex number when the graph runs.
    """
    parts = [types[p.index] if isinstance(p, Slot) else type_of(p) for p in arguments.args]
    if all(t is not None and t.weak and t.dtype.kind in 'bif' for t in parts) and any(
        t is not None and t.dtype.kind == 'f' for t in parts
    ):
        return Answer(LEAF, (python_scalar(float),), ((),))
    return None


def _forward(name: str) -> Callable[..., Any]:
    def forward(x: Tensor, y: Any, *modulus: Any) -> Any:
        if modulus:
            return call('builtins.pow', (x, y, *modulus), {})
        other = _fit(x, y)
        return _mismatch(name, x, y) if other is None else binary(name, x, other)

    return forward


def _reflected(name: str) -> Callable[..., Any]:
    def reflected(x: Tensor, y: Any, *modulus: Any) -> Any:
        if modulus:
            return call('builtins.pow', (y, x, *modulus), {})
        other = _fit(x, y)
        return NotImplemented if other is None else binary(name, other, x)

    return reflected


def _in_place(name: str) -> Callable[..., Any]:
    def in_place(x: Tensor, y: Any) -> Any:
        other = _fit(x, y)
        if other is None:
            return NotImplemented
        if x.type.kind != 'array':
            return binary(name, x, other)
        return apply_into(x, BINARY[name], (x, other), operator=name)

    return in_place


def _unary(name: str) -> Callable[..., Any]:
    def unary(x: Tensor) -> Any:
        if x.type.weak:
            return call(f'operator.{name}', (x,), {})
        return apply(UNARY[name], (x,), operator=name)[0]

    return unary


def _mismatch(name: str, x: Tensor, y: Any) -> Any:
    """Comparison with what is no array, which Python answers by identity; else a TypeError."""
    if name in ('eq', 'ne') and not x.type.weak and not hasattr(y, '__array_ufunc__'):
        raise StagingError(
            describe(
                f'{x!r} is compared with {y!r}, elementwise.',
                user_location(),
                'Write `x is None` to ask whether there is an array.' if y is None else '',
            )
        )
    return NotImplemented


for _name in BINARY:
    operator(f'__{_name}__')(_forward(_name))
    operator(f'__r{_name}__')(_reflected(_name))
    operator(f'__i{_name}__')(_in_place(_name))
for _name in COMPARISONS:
    operator(f'__{_name}__')(_forward(_name))
for _name in UNARY:
    operator(f'__{_name}__')(_unary(_name))


def _divmod(x: Any, y: Any) -> Any:
    if (_type(x).weak and _type(y).weak) or not _applies(np.divmod, x, y):
        return call('builtins.divmod', (x, y), {})
    return apply(np.divmod, (x, y), operator='divmod')


@operator('__divmod__')
def _divmod_forward(x: Tensor, y: Any) -> Any:
    other = _fit(x, y)
    return NotImplemented if other is None else _divmod(x, other)


@operator('__rdivmod__')
def _divmod_reflected(x: Tensor, y: Any) -> Any:
    other = _fit(x, y)
    return NotImplemented if other is None else _divmod(other, x)


@operator('__round__')
def _round(x: Tensor, *digits: Any) -> Any:
    return call('builtins.round', (x, *digits), {})


@operator('__floor__')
def _floor(x: Tensor) -> Any:
    return call('math.floor', (x,), {})


@operator('__ceil__')
def _ceil(x: Tensor) -> Any:
    return call('math.ceil', (x,), {})


@operator('__trunc__')
def _trunc(x: Tensor) -> Any:
    return call('math.trunc', (x,), {})
