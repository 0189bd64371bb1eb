"""Strings, and bytes, of which only the running graph knows which they are.

    str       operators and methods of `str`, `bytes`  `name + '!'`, `name == 'low'`, `name.upper()`
    str_item  what an index or a slice takes           `name[0]`, `name[:-1]`
    format    an f-string                              `f'{x:.2f} is negative'`

`str` has the attributes of a `call`, whose type is what the method gives for another string.
"""
from __future__ import annotations

import ast
import functools
import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.advice import GIVE_A_VALUE, TAKE_IN_A_LOOP
from ..graph.dispatch import FALLBACKS
from ..graph.graph import Attrs, Node, Op, Value, declared_type
from ..graph.storage import Memory
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, current_graph, emit, held_value, site
from ..graph.types import (
    BYTES,
    PYTHON_TEXTS,
    STRING,
    ListType,
    ObjectType,
    TensorType,
    python_scalar,
    python_text,
    text_type,
    type_of,
)
from .call_text import write_picked
from .calls import carrier
from .effects import Shown, write_text
from .public_names import target, value_name
from .template import Arguments, Inputs, Sliced, freeze, freeze_arguments, write_index

# A literal, or a value with its conversion and format.
Part = str | tuple[Any, int, str]


def _string(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return STRING


def _format(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    parts = node.attrs['parts']
    if parts == (Shown(0, ord('s')),):
        return ast.Call(ast.Name('str', ast.Load()), [values[0]], [])
    return write_text(parts, values)


def _item_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    """An item of bytes is a number; a slice of them is bytes."""
    if python_text(types[0].present) is not bytes:
        return STRING
    return BYTES if isinstance(attrs['index'], Sliced) else python_scalar(int)


def _item(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return ast.Subscript(values[0], write_index(node.attrs['index'], values), ast.Load())


STR = Op('str', declared_type, expression=write_picked)
ITEM = Op('str_item', _item_type, expression=_item)
FORMAT = Op('format', _string, expression=_format)


class StagedText(Tensor):
    """A Python string, or Python's bytes, while a graph is traced."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        of = carrier(self.type.present)
        if name.startswith('_') or not callable(getattr(of, name, None)):
            raise AttributeError(f'{of.__name__!r} object has no attribute {name!r}')
        if self.type.maybe:
            return getattr(FALLBACKS['with_attributes'](self, name), name)
        return lambda *args, **kwargs: text_call(f'{of.__name__}.{name}', (self, *args), kwargs)

    def length(self) -> Tensor:
        """`len(self)`."""
        made: Tensor = text_call('builtins.len', (self,), {})
        return made

    def listed(self) -> Tensor:
        """`list(self)`."""
        made: Tensor = text_call('builtins.list', (self,), {})
        return made

    def as_condition(self) -> Tensor:
        """A text is true if it is not empty."""
        return self.length()

    def __iter__(self) -> Iterator[Any]:
        raise self._misused('as an iterable whose length is not known', TAKE_IN_A_LOOP)

    def __len__(self) -> int:
        raise self._misused('by len() where its length is not known', GIVE_A_VALUE)

    def __contains__(self, item: Any) -> bool:
        raise unsupported('`in`', 'Write `text.find(part) >= 0`.')

    def _described(self) -> str:
        """What messages call it."""
        return f'<{self.type} {self.name}>'


class StagedBytes(StagedText):
    """Python's bytes while a graph is traced."""

    __slots__ = ()

    def __bytes__(self) -> bytes:
        raise self._misused('by `%`, or as bytes that Python makes', 'Put them together by `+`.')


class StagedString(StagedText):
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

    def _described(self) -> str:
        """What messages call it."""
        text = _shown(self.held)
        return text if text == _named(self.held) else repr(text)

    def __str__(self) -> str:
        """What is shown while tracing: the tensors in it as they are shown then."""
        FALLBACKS['check shown'](self)
        return _shown(self.held)


class _Symbol:
    """Stands for a tensor where text is put together while tracing."""

    def __init__(self, value: Value) -> None:
        self._text = Tensor(value)._described()

    def __repr__(self) -> str:
        return self._text

    def __format__(self, spec: str) -> str:
        return self._text


def _named(value: Value) -> str:
    return f'<str {value.name}>'


def _shown(value: Value) -> str:
    """A string as it is shown while tracing; what no symbol can be in by its name alone."""
    node = value.node
    if value.type != STRING or node is None:
        return _named(value)
    inputs = [_shown(x) if x.type == STRING else _Symbol(x) for x in node.inputs]
    if node.op is CONSTANT:
        return str(node.attrs['value'])
    if node.op is FORMAT:
        parts = node.attrs['parts']
        return ''.join(
            format(inputs[part.index], '') if isinstance(part, Shown) else part for part in parts
        )
    if node.op is STR:
        args, kwargs = node.attrs['arguments'].fill(inputs)
        try:
            found = target(node.attrs['function'])(*args, **kwargs)
            return str(functools.reduce(operator.getitem, node.attrs['pick'], found))
        except (TypeError, ValueError):  # it asks for a value
            return _named(value)
    return _named(value)


def text_constant(value: str | bytes) -> StagedText:
    """A string, or bytes, known while tracing, as what is not."""
    graph = current_graph()
    assert graph is not None
    attrs = {'value': value, 'type': text_type(value)}
    return text_handle(graph.add(CONSTANT, (), attrs, site=site()).outputs[0])


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


def formatted_by(value: Any, spec: StagedString) -> StagedString:
    """`format(value, spec)` of a number or a text."""
    made: StagedString = text_call('builtins.format', (value, spec), {})
    return made


def percent(template: str, values: Any) -> StagedString:
    """`template % values`."""
    made: StagedString = text_call('operator.mod', (template, values), {})
    return made


def joined(separator: str | bytes | StagedText, texts: Any) -> Any:
    """`separator.join(texts)`, of a staged list of strings, or of bytes."""
    kind = 'bytes' if isinstance(separator, bytes | StagedBytes) else 'str'
    return text_call(f'{kind}.join', (separator, texts), {})


def bytes_of(*args: Any, **kwargs: Any) -> Any:
    """`bytes(...)` of what only the running graph knows."""
    return text_call('builtins.bytes', args, kwargs)


def item_of_text(x: Tensor, index: Any) -> Tensor:
    """`x[index]` of a string, of bytes, or of a text of NumPy's that is no array.

    Raises:
      TypeError: the index is neither an integer nor a slice.
    """
    is_number = isinstance(index, int | np.integer) or (
        isinstance(index, Tensor) and index.type.kind != 'array' and index.type.dtype.kind in 'iu'
    )
    if not is_number and not isinstance(index, slice):
        ''.__getitem__(carrier(index.type)(0) if isinstance(index, Tensor) else index)
    inputs = Inputs(x)
    template = freeze(index if is_number else FALLBACKS['bounds there'](index), inputs)
    (made,) = emit(ITEM, inputs.tensors, {'index': template}, names=['text'])
    return _handle(made)


def in_text(part: Any, text: str | bytes) -> Any:
    """`part in text`, of a part that only the running graph knows.

    Raises:
      TypeError: it is no text.
    """
    if isinstance(part, Tensor) and part.type.kind == 'array':
        return carrier(part.type)(0) in text
    return text_call('operator.contains', (text, part), {})


def text_call(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A call by its public name, of texts that only the running graph knows."""
    inputs = Inputs()
    arguments = freeze_arguments(args, kwargs, inputs)
    known_args, known_kwargs = arguments.fill([stand_in(tensor.type) for tensor in inputs.tensors])
    try:
        known = target(name)(*known_args, **known_kwargs)
    except (ValueError, LookupError):
        known = _KNOWN.get(name.partition('.')[2])
        if known is None:
            raise
    if type(known) is tuple:
        parts = enumerate(map(_type_of, known))
        return tuple(_picked(name, arguments, inputs, type_, (i,)) for i, type_ in parts)
    return _picked(name, arguments, inputs, _type_of(known), ())


# What a method gives, of a class of its own, where it finds what it is given.
_KNOWN: dict[str, Any] = {'index': 0, 'rindex': 0, 'encode': b'', 'decode': ''}


def _picked(
    name: str, arguments: Arguments, inputs: Inputs, type_: TensorType | None, pick: tuple[int, ...]
) -> Any:
    """The result of a call, or the one of several that is picked."""
    if type_ is None:
        raise unsupported(f'`{name}`', 'Call it under `ag.py_function`.')
    attrs = {'function': name, 'arguments': arguments, 'type': type_, 'pick': pick}
    known_as = value_name(name) if python_text(type_) is None else 'text'
    (made,) = emit(STR, inputs.tensors, attrs, names=[known_as])
    return _handle(made)


def _handle(made: Tensor) -> Tensor:
    if isinstance(made.type, ListType):
        listed: Tensor = FALLBACKS['list'](made)
        return listed
    return text_handle(made.held) if isinstance(made.type, ObjectType) else made


def text_handle(value: Value, memory: Memory | None = None) -> StagedText:
    """What stands for a string, or bytes."""
    kind = StagedBytes if value.type.present == BYTES else StagedString
    return kind(value, memory)


def stand_in(type_: TensorType | ListType) -> Any:
    """A value of a type, to learn what Python makes of such a one."""
    if isinstance(type_, ListType):
        return [] if type_.element is None else [stand_in(type_.element)]
    if python_text(type_) is not None:
        return b'0' if python_text(type_) is bytes else '0'
    if type_.dtype.kind in 'mM':
        return np.array(1, type_.dtype)[()]
    return type_.python_type(1) if type_.weak else type_.dtype.type(1)


def _type_of(result: Any) -> TensorType | None:
    if type(result) in PYTHON_TEXTS:
        return PYTHON_TEXTS[type(result)]
    if type(result) is list:
        return ListType(element=_type_of(result[0]))
    return type_of(result)


def unsupported(what: str, fix: str) -> StagingError:
    """The error of what a text of the graph cannot do."""
    what = f'A text that only the running graph knows does not support {what}.'
    return StagingError(describe(what, user_location(), fix))


FALLBACKS['handle'] = _handle
FALLBACKS['item of text'] = item_of_text
