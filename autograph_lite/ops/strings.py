"""Python strings that only the running graph knows.

    str       the operators and methods of `str`       `name + '!'`, `name == 'low'`, `name.upper()`
    format    an f-string                              `f'{x:.2f} is negative'`
    message   what a caught exception says             `str(error)`

`str` has the attributes of a `call`, whose type is what the method gives for another string.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import FALLBACKS
from ..graph.graph import Attrs, Node, Op, Value, declared_type
from ..graph.tensor import SPECIAL_METHODS, Tensor
from ..graph.tracing import CONSTANT, current_graph, emit, held_value, site
from ..graph.types import PYTHON_DTYPES, STRING, TensorType, python_scalar
from .call_text import write_call
from .effects import Shown, write_text
from .public_names import target, value_name
from .template import Inputs, freeze_arguments

# A literal, or a value with its conversion and format.
Part = str | tuple[Any, int, str]


def _string(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return STRING


def _format(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    parts = node.attrs['parts']
    if parts == (Shown(0, ord('s')),):
        return ast.Call(ast.Name('str', ast.Load()), [values[0]], [])
    return write_text(parts, values)


def _caught(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    function = ast.Name(node.attrs['function'], ast.Load())
    return ast.Call(function, [ast.Name(node.attrs['caught'], ast.Load())], [])


STR = Op('str', declared_type, expression=write_call)
FORMAT = Op('format', _string, expression=_format)
# `attrs['function']`, str or repr, of the exception that is called `attrs['caught']`.
MESSAGE = Op('message', _string, expression=_caught)


class StagedString(Tensor):
    """A Python string while a graph is traced.

    Attributes:
      parts: what it was put together from, while that can still be read; nothing otherwise.
    """

    __slots__ = ('_parts', '_read')

    @property
    def parts(self) -> tuple[Part, ...]:
        """What it was put together from, unless that was modified since."""
        parts: tuple[Part, ...] = getattr(self, '_parts', ())
        tensors = [part[0] for part in parts if isinstance(part, tuple)]
        now = [tensor.held for tensor in tensors if isinstance(tensor, Tensor)]
        return parts if now == getattr(self, '_read', None) else ()

    def made_of(self, parts: tuple[Part, ...]) -> StagedString:
        """The same, knowing what it was put together from."""
        tensors = [part[0] for part in parts if isinstance(part, tuple)]
        self._parts = parts
        self._read = [tensor.held for tensor in tensors if isinstance(tensor, Tensor)]
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_') or not callable(getattr(str, name, None)):
            raise AttributeError(f"'str' object has no attribute {name!r}")
        return lambda *args, **kwargs: _call(f'str.{name}', (self, *args), kwargs)

    def length(self) -> Tensor:
        """`len(self)`."""
        made: Tensor = _call('builtins.len', (self,), {})
        return made

    def as_condition(self) -> Tensor:
        """A string is true if it is not empty."""
        return self.length()

    def __contains__(self, item: Any) -> bool:
        raise _unsupported('`in`', 'Write `text.find(part) >= 0`.')

    def __repr__(self) -> str:
        return f'<str {self.name}>'


def string_constant(value: str) -> StagedString:
    """A string that is known as one that is not."""
    graph = current_graph()
    assert graph is not None
    node = graph.add(CONSTANT, (), {'value': value, 'type': STRING}, site=site())
    return StagedString(node.outputs[0])


def message(caught: str, function: str) -> StagedString:
    """What an exception says that the running graph catches, by its name in the program."""
    attrs = {'caught': caught, 'function': function}
    (made,) = emit(MESSAGE, (), attrs, names=['message'])
    return StagedString(made.held)


def formatted(parts: Sequence[Part]) -> StagedString:
    """An f-string of these parts."""
    inputs: list[Value] = []
    pieces: list[Any] = []
    for part in parts:
        if isinstance(part, tuple):
            pieces.append(Shown(len(inputs), *part[1:]))
            inputs.append(held_value(part[0]))
        else:
            pieces.append(part)
    graph = current_graph()
    assert graph is not None
    node = graph.add(FORMAT, inputs, {'parts': tuple(pieces)}, site=site(), names=['text'])
    return StagedString(node.outputs[0]).made_of(tuple(parts))


def percent(template: str, values: Any) -> StagedString:
    """`template % values`."""
    made: StagedString = _call('operator.mod', (template, values), {})
    return made


def _call(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    inputs = Inputs()
    arguments = freeze_arguments(args, kwargs, inputs)
    known_args, known_kwargs = arguments.fill([_stand_in(tensor.type) for tensor in inputs.tensors])
    type_ = _type_of(target(name)(*known_args, **known_kwargs))
    if type_ is None:
        raise _unsupported(f'`{name}`', 'Call it under `ag.py_function`.')
    attrs = {'function': name, 'arguments': arguments, 'type': type_}
    known_as = 'text' if type_ == STRING else value_name(name)
    (made,) = emit(STR, inputs.tensors, attrs, names=[known_as])
    return StagedString(made.held) if type_ == STRING else made


def _stand_in(type_: TensorType) -> Any:
    if type_ == STRING:
        return '0'
    return type_.python_type(1) if type_.weak else type_.dtype.type(1)


def _type_of(result: Any) -> TensorType | None:
    if type(result) is str:
        return STRING
    return python_scalar(type(result)) if type(result) in PYTHON_DTYPES else None


def _unsupported(what: str, fix: str) -> StagingError:
    what = f'A string that only the running graph knows does not support {what}.'
    return StagingError(describe(what, user_location(), fix))


def _operator(name: str, swapped: bool = False) -> Any:
    def method(self: StagedString, other: Any) -> Any:
        if name in ('eq', 'ne') and not isinstance(other, (str, StagedString)):
            return name == 'ne'
        return _call(f'operator.{name}', (other, self) if swapped else (self, other), {})

    return method


def _refusing(name: str) -> Any:
    def method(self: StagedString, *args: Any) -> Any:
        raise _unsupported(f'`{name}`', 'Call what needs it under `ag.py_function`.')

    return method


_OPERATORS = {
    **{name: _refusing(name) for name in SPECIAL_METHODS},
    **{f'__{name}__': _operator(name) for name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge')},
    **{f'__{name}__': _operator(name) for name in ('add', 'mul')},
    '__radd__': _operator('add', swapped=True),
    '__rmul__': _operator('mul'),
}
for _name, _method in _OPERATORS.items():
    setattr(StagedString, _name, _method)


def _staged_string(x: Tensor) -> StagedString:
    """The result of a call that gives a string."""
    return StagedString(x.held)


FALLBACKS['string'] = _staged_string
