"""`x.flat`: the items of an array as one row, to read, to assign to and to go through.

    flat_item     inputs (x, *tensors of the index)         `x.flat[index]`, a copy or a scalar
    set_flat      inputs (x, value, *tensors of the index)  `x.flat[index] = value`; x is consumed
"""
from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..graph.dispatch import SPECIAL_METHODS, attribute, setter
from ..graph.graph import Attrs, Node, Op
from ..graph.state import State
from ..graph.storage import Place
from ..graph.tensor import Tensor
from ..graph.tracing import constant, emit
from ..graph.types import TensorType, array_type
from .attributes import check_attribute
from .calls import call
from .index_types import index_type
from .indexing import as_value, index_template
from .infix import stored
from .template import Inputs, write_index


def _row(type_: TensorType) -> TensorType:
    """All items in one row."""
    shape = type_.shape
    known = None if shape is None or None in shape else math.prod(n for n in shape if n is not None)
    return array_type(type_.dtype, (known,))


def _infer_item(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return index_type(_row(types[0]), attrs['index'], types).type


def _updated(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return types[0]


def _item(node: Node, values: Sequence[ast.expr]) -> ast.Subscript:
    flat = ast.Attribute(values[0], 'flat', ast.Load())
    return ast.Subscript(flat, write_index(node.attrs['index'], values), ast.Load())


def _write(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Assign([stored(_item(node, values))], values[1])]


FLAT_ITEM = Op('flat_item', _infer_item, expression=_item)
SET_FLAT = Op('set_flat', _updated, statement=_write, updates=True)


class Flat(State):
    """`x.flat` while a graph is traced; used as a whole, a copy in one row.

    Attributes:
      of: the array.
    """

    __slots__ = ('of',)

    def __init__(self, of: Tensor) -> None:
        self.of = of

    @property
    def place(self) -> Place:
        """Where it lies in the array."""
        return _FlatPlace(self.of)

    @property
    def value(self) -> Any:
        """The items in one row."""
        return call('ndarray.flatten', (self.of,), {})

    def copy(self) -> Any:
        """The items in one row."""
        return self.value

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)

    def __getitem__(self, index: Any) -> Any:
        inputs = Inputs(self.of)
        template = index_template(index, inputs)
        return emit(FLAT_ITEM, inputs.tensors, {'index': template}, names=['item'])[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        value = as_value(value)
        inputs = Inputs(self.of)
        inputs.tensors.append(value if isinstance(value, Tensor) else constant(value))
        template = index_template(index, inputs)
        emit(SET_FLAT, inputs.tensors, {'index': template}, names=[self.of.held.name])


@dataclass(frozen=True)
class _FlatPlace(Place):
    base: Tensor

    def of(self, base: Any) -> Any:
        return Flat(base)


def _no_operator(self: Flat, *args: Any) -> Any:
    return NotImplemented


for _name in SPECIAL_METHODS:
    if _name.strip('_') not in ('getitem', 'setitem', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'):
        setattr(Flat, _name, _no_operator)


@attribute('flat')
def _flat(x: Tensor) -> Flat:
    check_attribute(x, 'flat')
    return Flat(x)


@setter('flat')
def _set_flat(x: Tensor, value: Any) -> None:
    """`x.flat = v`: the values one after the other, from the first again when there are no more."""
    check_attribute(x, 'flat')
    Flat(x)[:] = value
