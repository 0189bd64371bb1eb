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
from .conditionals import cond
from .effects import Diverged, part_of
from .of_items import OfItems
from .progress import Collection
from .reentry import call, for_loop, gathered, in_, listed
from .staging import condition, unchanged


@replaces(set)
def _set(*args: Any) -> Any:
    """`set()`, `set(iterable)`, to which tensors may be added."""
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
    return StagedSet(list(known)) if all(map(is_plain, known)) else known


def is_plain(x: Any) -> bool:
    """Whether it is a number or a text, or a tuple of them."""
    if type(x) is tuple:
        return all(map(is_plain, x))
    return x is None or isinstance(x, int | float | complex | str | bytes | np.generic)


_ASK = (
    'Ask for each element, `if x in seen`, for its size, `len(seen)`, or go over `sorted(seen)`.')


class StagedSet(DoneByPython):
    """What a set is while a function is traced that begins with an empty one.

    Attributes:
      items: the list of what is in it.
    """

    python_class = set
    instead_of_array = '`np.array(sorted(s))`'

    def __init__(self, items: Any) -> None:
        self.items = items

    @property
    def listed(self) -> Any:
        return actual(self.items)

    @property
    def is_list_of_graph(self) -> bool:
        """Whether only the running graph knows how much is in it."""
        return type(self.listed) is not list

    def in_order(self) -> Any:
        """What is in it as Python goes over it."""
        return list(self.real('going over it, whose order is its own'))

    def closed(self) -> Any:
        return self.real(
            'being kept outside',
            'Change the set that is there, `o.seen.clear()`, `o.seen.update(new)`; or keep a list '
            'there, `sorted(seen)`.')

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
        is_there = in_(item, self.listed)
        if isinstance(is_there, Tensor):
            cond(is_there, there, missing)
        else:
            (there if is_there else missing)()

    def _take_out(self, item: Any) -> None:
        call(self.listed.remove, item)

    def kept_in_order(self, real: Any) -> list[Any]:
        return [x for x in self.listed if x in real] + [x for x in real if x not in self.listed]

    def like(self, real: Any) -> StagedSet:
        return StagedSet(list(real))

    def __len__(self) -> int:
        return len(self.real('asking Python for its length'))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.real('going over it, whose order is its own'))

    def union(self, *given: Any) -> Any:
        """The set of what is in any of them."""
        others = _gathered(given)
        if self._are_known(others):
            return self._done('union', *others)
        made = self.copy()
        made.update(*others)
        return made

    def intersection(self, *others: Any) -> Any:
        """The set of what is in all of them."""
        return self._of('intersection', others)

    def difference(self, *others: Any) -> Any:
        """The set of what is in this one alone."""
        return self._of('difference', others)

    def symmetric_difference(self, other: Any) -> Any:
        """The set of what is in one of them alone."""
        return self._of('symmetric_difference', (other,))

    def intersection_update(self, *others: Any) -> None:
        """Takes out what is not in all of them."""
        self._become('intersection', others)

    def difference_update(self, *others: Any) -> None:
        """Takes out what is in one of the others."""
        self._become('difference', others)

    def symmetric_difference_update(self, other: Any) -> None:
        """Takes out what is in both, and puts in what is in the other one alone."""
        self._become('symmetric_difference', (other,))

    def issubset(self, other: Any) -> Any:
        """Whether all that is in it is in the other one."""
        return self._compared('issubset', other)

    def issuperset(self, other: Any) -> Any:
        """Whether all that is in the other one is in it."""
        return self._compared('issuperset', other)

    def isdisjoint(self, other: Any) -> Any:
        """Whether nothing is in both."""
        from .set_algebra import are_not_in

        (other,) = _gathered((other,))
        if self._are_known((other,)):
            return self._done('isdisjoint', other)
        return are_not_in(_listed(self), _listed(other))

    def _are_known(self, others: Sequence[Any]) -> bool:
        """Whether tracing knows all that is in it and in the others."""
        return not any(
            _has_tensors(x.listed if isinstance(x, StagedSet) else _listed(x))
            for x in (self, *others))

    def _compared(self, method: str, other: Any) -> Any:
        from .set_algebra import are_in

        (other,) = _gathered((other,))
        if self._are_known((other,)):
            return self._done(method, _listed(other))
        mine, others = _listed(self), _listed(other)
        return are_in(mine, others) if method == 'issubset' else are_in(others, mine)

    def _of(self, name: str, others: Sequence[Any]) -> Any:
        others = _gathered(others)
        return self._done(name, *others) if self._are_known(others) else StagedSet(
            self._made(name, others))

    def _become(self, name: str, others: Sequence[Any]) -> None:
        others = _gathered(others)
        if self._are_known(others):
            self._done(f'{name}_update', *others)
            return
        made, items = self._made(name, others), self.listed
        if type(items) is list:
            self.items = made
        else:
            items.clear()
            items.extend(made)

    def _made(self, name: str, others: Sequence[Any]) -> Any:
        """The list of what a method gives."""
        from .set_algebra import common, remaining

        items, *rows = (_listed(x) for x in (self, *others))
        if name == 'symmetric_difference':
            made = remaining(items, rows)
            return StagedSet(made).union(remaining(rows[0], [items])).listed
        return (common if name == 'intersection' else remaining)(items, rows)

    def __repr__(self) -> str:
        return repr(self.real('its text'))

    def real(self, what: str, fix: str = _ASK) -> Any:
        """The set itself.

        Args:
          what: what needs it.
          fix: what to write instead.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        items = self.listed
        if _has_tensors(items):
            raise StagingError(describe(
                f'A set of which only the running graph knows the elements does not support '
                f'{what}.', user_location(), fix))
        return set(items)


def in_any_order(x: Any, key: Any) -> Any:
    """The elements of a set, for what compares them and nothing else; anything else itself."""
    return x.listed if isinstance(x, StagedSet) and key is None else x


_METHODS = {
    'or': 'union', 'and': 'intersection', 'sub': 'difference', 'xor': 'symmetric_difference'}


def _comparison(name: str) -> Any:
    from_python = getattr(operator, name)

    def method(self: StagedSet, other: Any) -> Any:
        from .set_algebra import compared

        if not isinstance(other, StagedSet | set | frozenset):
            is_known = name in ('eq', 'ne') and not isinstance(other, Collection)
            return name == 'ne' if is_known else NotImplemented
        if self._are_known((other,)):
            return from_python(set(_listed(self)), set(_listed(other)))
        return compared(name, _listed(self), _listed(other))

    return method


def _operator(name: str) -> Any:
    def method(self: StagedSet, other: Any) -> Any:
        is_set = isinstance(other, StagedSet | set | frozenset)
        return getattr(self, _METHODS[name])(other) if is_set else NotImplemented

    return method


def _swapped(name: str) -> Any:
    def method(self: StagedSet, other: Any) -> Any:
        if isinstance(other, frozenset):  # so is what that gives
            mine = self.real('combining it with a frozenset', 'Make a set of that: `set(items)`.')
            return getattr(operator, f'__{name}__')(other, mine)
        is_set = isinstance(other, set)
        return getattr(StagedSet(list(other)), _METHODS[name])(self) if is_set else NotImplemented

    return method


def _in_place(name: str) -> Any:
    update = 'update' if name == 'or' else f'{_METHODS[name]}_update'

    def method(self: StagedSet, other: Any) -> Any:
        if not isinstance(other, StagedSet | set | frozenset):
            return NotImplemented
        getattr(self, update)(other)
        return self

    return method


for _name in ('eq', 'ne', 'lt', 'le', 'gt', 'ge'):
    setattr(StagedSet, f'__{_name}__', _comparison(_name))
for _name in _METHODS:
    setattr(StagedSet, f'__{_name}__', _operator(_name))
    setattr(StagedSet, f'__r{_name}__', _swapped(_name))
    setattr(StagedSet, f'__i{_name}__', _in_place(_name))


def _gathered(others: Sequence[Any]) -> list[Any]:
    """Sets, and the lists of what else there is: some can be gone over only once."""
    return [x if isinstance(x, StagedSet | set | frozenset) else _listed(x) for x in others]


def _listed(x: Any) -> Any:
    """The list of what is in a set, or in what else a method of one takes."""
    x = nest.actual(x)
    if isinstance(x, set | frozenset | list | tuple):
        return list(x)
    found = gathered(x.listed if isinstance(x, StagedSet) else x)
    return list(found) if isinstance(found, Iterator) else found


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
