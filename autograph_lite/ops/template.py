"""Templates: the arguments of a call as written, with holes where values of the graph go.

`np.stack([x, y], axis=-1)` has the arguments `([Slot(0), Slot(1)],)` and `axis=-1`. A template is
immutable, compares by value, can be filled with anything, and is written back as Python source.
"""
from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor
from ..graph.tracing import constant, static_value


@dataclass(frozen=True)
class Slot:
    """A hole: the value of one input of the node."""

    index: int


@dataclass(frozen=True)
class Listed:
    """A list; its items may hold holes."""

    items: tuple[Any, ...]


@dataclass(frozen=True)
class Sliced:
    """A slice; its bounds may be holes."""

    start: Any
    stop: Any
    step: Any


@dataclass(frozen=True)
class Arguments:
    """The arguments of a call."""

    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...] = ()

    def fill(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with the values in the holes."""
        return (
            [fill(part, values) for part in self.args],
            {name: fill(part, values) for name, part in self.kwargs},
        )

    def write(self, values: Sequence[ast.expr]) -> tuple[list[ast.expr], list[ast.keyword]]:
        """The arguments as source, with these expressions in the holes."""
        return (
            [write(part, values) for part in self.args],
            [ast.keyword(name, write(part, values)) for name, part in self.kwargs],
        )


class Inputs:
    """The tensors that `freeze` met, in the order of their holes."""

    def __init__(self, *first: Tensor) -> None:
        self.tensors: list[Tensor] = list(first)
        self._slots = {id(tensor): index for index, tensor in enumerate(first)}

    def slot(self, tensor: Tensor) -> Slot:
        """The hole of a tensor; the same handle has one hole."""
        index = self._slots.setdefault(id(tensor), len(self.tensors))
        if index == len(self.tensors):
            self.tensors.append(tensor)
        return Slot(index)


def freeze(value: Any, inputs: Inputs) -> Any:
    """A template of the value: tensors and arrays become holes, all else stays.

    Raises:
      StagingError: it holds an object that a program cannot spell.
    """
    if isinstance(value, Tensor):
        known = static_value(value) if value.type.weak else None
        return inputs.slot(value) if known is None else known
    if isinstance(value, np.ndarray):
        return inputs.slot(constant(value))
    kind = type(value)
    if kind is tuple:
        return tuple(freeze(item, inputs) for item in value)
    if kind is list or isinstance(value, range):
        return Listed(tuple(freeze(item, inputs) for item in value))
    if kind is slice:
        parts = (value.start, value.stop, value.step)
        return Sliced(*(freeze(part, inputs) for part in parts))
    if isinstance(value, tuple):
        return tuple(freeze(item, inputs) for item in value)
    _write_atom(value)
    return value


def holds_array(value: Any) -> bool:
    """Whether the value is, or a list or tuple of it holds, a tensor or an array."""
    if isinstance(value, list | tuple):
        return any(holds_array(item) for item in value)
    return isinstance(value, Tensor | np.ndarray)


def freeze_arguments(
    args: Sequence[Any], kwargs: dict[str, Any], inputs: Inputs
) -> Arguments:
    """A template of the arguments of a call."""
    return Arguments(
        tuple(freeze(value, inputs) for value in args),
        tuple((name, freeze(value, inputs)) for name, value in kwargs.items()),
    )


def fill(part: Any, values: Sequence[Any]) -> Any:
    """A template with the values in its holes."""
    if isinstance(part, Slot):
        return values[part.index]
    if isinstance(part, tuple):
        return tuple(fill(item, values) for item in part)
    if isinstance(part, Listed):
        return [fill(item, values) for item in part.items]
    if isinstance(part, Sliced):
        return slice(*(fill(bound, values) for bound in (part.start, part.stop, part.step)))
    return part


def write(part: Any, values: Sequence[ast.expr]) -> ast.expr:
    """A template as source, with these expressions in its holes."""
    if isinstance(part, Slot):
        return values[part.index]
    if isinstance(part, tuple):
        return ast.Tuple([write(item, values) for item in part], ast.Load())
    if isinstance(part, Listed):
        return ast.List([write(item, values) for item in part.items], ast.Load())
    if isinstance(part, Sliced):
        bounds = [write(bound, values) for bound in (part.start, part.stop, part.step)]
        return ast.Call(ast.Name('slice', ast.Load()), bounds, [])
    return _write_atom(part)


def write_index(part: Any, values: Sequence[ast.expr]) -> ast.expr:
    """A template as what stands between the brackets of a subscript."""
    if isinstance(part, tuple) and part:
        return ast.Tuple([write_index(item, values) for item in part], ast.Load())
    if isinstance(part, Sliced):
        bounds = [
            None if bound is None else write(bound, values)
            for bound in (part.start, part.stop, part.step)
        ]
        return ast.Slice(*bounds)
    return write(part, values)


def dotted(name: str) -> ast.expr:
    """`np.linalg.inv` for the public name 'numpy.linalg.inv'; a builtin by its bare name."""
    first, *rest = name.split('.')
    if first == 'builtins':
        first, *rest = rest
    node: ast.expr = ast.Name('np' if first == 'numpy' else first, ast.Load())
    for attribute in rest:
        node = ast.Attribute(node, attribute, ast.Load())
    return node


def call(name: str, *args: ast.expr) -> ast.Call:
    """A call of a function by its public name."""
    return ast.Call(dotted(name), list(args), [])


def number(value: complex) -> ast.expr:
    """A Python number, spelled so that it can stand anywhere in an expression."""
    if isinstance(value, complex) and not isinstance(value, float):
        if value.real == 0 and math.copysign(1, value.real) > 0 and value.imag >= 0:
            return ast.Constant(value) if math.isfinite(value.imag) else _complex(value)
        return _complex(value)
    if isinstance(value, float) and not math.isfinite(value):
        name = dotted('numpy.nan' if math.isnan(value) else 'numpy.inf')
        return ast.UnaryOp(ast.USub(), name) if value < 0 else name
    if not isinstance(value, bool) and (value < 0 or math.copysign(1, value) < 0):
        return ast.UnaryOp(ast.USub(), ast.Constant(-value))
    return ast.Constant(value)


def _complex(value: complex) -> ast.expr:
    return call('builtins.complex', number(value.real), number(value.imag))


_PLAIN = (type(None), type(...), str, bytes)


def _write_atom(value: Any) -> ast.expr:
    """Source for a value that is known while tracing."""
    kind = type(value)
    if kind in _PLAIN:
        return ast.Constant(value)
    if kind in (bool, int, float, complex):
        return number(value)
    if isinstance(value, np.dtype):
        return _write_dtype(value)
    if isinstance(value, np.generic):
        return _write_scalar(value)
    if isinstance(value, type) and issubclass(value, np.generic):
        return dotted(f'numpy.{value.__name__}')
    if isinstance(value, type) and value.__module__ == 'builtins':
        return ast.Name(value.__name__, ast.Load())
    name = getattr(value, '__name__', '')
    if getattr(value, '__module__', 'numpy') == 'numpy' and getattr(np, name, None) is value:
        return dotted(f'numpy.{name}')
    if isinstance(value, np.busdaycalendar):
        days = ast.parse(repr(value.weekmask.tolist()), mode='eval').body
        holidays = ast.parse(repr(value.holidays.astype(str).tolist()), mode='eval').body
        return call('numpy.busdaycalendar', days, holidays)
    what = 'A Python function' if callable(value) else f'{value!r} ({kind.__name__})'
    raise StagingError(
        describe(
            f'{what} cannot be an argument of a call in the graph: it has no value there.',
            user_location(),
            'Write what it does with loops and array operations, or call it under '
            '`ag.py_function`.',
        )
    )


def _write_dtype(dtype: np.dtype[Any]) -> ast.expr:
    if dtype.isbuiltin == 1 and dtype.kind in 'biufc':
        return dotted(f'numpy.{dtype.type.__name__}')
    if dtype.kind == 'T' and dtype == np.dtypes.StringDType():
        return call('numpy.dtypes.StringDType')
    spelled: ast.expr = ast.Constant(dtype.str)
    if dtype.fields:
        spelled = ast.parse(repr(dtype.descr), mode='eval').body
    return call('numpy.dtype', spelled)


def _write_scalar(value: np.generic) -> ast.expr:
    if value.dtype.kind in 'mM':
        text = str(value.astype('int64')) if not np.isnat(value) else 'NaT'
        unit = np.datetime_data(value.dtype)
        inner: ast.expr = ast.Constant(text) if text == 'NaT' else number(int(text))
        spelled = ast.Tuple([ast.Constant(unit[0]), ast.Constant(unit[1])], ast.Load())
        return call(f'numpy.{type(value).__name__}', inner, spelled)
    inside = value.item()
    if type(inside) in (*_PLAIN, bool, int, float, complex):
        return call(f'numpy.{type(value).__name__}', _write_atom(inside))
    return call(f'numpy.{type(value).__name__}', ast.Constant(str(value)))
