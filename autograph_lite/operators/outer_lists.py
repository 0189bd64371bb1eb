"""A list, a deque or a set outside that the running graph changes, as a name of the traced code.

    rows = self.rows
    rows.append(x)          keep(self.rows, x)
"""
from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from ..graph.graph import Attrs, Op, Value
from ..graph.storage import Memory
from ..graph.tensor import Tensor
from ..graph.types import TensorType, python_scalar
from .deques import Deque
from .element_types import leaf_type
from .entry_types import EntryType
from .lists import StagedList
from .living_lists import LivingCollection, LivingList
from .nest_lists import NestList
from .outer_calls import change
from .outer_variables import type_of_input
from .outside import rebound
from .outside_errors import read_after_change
from .places import Place
from .running_reads import (
    asked,
    contains_now,
    item_now,
    list_now,
    rows_now,
    type_of_elements,
)
from .sets import StagedSet
from .staging import graph_now


class _LastRead:
    """What was read of a list last.

    Args:
      found: what was in it.
      count: how often the graph had changed it.
    """

    def __init__(self, found: StagedList, count: int) -> None:
        self.found = found
        self._count = count
        self._graph = graph_now()
        self._last = self._graph.nodes[-1]
        self._size = len(self._graph.nodes)

    def holds(self, count: int) -> bool:
        """Whether that is in it still: a block that the graph has run since may have changed it."""
        nodes, size = graph_now().nodes, self._size
        if graph_now() is not self._graph or count != self._count or len(nodes) < size:
            return False
        if nodes[size - 1] is not self._last or any(node.graphs for node in nodes[size:]):
            return False
        self._last, self._size = nodes[-1], len(nodes)
        return True


