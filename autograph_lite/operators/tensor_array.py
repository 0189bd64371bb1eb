"""`TensorArray`: arrays that a loop writes one by one, and that are stacked after it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from ..graph.graph import Op
from ..graph.tensor import Storage, Tensor, valued
from ..graph.tracing import as_value, is_tracing, note_writes, site
from ..graph.types import type_of
from ..ops.calls import call_function
from ..ops.tensor_arrays import (
    CONCAT_ELEMENTS,
    GATHER,
    GROW,
    NEW_ELEMENTS,
    READ_ELEMENT,
    SCATTER,
    STACK_ELEMENTS,
    UNSTACK,
    WRITE,
    Elements,
    elements_of,
)
from .lists import StagedList, raw_value
from .staging import graph_now


@dataclass(init=False, eq=False)
class TensorArray:
    """A list of arrays of one dtype, as long as `size`; in plain Python and in a graph alike.

    `write` and its like give the new TensorArray and use up the old one: write
    `ta = ta.write(i, x)`. A result that is dropped is missed, and that is an error, when the old
    one is used again.

    Args:
      dtype: of every element.
      size: how many elements there are.
      dynamic_size: whether there may be more.
      element_shape: of every element, if it is known; None stands for an axis of any length.
    """

    __slots__ = ('_used', 'elements', 'items')

    items: Any
    elements: Elements

    def __init__(
        self,
        dtype: Any,
        size: Any = 0,
        dynamic_size: bool = False,
        element_shape: Sequence[int | None] | None = None,
    ) -> None:
        shape = None if element_shape is None else tuple(element_shape)
        self.elements = elements_of(np.dtype(dtype), shape, dynamic_size)
        if is_tracing():
            self.items = self._staged(NEW_ELEMENTS, as_value(valued(size)))
        else:
            self.items = self.elements.new(size)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of every element."""
        return self.elements.dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether there may be more elements than were made room for."""
        return self.elements.dynamic

    def write(self, index: Any, value: Any) -> TensorArray:
        """The TensorArray with another element at an index; this one is used up."""
        items = self._take('write')
        if not isinstance(items, StagedList):
            self.elements.checked(_type(value))
            if self.dynamic_size:
                self.elements.grow(items, index)
            self.elements.write(items, index, value)
            return self._with(items)
        if self.dynamic_size:
            self._update(items, GROW, index)
        self._update(items, WRITE, index, _array(value))
        return self._with(items)

    def scatter(self, indices: Any, value: Any) -> TensorArray:
        """The TensorArray with the rows of an array at several indices; this one is used up."""
        items = self._take('scatter')
        if isinstance(items, StagedList):
            self._update(items, SCATTER, _array(indices), _array(value))
        else:
            self.elements.scatter(items, indices, value)
        return self._with(items)

    def unstack(self, value: Any) -> TensorArray:
        """The TensorArray of the rows of an array; this one is used up."""
        self._take('unstack')
        if is_tracing():
            return self._with(self._staged(UNSTACK, as_value(_array(value))))
        return self._with(self.elements.unstack(value))

    def read(self, index: Any) -> Any:
        """The element at an index."""
        items = self._held('read')
        if isinstance(items, StagedList):
            element = self._value(items, READ_ELEMENT, index)
            return Tensor(element.held, (Storage(graph_now(), 'an element of a TensorArray'),))
        return self.elements.read(items, index)

    def gather(self, indices: Any) -> Any:
        """The array of the elements at several indices."""
        items = self._held('gather')
        if isinstance(items, StagedList):
            return self._value(items, GATHER, _array(indices))
        return self.elements.gather(items, indices)

    def stack(self) -> Any:
        """The array of all elements, along a new first axis."""
        items = self._held('stack')
        if isinstance(items, StagedList):
            return self._value(items, STACK_ELEMENTS)
        return self.elements.stack(items)

    def concat(self) -> Any:
        """All elements, one behind the other along their first axis."""
        items = self._held('concat')
        if isinstance(items, StagedList):
            return self._value(items, CONCAT_ELEMENTS)
        return self.elements.concat(items)

    def size(self) -> Any:
        """How many elements there is room for."""
        items = self._held('size')
        return items.length() if isinstance(items, StagedList) else len(items)

    def _held(self, method: str) -> Any:
        """The elements.

        Raises:
          OwnershipError: they were written, and the result was dropped.
        """
        if getattr(self, '_used', False) or _is_stale(self.items):
            raise _dropped(method)
        if is_tracing() and not isinstance(self.items, StagedList):
            raise OwnershipError(
                describe(
                    f'`{method}` of a TensorArray that was made outside the graph.',
                    user_location(),
                    'Make it in the function, or give the array of its elements: `ta.stack()`.',
                )
            )
        return self.items

    def _take(self, method: str) -> Any:
        """The elements, for the one that takes this one's place."""
        items = self._held(method)
        self.use_up()
        return items

    def use_up(self) -> None:
        """From now on it is an error to use it."""
        if is_tracing():
            target: Any = self
            note_writes([(target, getattr(self, '_used', False), None)])
        self._used = True

    def check(self) -> None:
        """Raises OwnershipError if it is used up where a block gives it back."""
        self._held('stack')

    def restore(self, used: bool, _: Any) -> None:
        """Takes back that it was used up, with the writes of a block that is rolled back."""
        self._used = used

    def _with(self, items: Any) -> TensorArray:
        result = object.__new__(TensorArray)
        result.items, result.elements = items, self.elements
        return result

    def _staged(self, op: Op, *inputs: Any) -> StagedList:
        node = graph_now().add(op, inputs, {'elements': self.elements}, site=site())
        return StagedList(node.outputs[0])

    def _value(self, items: StagedList, op: Op, *inputs: Any) -> Tensor:
        values = [raw_value(items), *map(as_value, inputs)]
        node = graph_now().add(op, values, {'elements': self.elements}, site=site())
        return Tensor(node.outputs[0])

    def _update(self, items: StagedList, op: Op, *inputs: Any) -> None:
        values = [raw_value(items), *map(as_value, inputs)]
        node = graph_now().add(op, values, {'elements': self.elements}, site=site())
        note_writes(items.write(node.outputs[0]))


def _is_stale(items: Any) -> bool:
    """Whether a branch has written to the elements, and given a TensorArray that was dropped."""
    if not isinstance(items, StagedList):
        return False
    try:
        items.read()
    except OwnershipError:
        return True
    return False


def _dropped(method: str) -> OwnershipError:
    return OwnershipError(
        describe(
            f'`{method}` of a TensorArray whose new contents are another one, which was dropped.',
            user_location(),
            'Keep what `write`, `scatter` and `unstack` give: `ta = ta.write(i, x)`.',
        )
    )


def _array(value: Any) -> Any:
    """A value as what a graph can hold: a list is the array that NumPy makes of it."""
    value = valued(value)
    return call_function(np.asarray, (value,), {}) if isinstance(value, list | tuple) else value


def _type(value: Any) -> Any:
    return type_of(value) or type_of(np.asarray(value))
