"""`ag.TensorArray`: a Python list in the lowered program, with a place for each element.

    tensor_array  inputs (size)               `ag.TensorArray(np.float64, n)`
    unstack       inputs (array)              `ta.unstack(x)`
    grow          inputs (list, index)        room for an element where `dynamic_size` allows it
    write         inputs (list, index, value) `ta.write(i, x)`
    scatter       inputs (list, indices, x)   `ta.scatter([1, 3], x)`
    read, gather_elements, stack_elements, concat_elements: inputs (list, ...)

`attrs['elements']` is the `Elements` that says what may be in the list; the lowered program calls
its methods, as plain Python does.
"""
from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.graph import Attrs, Node, Op, same_type
from ..graph.joins import JoinError, join_shapes
from ..graph.types import ListType, Shape, TensorType, array_type, result_type
from .lists import element_of, with_element


class Elements:
    """What may be in a `TensorArray`, and what is done with the list that holds it.

    Attributes:
      dtype: of every element.
      shape: of every element, where that was said.
      dynamic: whether there may be more than the size that was said.
    """

    __name__ = 'elements'

    def __init__(self, dtype: Any, shape: Shape | None, dynamic: bool) -> None:
        self.dtype: np.dtype[Any] = np.dtype(dtype)
        self.shape = shape
        self.dynamic = dynamic

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Elements) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape, self.dynamic))

    @property
    def list_type(self) -> ListType:
        """The type of a list of such elements."""
        element = None if self.shape is None else result_type(self.dtype, self.shape)
        return ListType(element=element)

    def checked(self, type_: TensorType) -> TensorType:
        """The type of an element made of a value.

        Raises:
          StagingError: the value has another dtype, or another shape.
        """
        dtype = np.result_type(self.dtype, type_.python_type(1)) if type_.weak else type_.dtype
        element = result_type(dtype, type_.shape)
        try:
            fits = self.shape is None or join_shapes(self.shape, type_.shape) is not None
        except JoinError:
            fits = False
        known = zip(self.shape or (), type_.shape or (), strict=False)
        if dtype != self.dtype or not fits or any(n and m and n != m for n, m in known):
            wanted = str(self.dtype) if self.shape is None else self.list_type.element
            raise StagingError(
                describe(
                    f'A TensorArray of {wanted} gets an element that is {type_}.',
                    user_location(),
                    'Convert the element first, or make the TensorArray for such elements.',
                )
            )
        return element

    def new(self, size: int) -> list[Any]:
        """A list with room for so many elements."""
        return [None] * size

    def unstack(self, array: Any) -> list[Any]:
        """The rows of an array."""
        return list(np.array(array, self.dtype))

    def grow(self, items: list[Any], index: int) -> None:
        """Makes room for an element."""
        items.extend([None] * (index + 1 - len(items)))

    def write(self, items: list[Any], index: int, value: Any) -> None:
        """Sets an element."""
        items[index] = np.array(value, self.dtype)[()]

    def scatter(self, items: list[Any], indices: Any, values: Any) -> None:
        """Sets several elements."""
        for index, value in zip(np.asarray(indices), values, strict=True):
            if self.dynamic:
                self.grow(items, index)
            self.write(items, index, value)

    def read(self, items: list[Any], index: int) -> Any:
        """An element; zeros where none was written, if it is known how many."""
        found = items[index]
        return self._zeros(items, index) if found is None else found

    def gather(self, items: list[Any], indices: Any) -> Any:
        """The array of several elements."""
        return np.stack([self.read(items, index) for index in np.asarray(indices)])

    def stack(self, items: list[Any]) -> Any:
        """The array of all elements."""
        if not items:
            return np.zeros([0, *(n or 0 for n in self.shape or ())], self.dtype)
        return np.stack([self.read(items, index) for index in range(len(items))])

    def concat(self, items: list[Any]) -> Any:
        """All elements, one behind the other along their first axis."""
        if not items:
            return np.zeros([0, *(n or 0 for n in (self.shape or ())[1:])], self.dtype)
        return np.concatenate([self.read(items, index) for index in range(len(items))])

    def _zeros(self, items: list[Any], index: int) -> Any:
        shapes = [item.shape for item in items if item is not None]
        shape = shapes[0] if shapes else self.shape
        if shape is None or None in shape:
            raise ValueError(f'The element {index} of a TensorArray is read before it is written.')
        return np.zeros([n or 0 for n in shape], self.dtype)[()]


@functools.lru_cache(maxsize=256)
def elements_of(dtype: np.dtype[Any], shape: Shape | None, dynamic: bool) -> Elements:
    """The same object for the same elements, so that arrays of them can trade places."""
    return Elements(dtype, shape, dynamic)


def _elements(attrs: Attrs) -> Elements:
    elements: Elements = attrs['elements']
    return elements


def _new_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return _elements(attrs).list_type


def _rows_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    row = replace(types[0], shape=(types[0].shape or ())[1:])
    return with_element(_elements(attrs).list_type, _elements(attrs).checked(row))


def _written_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return with_element(types[0], _elements(attrs).checked(types[2]))


def _scattered_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    row = replace(types[2], shape=(types[2].shape or ())[1:])
    return with_element(types[0], _elements(attrs).checked(row))


def _read_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return element_of(types[0])


def _stacked_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    element = element_of(types[0])
    count = types[1].shape[0] if types[1:] and types[1].shape else None
    return array_type(element.dtype, None if element.shape is None else (count, *element.shape))


def _joined_type(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    element = element_of(types[0])
    if element.shape == ():
        raise StagingError(
            describe('concat() of elements that have no axis.', user_location(), 'Use stack().')
        )
    return array_type(element.dtype, element.shape and (None, *element.shape[1:]))


@dataclass(frozen=True)
class _Method:
    """The call of a method of `Elements`."""

    name: str

    def __call__(self, node: Node, values: Sequence[ast.expr]) -> ast.expr:
        elements = ast.Constant(node.attrs['elements'])
        return ast.Call(ast.Attribute(elements, self.name, ast.Load()), list(values), [])

    def statement(self, node: Node, values: Sequence[ast.expr]) -> list[ast.stmt]:
        """The same where nothing is returned."""
        return [ast.Expr(self(node, values))]


def _reader(name: str, method: str, infer: Callable[..., TensorType]) -> Op:
    return Op(name, infer, expression=_Method(method))


def _writer(name: str, infer: Callable[..., TensorType]) -> Op:
    return Op(name, infer, statement=_Method(name).statement, updates=True)


NEW_ELEMENTS = _reader('tensor_array', 'new', _new_type)
UNSTACK = _reader('unstack', 'unstack', _rows_type)
READ_ELEMENT = _reader('read_element', 'read', _read_type)
GATHER = _reader('gather_elements', 'gather', _stacked_type)
STACK_ELEMENTS = _reader('stack_elements', 'stack', _stacked_type)
CONCAT_ELEMENTS = _reader('concat_elements', 'concat', _joined_type)
GROW = _writer('grow', same_type)
WRITE = _writer('write', _written_type)
SCATTER = _writer('scatter', _scattered_type)
