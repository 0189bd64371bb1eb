"""Constants and casts, written as Python expressions."""
from __future__ import annotations

import ast
import cmath
import math
from typing import Any

import numpy as np

from ..graph.types import TensorType, VaryingType

# Longer integers are bound by name: Python limits how many digits it converts.
_MAX_BITS = 2048


def name(text: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(text, ast.Load())


def numpy_name(text: str) -> ast.Attribute:
    """`np.` something."""
    return ast.Attribute(name('np'), text, ast.Load())


def call(function: ast.expr, *args: ast.expr) -> ast.Call:
    """A call with positional arguments."""
    return ast.Call(function, list(args), [])


def thing(value: Any) -> ast.expr:
    """Any object, to be bound by name."""
    return ast.Constant(value)


def number(value: complex) -> ast.expr:
    """A Python number."""
    if isinstance(value, complex):
        is_positive = math.copysign(1, value.real) > 0 and math.copysign(1, value.imag) > 0
        if is_positive and value.real == 0 and value.imag < math.inf:
            return ast.Constant(value)
        if value.real and value.imag and cmath.isfinite(value):  # Python computes it once
            imaginary = ast.Constant(complex(0, abs(value.imag)))
            sign = ast.Sub() if value.imag < 0 else ast.Add()
            return ast.BinOp(number(value.real), sign, imaginary)
        return call(name('complex'), number(value.real), number(value.imag))
    if isinstance(value, float) and not math.isfinite(value):
        text = 'nan' if value != value else 'inf'
        return _signed_tree(numpy_name(text), math.copysign(1, value) < 0 and value == value)
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > _MAX_BITS:
            return ast.Constant(value)
        return _signed(value, value < 0)
    if isinstance(value, bool):
        return ast.Constant(value)
    return _signed(value, math.copysign(1, value) < 0)


def _signed(value: complex, negative: bool) -> ast.expr:
    return _signed_tree(ast.Constant(-value if negative else value), negative)


def _signed_tree(tree: ast.expr, negative: bool) -> ast.expr:
    return ast.UnaryOp(ast.USub(), tree) if negative else tree


def is_literal(value: Any) -> bool:
    """Whether the value is written out; anything else is bound by name."""
    if type(value) in (bool, float, complex, str, bytes):
        return True
    if type(value) is int:
        return value.bit_length() <= _MAX_BITS
    if isinstance(value, np.bool_):
        return True
    return isinstance(value, np.generic) and _digits(value) is not None


def literal(value: Any) -> ast.expr:
    """A Python number or string, or a NumPy scalar such as `np.float32(0.5)`."""
    if isinstance(value, str | bytes):
        return ast.Constant(value)
    if isinstance(value, np.bool_):
        return numpy_name('True_' if value else 'False_')
    if isinstance(value, np.generic):
        digits = _digits(value)
        assert digits is not None
        return call(dtype_name(value.dtype), digits)
    return number(value)


def _digits(value: np.generic) -> ast.expr | None:
    """The shortest Python number that the scalar's type takes to this very scalar."""
    kind = value.dtype.kind
    if kind not in 'iufc' or not value.dtype.isnative or value.dtype.char in 'gG':
        return None
    exact = value.item()
    if kind == 'f' and math.isfinite(exact):
        short = float(str(value))
        if type(value)(short).tobytes() == value.tobytes():
            exact = short
    return number(exact) if type(value)(exact).tobytes() == value.tobytes() else None


def dtype_name(dtype: np.dtype[Any]) -> ast.expr:
    """How a program names the dtype."""
    if dtype.isnative and dtype.kind in 'biufc':
        return numpy_name('bool_' if dtype.kind == 'b' else dtype.name)
    return call(numpy_name('dtype'), ast.Constant(dtype.str))


def cast(tree: ast.expr, source: TensorType, target: TensorType) -> ast.expr:
    """A value taken to the type of a join."""
    if isinstance(target, VaryingType):
        return tree
    if target.weak:
        return call(name(target.python_type.__name__), tree)
    if source.kind != 'array':
        return call(dtype_name(target.dtype), tree)
    if source.dtype != target.dtype:
        tree = call(ast.Attribute(tree, 'astype', ast.Load()), dtype_name(target.dtype))
    if target.kind == 'scalar':
        tree = ast.Subscript(tree, ast.Tuple([], ast.Load()), ast.Load())
    return tree


def cast_constant(value: Any, target: TensorType) -> Any:
    """A Python number or NumPy scalar of the target's type, known before the program runs."""
    if isinstance(target, VaryingType):
        return value
    if target.weak:
        return target.python_type(value)
    return target.dtype.type(value)
