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

from ..errors import is_numpy
from ..graph import dispatch
from ..graph.dispatch import SPECIAL_METHODS
from ..graph.graph import Attrs, Op, Value
from ..graph.ownership import NotOwnedError
from ..graph.storage import ELEMENT, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, emit, held_value, note_writes, site
from ..graph.types import (
    ListType,
    LiveType,
    NothingType,
    TensorType,
    is_live,
    row_type,
)
from ..ops import list_functions
from ..ops.control_flow import MISSING
from ..ops.copies import DEEPCOPY
from ..ops.lists import APPEND, COPY, DELETE, GET, INSERT, LENGTH, NEW, SET, STACK
from ..ops.strings import text_constant
from .list_refusals import check_is_list, refusing, unsupported
from .live_arrays import array_of_live
from .reentry import gathered
from .staging import graph_now


class StagedList(Tensor):
    """A list whose length only the running graph knows."""

    __slots__ = ()

    def append(self, element: Any) -> None:
        """Puts an element behind the last."""
        self._update(APPEND, held_element(element))

    def extend(self, elements: Any) -> None:
        """Puts several elements behind the last."""
        elements = gathered(elements)
        if isinstance(elements, (Tensor, np.ndarray)):
            held = elements if isinstance(elements, StagedList) else held_element(elements)
            self._update(list_functions.EXTEND, held, attrs={'element': _row_type(elements)})
            return
        for element in elements:
            self.append(element)

    def insert(self, index: Any, element: Any) -> None:
        """Puts an element before the one at an index."""
        self._update(INSERT, held_element(element), index)

    def pop(self, index: Any = -1) -> Any:
        """Takes out an element, the last unless told; the element."""
        self.check_not_empty('pop from empty list')
        element = self._element(index, {'pops': True})
        self._update(DELETE, index, attrs={'pops': True})
        return element

    def copy(self) -> StagedList:
        """A list of the same elements."""
        return StagedList(self._add(COPY))

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if is_live(self.type):
            from .live_copies import copied_whole

            return copied_whole(self, memo)
        return StagedList(self._add(DEEPCOPY))

    def clear(self) -> None:
        """Takes every element out."""
        self._update(list_functions.CLEAR)

    def reverse(self) -> None:
        """Turns the order round."""
        self._update(list_functions.REVERSE)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Puts the elements, which are numbers, in their order."""
        if key is None and not isinstance(reverse, Tensor):
            self._update(list_functions.SORT, attrs={'reverse': bool(reverse)})
            return
        from .ordering import sort

        sort(self, key=key, reverse=reverse)

    def remove(self, element: Any) -> None:
        """Takes out the first element that is equal to this one."""
        dispatch.FALLBACKS['check found'](self, element, 'list.remove(x): x not in list')
        self._update(list_functions.REMOVE, element)

    def count(self, element: Any) -> Any:
        """How often an element is in the list."""
        counted = dispatch.FALLBACKS['counted']
        return counted(self, element, lambda: Tensor(self._add(list_functions.COUNT, element)))

    def index(self, element: Any, *bounds: Any) -> Tensor:
        """Where an element is in the list for the first time, between the bounds if there are."""
        dispatch.FALLBACKS['check found'](self, element, 'x is not in list')
        return Tensor(self._add(list_functions.INDEX, element, *bounds))

    def in_order(self, reverse: bool) -> StagedList:
        """`sorted(self)`."""
        return StagedList(self.whole()._add(list_functions.SORTED, attrs={'reverse': reverse}))

    def summed(self, start: Any) -> Tensor:
        """`sum(self, start)`, of a list of Python's floats or complex numbers."""
        return Tensor(self.whole()._add(list_functions.SUM, start))

    @property
    def holds_numbers(self) -> bool:
        """Whether its elements, of which there may be some, have no axes."""
        element = getattr(self.type, 'element', None)
        return element is not None and element.shape == ()

    def truths(self, name: str) -> Tensor:
        """`any(self)` or `all(self)`, of a list of numbers."""
        return Tensor(self._add(list_functions.ANY if name == 'any' else list_functions.ALL))

    def as_condition(self) -> Tensor:
        """A list is true if it is not empty."""
        return self.length()

    def whole(self) -> StagedList:
        """The list itself; when the graph runs, a TypeError where an element of it is None."""
        type_ = self.type
        may_lack = isinstance(type_, ListType) and type_.element and type_.element.maybe
        return StagedList(self._add(list_functions.WHOLE), self.memory) if may_lack else self

    def length(self) -> Tensor:
        """The number of elements."""
        return Tensor(self._add(LENGTH))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            index = dispatch.FALLBACKS['bounds there'](index)
            bounds = {'lower': index.start, 'upper': index.stop, 'step': index.step}
            given = {name: bound for name, bound in bounds.items() if bound is not None}
            attrs = {'given': tuple(given)}
            return StagedList(self._add(list_functions.SLICE, *given.values(), attrs=attrs))
        self.check_not_empty()
        return self._element(index)

    def _element(self, index: Any, attrs: Attrs | None = None) -> Any:
        return element_of_list(
            dispatch.FALLBACKS['handle of value'](
                self._add(GET, index, attrs=attrs), (Storage(graph_now(), ELEMENT),)))

    def check_not_empty(
        self, message: str = 'list index out of range', error: type[Exception] = IndexError
    ) -> None:
        """What reads a list that nothing is ever put into raises as Python and NumPy do.

        Raises:
          Exception: nothing was put into it.
        """
        type_ = self.type
        if isinstance(type_, ListType) and type_.element is None:
            raise error(message)

    def __eq__(self, other: object) -> Any:
        if _is_numpy(other):
            return stacked(self) == other
        return self._compared(other, list_functions.EQUAL, with_others=False)

    def __ne__(self, other: object) -> Any:
        if _is_numpy(other):
            return stacked(self) != other
        return self._compared(other, list_functions.UNEQUAL, with_others=True)

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, list_functions.LESS)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, list_functions.LESS_EQUAL)

    def __gt__(self, other: Any) -> Any:
        return NotImplemented if type(other) is not list else list_of_lists(other) < self

    def __ge__(self, other: Any) -> Any:
        return NotImplemented if type(other) is not list else list_of_lists(other) <= self

    def _compared(self, other: object, op: Op, with_others: Any = NotImplemented) -> Any:
        if type(other) is list:
            other = list_of_lists(other)
        if not isinstance(other, StagedList):
            return with_others
        dispatch.FALLBACKS['check compared'](self, other)
        return Tensor(self._add(op, other))

    def __setitem__(self, index: Any, element: Any) -> None:
        if isinstance(index, slice):
            from .list_slices import put_in_place

            put_in_place(self, dispatch.FALLBACKS['bounds there'](index), element)
            return
        self._update(SET, held_element(element), index)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            self[index] = []
            return
        self._update(DELETE, index)

    def __iadd__(self, elements: Any) -> Any:
        if _is_numpy(elements):
            return stacked(self) + elements
        self.extend(elements)
        return self

    def __add__(self, elements: Any) -> Any:
        if _is_numpy(elements):
            return stacked(self) + elements
        check_is_list(elements)
        result = self.copy()
        result.extend(elements)
        return result

    def __radd__(self, elements: Any) -> Any:
        if _is_numpy(elements):
            return elements + stacked(self)
        result = new_list(elements)
        result.extend(self)
        return result

    def __mul__(self, times: Any) -> StagedList:
        return StagedList(self._add(list_functions.REPEAT, times))

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> StagedList:
        repeated = self * times
        self.clear()
        self.extend(repeated)
        return self

    def __iter__(self) -> Iterator[Any]:
        if is_numpy(sys._getframe(1).f_code.co_filename):
            # NumPy looks through its list arguments for one that implements the protocol.
            return iter((self,))
        raise unsupported(
            'iterating over it in Python',
            'Iterate in a `for` statement, copy it by `list(items)`, or take items by index.',
        )

    def __contains__(self, item: Any) -> bool:
        raise unsupported('`in`', 'Compare the array: `np.any(np.stack(items) == x)`.')

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func in _JOINING or func is np.stack:
            verb = 'stack' if func is np.stack else 'concatenate'
            self.check_not_empty(f'need at least one array to {verb}', ValueError)
        if func is np.stack and len(args) == 1 and not kwargs:
            return Tensor(self.whole()._add(STACK, attrs={'strict': True}))
        if func in _JOINING and len(args) == 1 and not kwargs:
            attrs = {'function': func.__name__}
            return Tensor(self.whole()._add(list_functions.JOINED, attrs=attrs))
        args = tuple(stacked(arg) if isinstance(arg, StagedList) else arg for arg in args)
        return super().__array_function__(func, types, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if hasattr(builtins.list, name) and not name.startswith('__'):
            raise unsupported(f'`{name}`', 'Use the array of its elements: `np.stack(items)`.')
        raise AttributeError(f"'list' object has no attribute {name!r}")

    def __repr__(self) -> str:
        dispatch.FALLBACKS['check shown'](self)
        return f'<{self.type} {self.name}>'

    def _add(self, op: Op, *inputs: Any, attrs: Attrs | None = None) -> Value:
        graph = graph_now()
        mine = self.read()
        if mine.graph is not graph:
            graph.reads.append(self)
        values = [graph.local(mine), *map(raw_value, inputs)]
        return graph.add(op, values, attrs, site=site()).outputs[0]

    def _update(self, op: Op, *inputs: Any, attrs: Attrs | None = None) -> None:
        if self.read().graph is not graph_now():
            raise NotOwnedError(self)
        note_writes(self.write(self._add(op, *inputs, attrs=attrs)))


def _is_numpy(x: Any) -> bool:
    """Whether it is an array or a number of NumPy's, which adds itself to a list as to an array."""
    if isinstance(x, Tensor) and not isinstance(x, StagedList):
        return not x.type.weak
    return isinstance(x, np.ndarray | np.generic)


# What joins arrays whose lengths may differ.
_JOINING = (np.concatenate, np.hstack, np.vstack)


def element_of_list(x: Any) -> Any:
    """What an element of a list of the graph is to the user."""
    if isinstance(x, Tensor) and isinstance(x.type, LiveType):
        from .live import wrapped  # it imports what is here

        return wrapped(x.held)
    return x


def held_element(element: Any) -> Any:
    """What is put into a list: both names see an array, so neither may modify it."""
    if not isinstance(element, _LEAVES) or isinstance(element, StagedList):
        from .live_kinds import as_leaf  # it imports what is here
        from .living_lists import check_not_living

        check_not_living(element)
        element = as_leaf(element)
    if isinstance(element, Tensor):
        for storage in element.memory:
            storage.keep_for(ELEMENT)
    if isinstance(element, BaseException):
        from .effects import made_error  # it imports what is here

        return made_error(element)
    return element


# What is a value of the graph as it is.
_LEAVES = (Tensor, np.ndarray, np.generic, int, float, complex, str, bytes, type(None))


def _row_type(array: Any) -> TensorType | None:
    """The type of what iterating over an array gives."""
    if isinstance(array, StagedList):
        return None
    type_ = as_value(array).type
    if not type_.shape:
        raise TypeError('iteration over a 0-d array')
    return row_type(type_)


def raw_value(x: Any) -> Value:
    """The value of anything numeric, or of a string, a list or None, as Python holds it."""
    if x is None:
        return emit(MISSING, [], {'type': NothingType()})[0].held
    if isinstance(x, StagedList) or (isinstance(x, Tensor) and x.type.maybe):
        return held_value(x)
    return text_constant(x).held if isinstance(x, str | bytes) else as_value(x)


def new_list(elements: list[Any], kind: type[Any] = list) -> StagedList:
    """A staged list of these elements; `tuple` for one that is only read, as Python's tuple is."""
    graph = graph_now()
    values = [raw_value(held_element(element)) for element in elements]
    attrs = {'kind': kind.__name__} if kind is tuple else {}
    return StagedList(graph.add(NEW, values, attrs, site=site()).outputs[0])


def list_of_lists(elements: list[Any]) -> StagedList:
    """A staged list of these elements, also of lists, that is looked at once."""
    return new_list([list_of_lists(x) if type(x) is list else x for x in elements])


def stacked(x: StagedList) -> Tensor:
    """The array of the elements."""
    if is_live(x.type):
        return array_of_live(x)
    return Tensor(x.whole()._add(STACK))


dispatch.FALLBACKS['stack'] = stacked
dispatch.FALLBACKS['list'] = lambda x: StagedList(x.held)
dispatch.FALLBACKS['new list'] = new_list
dispatch.FALLBACKS['update list'] = StagedList._update
dispatch.FALLBACKS['repeat'] = lambda items, times: new_list(items) * times

for _name in SPECIAL_METHODS:
    if _name not in vars(StagedList):
        setattr(StagedList, _name, refusing(_name))
