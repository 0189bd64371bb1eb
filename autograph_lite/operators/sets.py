"""`set()` that traced code makes and adds to: in a graph, a list in which nothing is twice.

    seen = set()
    for x in xs:
        if x in seen:
            ...
        seen.add(x)
"""
from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing
from ..ops.calls import class_name
from ..ops.effects import RAISE
from .by_python import DoneByPython
from .conditionals import cond, unchanged
from .effects import Diverged, part_of
from .of_items import OfItems
from .staging import condition


@replaces(set)
def _set(*args: Any) -> Any:
    """`set()`, `set(iterable)`, to which tensors may be added."""
    from .listing import listed

    if not is_tracing() or len(args) > 1:
        return set(*args)
    if not args:
        return StagedSet([])
    if isinstance(args[0], StagedSet):
        return args[0].copy()
    items = listed(args[0])
    if not _has_tensors(items):
        return staged_set(set(items))
    made = StagedSet([])
    made.update(items)
    return made


def staged_set(known: set[Any]) -> Any:
    """What stands for a set of numbers and texts, to which tensors may be added; others as is."""
    return StagedSet(list(known)) if all(map(_is_plain, known)) else known


def _is_plain(x: Any) -> bool:
    """Whether it is a number or a text, or a tuple of them."""
    if type(x) is tuple:
        return all(map(_is_plain, x))
    return x is None or isinstance(x, int | float | complex | str | bytes | np.generic)


class StagedSet(DoneByPython):
    """What a set is while a function is traced that begins with an empty one.

    Attributes:
      items: the list of what is in it.
    """

    python_class = set

    def __init__(self, items: Any) -> None:
        self.items = items

    @property
    def listed(self) -> Any:
        return actual(self.items)

    def in_order(self) -> Any:
        """What is in it as Python goes over it."""
        return list(self.real('going over it, whose order is its own'))

    def closed(self) -> Any:
        return self.real('being kept outside')

    def as_condition(self) -> Any:
        """It is true if it is not empty."""
        return condition(self.listed)

    def add(self, item: Any) -> None:
        """Puts an element into it, if it is not there."""
        item = valued(item)
        _check_hashable(item)
        self._where(item, unchanged, lambda: self.listed.append(item))

    def discard(self, item: Any) -> None:
        """Takes an element out, if it is there."""
        self._where(valued(item), lambda: self._take_out(item), unchanged)

    def remove(self, item: Any) -> None:
        """Takes an element out.

        Raises:
          KeyError: it is not there.
        """
        self._where(valued(item), lambda: self._take_out(item), lambda: _missing(item))

    def update(self, *others: Any) -> None:
        """Puts the elements of others into it."""
        from .loops import for_loop

        for other in others:
            for_loop(other.listed if isinstance(other, StagedSet) else other, self.add)

    def clear(self) -> None:
        """Takes every element out."""
        self.listed.clear()

    def copy(self) -> StagedSet:
        """A set of the same elements."""
        return StagedSet(self.listed.copy())

    __copy__ = copy

    def _where(self, item: Any, there: Callable[[], Any], missing: Callable[[], Any]) -> None:
        from .membership import in_

        is_there = in_(item, self.listed)
        if isinstance(is_there, Tensor):
            cond(is_there, there, missing)
        else:
            (there if is_there else missing)()

    def _take_out(self, item: Any) -> None:
        from .calls import call

        call(self.listed.remove, item)

    def kept_in_order(self, real: Any) -> list[Any]:
        return [x for x in self.listed if x in real] + [x for x in real if x not in self.listed]

    def like(self, real: Any) -> StagedSet:
        return StagedSet(list(real))

    def __len__(self) -> int:
        return len(self.real('asking Python for its length'))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.real('going over it, whose order is its own'))

    def __contains__(self, item: Any) -> bool:
        return item in self.real('asking Python what is in it')

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __repr__(self) -> str:
        return repr(self.real('its text'))

    __hash__ = None  # type: ignore[assignment]

    def real(self, what: str) -> Any:
        """The set itself.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        items = self.listed
        if _has_tensors(items):
            raise StagingError(describe(
                f'A set of which only the running graph knows the elements does not support '
                f'{what}.', user_location(),
                'Ask for each element, `if x in seen`, for its size, `len(seen)`, or go over '
                '`sorted(seen)`.'))
        return set(items)


def in_any_order(x: Any, key: Any) -> Any:
    """The elements of a set, for what compares them and nothing else; anything else itself."""
    return x.listed if isinstance(x, StagedSet) and key is None else x


def _operator(name: str, swapped: bool = False) -> Any:
    function = getattr(operator, name)

    def method(self: StagedSet, other: Any) -> Any:
        if not isinstance(other, StagedSet | set | frozenset):
            return name == 'ne' if name in ('eq', 'ne') else NotImplemented
        mine, others = self.real('comparing and combining it'), _plain(other)
        result = function(others, mine) if swapped else function(mine, others)
        return StagedSet(list(result)) if type(result) is set else result

    return method


for _name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'or_', 'and_', 'sub', 'xor'):
    setattr(StagedSet, f'__{_name.strip("_")}__', _operator(_name))
for _name in ('or_', 'and_', 'sub', 'xor'):
    setattr(StagedSet, f'__r{_name.strip("_")}__', _operator(_name, swapped=True))


def _plain(x: Any) -> Any:
    return x.real('comparing and combining it') if isinstance(x, StagedSet) else x


def _check_hashable(item: Any) -> None:
    """Python's own error for what is no element of a set."""
    if isinstance(item, Tensor):
        if item.type.kind == 'array':
            raise TypeError(f'unhashable type: {class_name(item)}')
    elif not isinstance(item, tuple):
        hash(item)


def _has_tensors(items: Any) -> bool:
    is_tensor = type(items) is not list
    return is_tensor or any(isinstance(x, Tensor) for x in nest.flatten(items)[0])


def _missing(item: Any) -> NoReturn:
    inputs: list[Any] = []
    part = part_of(item, inputs)
    emit(RAISE, inputs, {'error': KeyError, 'parts': [part]})
    raise Diverged


class EndedSet(OfItems):
    """Stands for a set that is returned."""

    __slots__ = ()

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (items,) = parts
        return cls(items) if is_tracing() else set(items)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'set({parts[0]})'
