"""Operators on texts that only the running graph knows, and the builtins that take one."""
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dispatch import SPECIAL_METHODS, replaces
from ..graph.nest import Nest
from ..graph.tensor import Tensor
from ..graph.types import python_text, text_type
from .calls import call, carrier
from .strings import StagedText, item_of_text, stand_in, text_call, unsupported


def _class_of(x: Any) -> type[Any] | None:
    """The class of texts, str or bytes, that something is of."""
    if isinstance(x, Tensor):
        return python_text(x.type.present)
    if type_ := text_type(x):
        return carrier(type_)
    return next((kind for kind in (str, bytes) if isinstance(x, kind)), None)  # derived from that


_VALUES = (Tensor, int, float, complex, str, bytes, np.generic, type(None))


def _operator(name: str, swapped: bool = False) -> Any:
    def method(self: StagedText, other: Any) -> Any:
        operands = (other, self) if swapped else (self, other)
        if isinstance(other, Tensor) and other.type.kind == 'array':
            return call(f'operator.{name}', operands, {})
        is_other = _class_of(other) is not carrier(self.type.present)
        if is_other and name in ('eq', 'ne'):
            if not isinstance(other, _VALUES):  # which may be a text, too, or has a method for it
                return NotImplemented
            kind = carrier(other.type.present) if isinstance(other, Tensor) else type(other)
            if issubclass(kind, np.generic):  # which says so by a bool of NumPy's, or of Python's
                known = stand_in(other.type.present) if isinstance(other, Tensor) else other
                return getattr(operator, name)(stand_in(self.type.present), known)
            return name == 'ne'
        return text_call(f'operator.{name}', operands, {})

    return method


def _refusing(name: str) -> Any:
    def method(self: StagedText, *args: Any) -> Any:
        raise unsupported(f'`{name}`', 'Call what needs it under `ag.py_function`.')

    return method


_OPERATORS = {
    **{name: _refusing(name) for name in SPECIAL_METHODS},
    **{f'__{name}__': _operator(name) for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge')},
    **{f'__{name}__': _operator(name) for name in ('add', 'mul')},
    **{f'__i{name}__': _operator(name) for name in ('add', 'mul')},
    '__radd__': _operator('add', swapped=True),
    '__rmul__': _operator('mul'),
    '__getitem__': item_of_text,
}
for _name, _method in _OPERATORS.items():
    if _method is not item_of_text:
        _method.__name__ = _name
    setattr(StagedText, _name, _method)


def _of_python(function: Callable[..., Any]) -> None:
    """Lets the running graph call a builtin for what only it knows."""

    def called(x: Any) -> Any:
        taken = x.as_index() if isinstance(x, Nest) else x
        if not isinstance(taken, Tensor):
            return function(x)
        x = taken
        return text_call(f'builtins.{function.__name__}', (x,), {})

    replaces(function)(called)


for _function in (ord, chr, hex, bin, oct):
    _of_python(_function)
