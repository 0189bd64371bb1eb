"""Names for lists, dicts and objects of which only the running graph knows which they are.

    g = groups[k]
    g.append(x)

A trace has the values of what such a name may stand for, and none of that is modified from then on
(see `watched`). If it is, the function is traced anew: then the name refers to what is there.
"""
from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.state import ReadAsValue
from ..ops.numpy_calls import call_numpy
from .chosen_parts import Chosen
from .comparing import equal
from .identical import identical
from .naming import by_value
from .own_operators import BINARY
from .picks import can_be_referred_to, is_nothing
from .progress import Progress
from .reentry import call
from .staging import condition
from .unbound import Unbound, value_of_name
from .watched import content_of, modified_one_of_two, still_holds


class Reference(ReadAsValue, Progress):
    """A name for one of several lists, dicts or objects.

    Attributes:
      index: the number of the one that it is.
      parts: these.
    """

    __slots__ = ('index', 'parts')

    def __init__(self, index: Any, parts: list[Any]) -> None:
        self.index = index
        self.parts = parts

    @property
    def chosen(self) -> Chosen:
        """The same, to be changed where it is."""
        index = value_of_name(self.index) if isinstance(self.index, Unbound) else self.index
        asks = [functools.partial(equal, index, i) for i, _ in enumerate(self.parts)]
        return Chosen(asks, self.parts, None)

    @property
    def value(self) -> Any:
        with by_value():
            return self.chosen.kept()

    @property
    def looked_at(self) -> Any:
        with by_value():
            return self.chosen.gone_over()

    def unchanged_by(self, run: Callable[[Any], Any]) -> Any:
        """What a function gives for what it holds, which it does not modify.

        Raises:
          OwnershipError: it does.
        """
        before = [(part, content_of(part)) for part in map(nest.actual, self.parts)]
        result = run(self.looked_at)
        for part, held in before:
            if nest.actual(part) is not part or not still_holds(part, held):
                raise modified_one_of_two(part)
        return result

    def by(self, symbol: str, other: Any) -> Reference:
        from .setting import augment

        self.chosen.changed(augment, symbol, other)
        return self

    def bound(self, read: Callable[[Any], Any]) -> Reference:
        return self.at(read(self.index)) if isinstance(self.index, Unbound) else self

    def is_one(self, x: Any) -> Any:
        if isinstance(x, Reference):
            return self.chosen.told(lambda number: x.is_one(nest.actual(self.parts[number])))
        return self.chosen.told(lambda number: identical(nest.actual(self.parts[number]), x))

    def at(self, index: Any) -> Any:
        """The one with another number; what stands for none itself."""
        return index if is_nothing(index) else Reference(index, self.parts)

    def number_of(self, x: Any) -> Any:
        """The number of something among the parts; what stands for nothing itself.

        Raises:
          OwnershipError: it is none of them.
        """
        x = nest.actual(x)
        if is_nothing(x):
            return x
        if isinstance(x, Reference):
            numbers = list(map(self.number_of, x.parts))
            return x.chosen.told(numbers.__getitem__)
        for i, part in enumerate(self.parts):
            if nest.actual(part) is x:
                return i
        raise modified_one_of_two(x)

    # Where Python itself reads it.

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        from .captures import method, part

        if name.startswith('__'):
            raise AttributeError(name)
        kinds = [type(nest.actual(x)) for x in self.parts]
        is_method = all(callable(getattr(kind, name, None)) for kind in kinds)
        return (method if is_method else part)(self, f'.{name}')

    def __bool__(self) -> bool:
        return bool(condition(self))

    def __iter__(self) -> Any:
        return iter(self.value)

    def __setitem__(self, key: Any, value: Any) -> None:
        from .setting import setting

        setting(self, None)[key] = value

    def __copy__(self) -> Any:
        return self.chosen.changed(_copied)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return call_numpy(getattr(ufunc, method), *map(looked_into, inputs), **options)

    def __array_function__(self, f: Any, types: Any, args: Any, kwargs: Any) -> Any:
        given = {name: looked_into(x) for name, x in kwargs.items()}
        return call_numpy(f, *map(looked_into, args), **given)


def _copied(x: Any) -> Any:
    import copy

    return call(copy.copy, x)


def _forwarded(name: str) -> Any:
    def method(self: Reference, *args: Any) -> Any:
        found = getattr(self.looked_at, name, None)
        return NotImplemented if found is None else found(*map(looked_into, args))

    return method


def _in_place(symbol: str) -> Any:
    return lambda self, other: self.by(symbol, other)


_READING = ('getitem', 'len', 'contains', 'reversed', 'lt', 'le', 'eq', 'ne', 'gt', 'ge')
for _name in (*_READING, *BINARY.values(), *(f'r{name}' for name in BINARY.values())):
    setattr(Reference, f'__{_name}__', _forwarded(f'__{_name}__'))
for _symbol, _name in BINARY.items():
    setattr(Reference, f'__i{_name}__', _in_place(f'{_symbol}='))


def looked_into(x: Any) -> Any:
    """What is read of such names in a nest; anything else itself."""
    if isinstance(x, ReadAsValue):
        return x.looked_at
    if not has_references(x):
        return x
    return nest.map_children(looked_into, x)


def has_references(x: Any) -> bool:
    """Whether there are such names in a nest."""
    return any(isinstance(leaf, ReadAsValue) for leaf in nest.flatten(x)[0])


def named_values(returned: Any) -> Any:
    """What a function returns, with the values of what only the running graph knows."""
    if isinstance(returned, ReadAsValue) and nest.is_leaf(returned):
        return returned.value
    return nest.map_children(named_values, returned) if has_references(returned) else returned


def referring_to(chosen: Chosen) -> Reference | None:
    """A name for what a container has at a key; None for what cannot be changed in place.

    None, too, where that is not there in each of those that it may be.
    """
    start = checkpoint()
    try:
        found = [_parts_of(chosen.led(number)) for number, _ in enumerate(chosen.parts)]
    except Exception:
        return None
    finally:
        undo(start)
    firsts = list(itertools.accumulate(map(len, found), initial=0))

    def number_in_all(number: int) -> Any:
        led = chosen.led(number)
        first = firsts[number]
        return led.told(lambda inner: first + inner) if isinstance(led, Chosen) else first

    parts = [part for each in found for part in each]
    if not all(map(can_be_referred_to, parts)):
        return None
    return Reference(chosen.told(number_in_all), parts)


def _parts_of(x: Any) -> list[Any]:
    if not isinstance(x, Chosen):
        return [x]
    return [part for number, _ in enumerate(x.parts) for part in _parts_of(x.led(number))]
