"""Names for lists, dicts and objects of which only the running graph knows which they are.

    g = groups[k]
    g.append(x)

A trace has the values of what such a name may stand for, and none of that is modified from then on
(see `watched`). If it is, the function is traced anew: then the name refers to what is there.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..ops.numpy_calls import call_numpy
from .chosen_parts import Chosen
from .comparing import equal
from .identical import identical
from .leaves import same_static
from .looked_up import looked_up
from .naming import by_value
from .outside import is_outside
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
        if isinstance(index, Tensor):
            return Chosen(index, self.parts)
        return Chosen([partial(equal, index, i) for i, _ in enumerate(self.parts)], self.parts)

    @property
    def value(self) -> Any:
        with by_value():
            return self.chosen.kept()

    @property
    def looked_at(self) -> Any:
        with by_value():
            return self.chosen.gone_over()

    @property
    def asked(self) -> Any:
        from .numbers_made import bool as bool_

        return self.chosen.told(lambda number: bool_(nest.actual(self.parts[number])))

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
        other = x.is_one if isinstance(x, Reference) else partial(identical, x)
        return self.entry([other(nest.actual(part)) for part in self.parts])

    def entry(self, numbers: list[Any]) -> Any:
        """The one of several numbers that stands at the place of the one that it is."""
        chosen = self.chosen
        if isinstance(chosen.asks, Tensor):
            return entry(numbers, chosen.asks)
        return chosen.told(numbers.__getitem__)

    def at(self, index: Any) -> Any:
        """The one with another number; what stands for none itself."""
        return index if is_nothing(index) else Reference(index, self.parts)

    def lacks(self, x: Any) -> list[Any]:
        """What lives outside, or None, of what something may be that is none of the parts."""
        x = nest.actual(x)
        possible = list(map(nest.actual, x.parts)) if isinstance(x, Reference) else [x]
        known = {id(nest.actual(part)) for part in self.parts}
        return [
            each for each in possible
            if id(each) not in known and (each is None or is_outside(each))]

    def number_of(self, x: Any) -> Any:
        """The number of something among the parts; what stands for nothing itself.

        Raises:
          OwnershipError: it is none of them.
        """
        x = nest.actual(x)
        if is_nothing(x):
            return x
        if isinstance(x, Reference):
            return x.entry(list(map(self.number_of, x.parts)))
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
    """What a function returns, with the values of what only the running graph knows.

    Raises:
      OwnershipError: one of these may be None, or one that others know by another name.
    """
    if isinstance(returned, Reference) and any(part is None for part in returned.parts):
        raise modified_one_of_two(next(part for part in returned.parts if part is not None))
    if isinstance(returned, ReadAsValue) and nest.is_leaf(returned):
        return returned.value
    return nest.map_children(named_values, returned) if has_references(returned) else returned


def referring_to(chosen: Chosen) -> Reference | None:
    """A name for what a container has at a key; None for what cannot be changed in place.

    None, too, where that is not there in each of those that it may be.
    """
    start = checkpoint()
    try:
        found = [_possible(chosen, number) for number, _ in enumerate(chosen.parts)]
    except Exception:
        return None
    finally:
        undo(start)
    parts = [part for each in found for part in each]
    if not all(map(can_be_referred_to, parts)) or all(part is None for part in parts):
        return None
    distinct = {id(part): part for part in parts}
    numbers = [list(map(list(distinct).index, map(id, each))) for each in found]
    return Reference(_number(chosen, numbers), list(distinct.values()))


def _number(chosen: Chosen, numbers: list[list[int]]) -> Any:
    """Which of several a step leads to.

    Args:
      chosen: what it starts from.
      numbers: for each that this may be, those of what it leads to.
    """
    is_one = isinstance(chosen.asks, Tensor) and all(len(each) < 2 for each in numbers)
    if is_one and chosen.is_checked():
        return entry([each[0] if each else 0 for each in numbers], chosen.asks)

    def of_led(number: int) -> Any:
        led = chosen.led(number)  # None leads nowhere
        known = numbers[number]
        return led.told(known.__getitem__) if isinstance(led, Chosen) else known[0]

    return chosen.told(of_led)


def entry(numbers: list[Any], index: Tensor) -> Any:
    """The one at a place, of some numbers of which only the running graph may know some."""
    if all(map(same_static, numbers, range(len(numbers)))):
        return index
    if all(same_static(each, numbers[0]) for each in numbers):
        return numbers[0]
    found = looked_up(numbers, index)
    return Chosen(index, numbers).told(numbers.__getitem__) if found is NotImplemented else found


def _possible(chosen: Chosen, number: int) -> list[Any]:
    """What is meant if it is the one of this number; nothing if that is None, which leads nowhere.

    Raises:
      Exception: it is another one that does not lead there.
    """
    try:
        return _parts_of(chosen.led(number))
    except (AttributeError, TypeError):
        if chosen.parts[number] is None:
            return []
        raise


def _parts_of(x: Any) -> list[Any]:
    if not isinstance(x, Chosen):
        return [x]
    return [part for number, _ in enumerate(x.parts) for part in _possible(x, number)]