class OuterList(LivingList):
    """The list itself: what changes it is done to it, and what reads it reads it there.

    Args:
      container: the list.
      place: where it was found.
    """

    __slots__ = ('_known', 'container', 'found_at')

    def __init__(
        self, container: Any, place: Place | None
    ) -> None:
        self.container = container
        self.found_at = place
        self._known: _LastRead | None = None
        self.place = self.chosen = None

    def as_it_is(self) -> StagedList:
        count = self._count
        if self._known is None or not self._known.holds(count):
            element = self.element()
            if element is None:
                raise read_after_change(self.container)
            self._known = _LastRead(list_now(self.source, element, self.container), count)
        return self._known.found

    now = as_it_is

    @property
    def _count(self) -> int:
        """How often the graph may have changed it so far."""
        world = rebound()
        assert world is not None
        return world.in_place.count(self.container)

    @property
    def source(self) -> Any:
        """What the running graph finds it by."""
        return self.container

    def element(self) -> TensorType | None:
        """The type that all elements fit; None where there is none, or they are tuples."""
        return leaf_type(type_of_elements(self.container, self.found_at))

    @property
    def _value(self) -> Value:  # type: ignore[override]
        return self.as_it_is().held

    @property
    def _memory(self) -> Memory:  # type: ignore[override]
        return self.as_it_is().memory

    @property
    def _versions(self) -> list[int]:  # type: ignore[override]
        return [storage.version for storage in self._memory]

    def length(self) -> Any:
        return asked(len, self.source, (), python_scalar(int))

    def __getitem__(self, index: Any) -> Any:
        element = self.element()
        is_one = type_of_input(index) is not None or isinstance(index, Tensor)
        if element is None or not is_one:
            return super().__getitem__(index)
        return asked(operator.getitem, self.source, (index,), element)

    def change(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method of the list that changes it, whenever the graph runs."""
        return change(self.container, self.found_at, name, *args, **kwargs)

    def __setitem__(self, index: Any, element: Any) -> None:
        self.change('__setitem__', index, element)

    def __delitem__(self, index: Any) -> None:
        self.change('__delitem__', index)

    def __iadd__(self, elements: Any) -> Any:
        if isinstance(elements, Tensor) and not isinstance(elements, StagedList):
            return self.as_it_is() + elements
        self.change('__iadd__', elements)
        return self

    def __imul__(self, times: Any) -> StagedList:
        self.change('__imul__', times)
        return self

    def _update(self, op: Op, *inputs: Any, attrs: Attrs | None = None) -> None:
        raise read_after_change(self.container)


class _OuterCollection(LivingCollection):
    """What is no list of numbers or arrays, in the same way; its `items` are an `OuterList` of it.

    Args:
      container: the list, or the set.
      place: where it was found.
    """

    def __init__(self, container: Any, place: Place | None) -> None:
        self.items = OuterList(container, place)

    @property
    def container(self) -> Any:
        """The list, or the set."""
        return self.items.container

    @property
    def found_at(self) -> Place | None:  # type: ignore[override]
        """Where it was found."""
        return self.items.found_at


class OuterRows(_OuterCollection):
    """A list of tuples, in the same way; its `items` are an `OuterList` of it.

    Args:
      container: the list.
      place: where it was found.
    """

    python_class = list

    def element(self) -> EntryType:
        """The type that all elements fit."""
        element = type_of_elements(self.container, self.found_at)
        if element is None:
            raise read_after_change(self.container)
        return element

    def now(self) -> NestList:
        """A list of what is in it when the graph comes here."""
        return rows_now(self.container, self.element())

    @property
    def listed(self) -> Any:
        return self.now()

    def length(self) -> Any:
        """How many elements there are."""
        return asked(len, self.container, (), python_scalar(int))

    as_condition = length

    def stacked(self) -> Any:
        return self.now().stacked()

    def closed(self) -> Any:
        raise read_after_change(self.container)

    def change(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Calls a method of the list that changes it, whenever the graph runs."""
        return self.items.change(name, *args, **kwargs)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.now()[index]
        return item_now(self.container, index, self.element())

    def __setitem__(self, index: Any, element: Any) -> None:
        self.change('__setitem__', index, element)

    def __delitem__(self, index: Any) -> None:
        self.change('__delitem__', index)

    def __iadd__(self, elements: Any) -> OuterRows:
        self.change('__iadd__', elements)
        return self

    def __imul__(self, times: Any) -> OuterRows:
        self.change('__imul__', times)
        return self

    def __getattr__(self, name: str) -> Any:
        if name == 'items' or not hasattr(list, name) or name.startswith('__'):
            raise AttributeError(f"'list' object has no attribute {name!r}")
        return getattr(self.now(), name)

    def __iter__(self) -> Iterator[Any]:
        raise read_after_change(self.container)


class OuterDeque(Deque):
    """The deque itself, in the same way; its `items` are an `OuterList` or `OuterRows` of it.

    Args:
      container: the deque.
      place: where it was found.
    """

    def __init__(self, container: deque[Any], place: Place | None) -> None:
        is_plain = leaf_type(type_of_elements(container, place)) is not None
        super().__init__((OuterList if is_plain else OuterRows)(container, place), container.maxlen)

    @property
    def listed(self) -> Any:
        return self.items.now() if isinstance(self.items, OuterRows) else self.items

    def in_order(self) -> Any:
        return self.items.now()

    def change(self, name: str, *args: Any) -> Any:
        """Calls a method of the deque that changes it, whenever the graph runs."""
        return self.items.change(name, *args)


class OuterSet(_OuterCollection):
    """The set itself, in the same way; its `items` are an `OuterList` of it.

    Args:
      container: the set.
      place: where it was found.
    """

    python_class = set

    @property
    def listed(self) -> Any:
        return self.items.as_it_is()

    def has(self, item: Any) -> Any:
        return contains_now(self.items.container, item)

    def as_condition(self) -> Any:
        """It is true if it is not empty."""
        return self.items.length()

    def closed(self) -> Any:
        raise read_after_change(self.items.container)

    def change(self, name: str, *args: Any) -> Any:
        """Calls a method of the set that changes it, whenever the graph runs."""
        return self.items.change(name, *args)

    def now(self) -> StagedSet:
        """A set of what is in it when the graph comes here."""
        return StagedSet(self.listed.copy())

    def __getattr__(self, name: str) -> Any:
        if name == 'items' or not hasattr(set, name) or name.startswith('__'):
            raise AttributeError(f"'set' object has no attribute {name!r}")
        if name in _GIVING:
            return getattr(self.now(), name)
        raise read_after_change(self.items.container)

    def __iter__(self) -> Iterator[Any]:
        raise read_after_change(self.items.container)


def _changing(name: str) -> Callable[..., Any]:
    def method(self: OuterList | OuterDeque | OuterSet, *args: Any, **kwargs: Any) -> Any:
        return self.change(name, *args, **kwargs)

    return method


def _augmented(name: str) -> Callable[..., Any]:
    def method(self: OuterSet, other: Any) -> OuterSet:
        self.change(name, other)
        return self

    return method


def reading(name: str) -> Any:
    """An operator that reads what is in it now."""
    from_python = getattr(operator, name)
    return lambda self, *others: from_python(self.now(), *map(_now, others))


def _now(x: Any) -> Any:
    return x.now() if isinstance(x, OuterRows) else x


def swapped(name: str) -> Any:
    """The same of a right operand."""
    from_python = getattr(operator, name)
    return lambda self, other: from_python(other, self.now())


# Methods that read the set, and give another one, or whether it is as they say.
_GIVING = frozenset({
    'copy', 'difference', 'intersection', 'isdisjoint', 'issubset', 'issuperset',
    'symmetric_difference', 'union',
})  # fmt: skip
for _name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'sub', 'xor'):
    setattr(OuterSet, f'__{_name}__', reading(f'__{_name}__'))
for _name in ('and', 'or', 'sub', 'xor'):
    setattr(OuterSet, f'__r{_name}__', swapped(f'__{_name}__'))
for _name in ('__iand__', '__ior__', '__isub__', '__ixor__'):
    setattr(OuterSet, _name, _augmented(_name))
for _name in ('append', 'clear', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort'):
    setattr(OuterList, _name, _changing(_name))
    setattr(OuterRows, _name, _changing(_name))
for _name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'add', 'mul'):
    setattr(OuterRows, f'__{_name}__', reading(f'__{_name}__'))
for _name in ('add', 'mul'):
    setattr(OuterRows, f'__r{_name}__', swapped(f'__{_name}__'))
for _name in (
        'append', 'appendleft', 'clear', 'extend', 'extendleft', 'insert', 'pop', 'popleft',
        'remove', 'reverse', 'rotate', '__setitem__', '__delitem__'):
    setattr(OuterDeque, _name, _changing(_name))
for _name in ('add', 'clear', 'discard', 'pop', 'remove', 'update'):
    setattr(OuterSet, _name, _changing(_name))
