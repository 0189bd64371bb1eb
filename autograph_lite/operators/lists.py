"""`StagedList`: a list that a staged block appends to, pops from or indexes.

It is a handle as a tensor is: `append` moves it on to a new value, and a name that holds the list
sees the new contents. The elements are arrays or numbers of one type (see `graph.joins`), which
nobody needs to declare. Where NumPy is given the list, it gets the array of the elements.
"""
from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import StagingError, describe, is_numpy, user_location
from ..graph import dispatch
from ..graph.graph import Attrs, Op, Value
from ..graph.tensor import SPECIAL_METHODS, Memory, Storage, Tensor
from ..graph.tracing import as_value, held_value, note_writes, site
from ..graph.types import STRING, ListType, ObjectType, TensorType, result_type
from ..ops.list_functions import (
    CLEAR,
    COUNT,
    EQUAL,
    EXTEND,
    INDEX,
    JOINED,
    REMOVE,
    REPEAT,
    REVERSE,
    SLICE,
    SORT,
    SORTED,
    UNEQUAL,
)
from ..ops.lists import APPEND, COPY, DELETE, GET, INSERT, LENGTH, NEW, SET, STACK
from ..ops.random import StagedGenerator
from ..ops.strings import StagedString, string_constant
from .staging import graph_now


