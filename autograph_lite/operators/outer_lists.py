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
from ..graph.types import TensorType
from .deques import Deque
from .lists import StagedList
from .living_lists import LivingCollection, LivingList
from .outer_calls import change
from .outside import rebound
from .outside_errors import read_after_change
from .places import Place
from .running_reads import contains_now, list_now, type_of_elements
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
            self._known = _LastRead(list_now(self.source, element), count)
        return self._known.found

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
        """The type that all elements fit; None where there is none."""
        return type_of_elements(self.container, self.found_at)

    @property
    def _value(self) -> Value:  # type: ignore[override]
        return self.as_it_is().held

    @property
    def _memory(self) -> Memory:  # type: ignore[override]
        return self.as_it_is().memory

    @property
    def _versions(self) -> list[int]:  # type: ignore[override]
        return [storage.version for storage in self._memory]

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


class OuterDeque(Deque):
    """The deque itself, in the same way; its `items` are an `OuterList` of it.

    Args:
      container: the deque.
      place: where it was found.
    """

    def __init__(self, container: deque[Any], place: Place | None) -> None:
        super().__init__(OuterList(container, place), container.maxlen)

    def change(self, name: str, *args: Any) -> Any:
        """Calls a method of the deque that changes it, whenever the graph runs."""
        return self.items.change(name, *args)


class OuterSet(LivingCollection):
    """The set itself, in the same way; its `items` are an `OuterList` of it.

    Args:
      container: the set.
      place: where it was found.
    """

    python_class = set

    def __init__(self, container: set[Any], place: Place | None) -> None:
        self.items = OuterList(container, place)

    @property
    def container(self) -> Any:
        """The set."""
        return self.items.container

    @property
    def found_at(self) -> Place | None:  # type: ignore[override]
        """Where it was found."""
        return self.items.found_at

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
    return lambda self, *others: from_python(self.now(), *others)


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
for _name in ('append', 'appendleft', 'extend', 'extendleft', 'pop', 'popleft', 'rotate'):
    setattr(OuterDeque, _name, _changing(_name))
for _name in ('add', 'clear', 'discard', 'pop', 'remove', 'update'):
    setattr(OuterSet, _name, _changing(_name))