class StagedList(Tensor):
    """A list whose length only the running graph knows."""

    __slots__ = ()

    def append(self, element: Any) -> None:
        """Puts an element behind the last."""
        self._update(APPEND, _held(element))

    def extend(self, elements: Any) -> None:
        """Puts several elements behind the last."""
        elements = elements.listed() if hasattr(elements, 'listed') else elements
        if isinstance(elements, (Tensor, np.ndarray)):
            self._update(EXTEND, _held(elements), attrs={'element': _row_type(elements)})
            return
        for element in elements:
            self.append(element)

    def insert(self, index: Any, element: Any) -> None:
        """Puts an element before the one at an index."""
        self._update(INSERT, _held(element), index)

    def pop(self, index: Any = -1) -> Any:
        """Takes out an element, the last unless told; the element."""
        element = self[index]
        self._update(DELETE, index)
        return element

    def copy(self) -> StagedList:
        """A list of the same elements."""
        return StagedList(self._add(COPY))

    def clear(self) -> None:
        """Takes every element out."""
        self._update(CLEAR)

    def reverse(self) -> None:
        """Turns the order round."""
        self._update(REVERSE)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Sorts the elements, which are numbers."""
        if key is not None:
            raise _unsupported('sort() with a key', 'Sort the array: `np.argsort(...)`.')
        self._update(SORT, attrs={'reverse': bool(reverse)})

    def remove(self, element: Any) -> None:
        """Takes out the first element that is equal to this one."""
        self._update(REMOVE, element)

    def count(self, element: Any) -> Tensor:
        """How often an element is in the list."""
        return Tensor(self._add(COUNT, element))

    def index(self, element: Any) -> Tensor:
        """Where an element is in the list for the first time."""
        return Tensor(self._add(INDEX, element))

    def in_order(self, reverse: bool) -> StagedList:
        """`sorted(self)`."""
        return StagedList(self._add(SORTED, attrs={'reverse': reverse}))

    def as_condition(self) -> Tensor:
        """A list is true if it is not empty."""
        return self.length()

    def length(self) -> Tensor:
        """The number of elements."""
        return Tensor(self._add(LENGTH))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            bounds = {'lower': index.start, 'upper': index.stop, 'step': index.step}
            given = {name: bound for name, bound in bounds.items() if bound is not None}
            return StagedList(self._add(SLICE, *given.values(), attrs={'given': tuple(given)}))
        self.check_not_empty()
        return handle(self._add(GET, index), (Storage(graph_now(), _ELEMENT),))

    def check_not_empty(self) -> None:
        """What reads an element of a list that nothing is ever put into raises as Python does.

        Raises:
          IndexError: nothing was put into it.
        """
        type_ = self.type
        if isinstance(type_, ListType) and type_.element is None:
            raise IndexError('list index out of range')

    def __eq__(self, other: object) -> Any:
        return self._equals(other, EQUAL)

    def __ne__(self, other: object) -> Any:
        return self._equals(other, UNEQUAL)

    __hash__ = None  # type: ignore[assignment]

    def _equals(self, other: object, op: Op) -> Any:
        if type(other) is list:
            other = new_list(other)
        if not isinstance(other, StagedList):
            return op is UNEQUAL
        return Tensor(self._add(op, other))

    def __setitem__(self, index: Any, element: Any) -> None:
        if isinstance(index, slice):
            raise _unsupported('assigning to a slice of it', 'Assign item by item.')
        self._update(SET, _held(element), index)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            raise _unsupported(
                'deleting a slice of it', 'Write `items = items[:start] + items[stop:]`.'
            )
        self._update(DELETE, index)

    def __iadd__(self, elements: Any) -> StagedList:
        self.extend(elements)
        return self

    def __add__(self, elements: Any) -> StagedList:
        result = self.copy()
        result.extend(elements)
        return result

    def __radd__(self, elements: Any) -> StagedList:
        result = new_list(elements)
        result.extend(self)
        return result

    def __mul__(self, times: Any) -> StagedList:
        return StagedList(self._add(REPEAT, times))

    __rmul__ = __mul__

    def __iter__(self) -> Iterator[Any]:
        if is_numpy(sys._getframe(1).f_code.co_filename):
            # NumPy looks through its list arguments for one that implements the protocol.
            return iter((self,))
        raise _unsupported(
            'iterating over it in Python',
            'Iterate in a `for` statement, copy it by `list(items)`, or take items by index.',
        )

    def __contains__(self, item: Any) -> bool:
        raise _unsupported('`in`', 'Compare the array: `np.any(np.stack(items) == x)`.')

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.stack and len(args) == 1 and not kwargs:
            return stacked(self)
        if func in _JOINING and len(args) == 1 and not kwargs:
            return Tensor(self._add(JOINED, attrs={'function': func.__name__}))
        args = tuple(stacked(arg) if isinstance(arg, StagedList) else arg for arg in args)
        return super().__array_function__(func, types, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if hasattr(builtins.list, name) and not name.startswith('__'):
            raise _unsupported(f'`{name}`', 'Use the array of its elements: `np.stack(items)`.')
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f'<{self.type} {self.name}>'

    def _add(self, op: Op, *inputs: Any, attrs: Attrs | None = None) -> Value:
        graph = graph_now()
        mine = self.read()
        if mine.graph is not graph:
            graph.reads.append(self)
        values = [graph.local(mine), *map(raw_value, inputs)]
        return graph.add(op, values, attrs, site=site()).outputs[0]

    def _update(self, op: Op, *inputs: Any, attrs: Attrs | None = None) -> None:
        note_writes(self.write(self._add(op, *inputs, attrs=attrs)))


class Appended(StagedList):
    """What a graph appends to a list that lives outside; of the list itself nothing is known.

    The elements that are there before a call differ from call to call.
    """

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name in _READING:
            raise _read_outside()
        return super().__getattribute__(name)

    def __len__(self) -> int:
        raise _read_outside()

    def __getitem__(self, index: Any) -> Any:
        raise _read_outside()

    def __setitem__(self, index: Any, element: Any) -> None:
        raise _read_outside()

    def __iter__(self) -> Iterator[Any]:
        raise _read_outside()


_READING = frozenset(
    name for name in vars(StagedList)
    if not name.startswith('_') and name not in ('append', 'extend')
)


def _read_outside() -> StagingError:
    what = 'A list outside, to which a staged block appends, is read or changed in the same call.'
    fix = 'Read it before; or collect the values in a new list, and extend it with that at the end.'
    return StagingError(describe(what, user_location(), fix))


# What joins arrays whose lengths may differ.
_JOINING = (np.concatenate, np.hstack, np.vstack)
_ELEMENT = 'an array that a list holds'


def _held(element: Any) -> Any:
    """An array that is put into a list: both names see it, so neither may modify it."""
    if isinstance(element, Tensor):
        for storage in element.memory:
            storage.owner = storage.owner or _ELEMENT
    return element


def _row_type(array: Any) -> TensorType | None:
    """The type of what iterating over an array gives."""
    type_ = as_value(array).type if not isinstance(array, StagedList) else None
    if type_ is None:
        return None
    if not type_.shape:
        raise TypeError('iteration over a 0-d array')
    return result_type(type_.dtype, type_.shape[1:])


def _unsupported(what: str, fix: str) -> StagingError:
    what = f'A list that a staged block changes does not support {what}.'
    return StagingError(describe(what, user_location(), fix))


def raw_value(x: Any) -> Value:
    """The value of anything numeric, or of a string; a staged list as the list that it is."""
    if isinstance(x, StagedList):
        return held_value(x)
    return string_constant(x).held if isinstance(x, str) else as_value(x)


def new_list(elements: list[Any]) -> StagedList:
    """A staged list of these elements."""
    graph = graph_now()
    values = [raw_value(_held(element)) for element in elements]
    return StagedList(graph.add(NEW, values, site=site()).outputs[0])


def stacked(x: StagedList) -> Tensor:
    """The array of the elements."""
    return Tensor(x._add(STACK))


dispatch.FALLBACKS['stack'] = stacked


def handle(value: Value, memory: Memory | None = None) -> Tensor:
    """A handle of the kind that the value's type asks for."""
    if isinstance(value.type, ListType):
        return StagedList(value, memory)
    if isinstance(value.type, ObjectType):
        return (StagedString if value.type == STRING else StagedGenerator)(value, memory)
    return Tensor(value, memory)


def _refusing(name: str) -> Any:
    def method(self: StagedList, *args: Any) -> Any:
        raise _unsupported(f'`{name}`', 'Use the array of its elements: `np.stack(items)`.')

    return method


for _name in SPECIAL_METHODS:
    if _name not in vars(StagedList):
        setattr(StagedList, _name, _refusing(_name))
