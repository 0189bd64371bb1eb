"""What a container has at a key that only the running graph knows, to be changed where it is.

    groups['even' if i % 2 == 0 else 'odd'].append(i)

For each of the lists, dicts and objects that it may be there is a branch, which changes that one.
"""
from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.state import ReadAsValue, valued
from ..graph.tensor import Tensor
from .checking import check
from .chosen_functions import can_be_chosen, one_function
from .chosen_keys import can_choose, missing
from .comparing import equal
from .conditionals import cond
from .contents import is_object
from .dicts import StagedDict
from .effects import raises_of_container
from .growing_dicts import GrowingDict
from .grown_dicts import make_by_reading
from .lists import StagedList
from .live_lists import LiveContainer
from .living_lists import LivingDict
from .looked_up import looked_up
from .members import Member, is_one
from .naming import refers
from .nest_lists import NestList
from .outside import is_outside
from .own_operators import BINARY
from .reentry import call, item
from .staging import UNNAMED, graph_now
from .watched import is_container, watch_all

# Of more parts, the program would be too long: each has a branch.
_MOST_PARTS = 64

Ask = Callable[[], Any]
Step = Callable[[Any], Any]


class Chosen:
    """One of several lists, dicts, objects or arrays.

    Attributes:
      asks: of each of them, a function that tells whether it is that one; or its number, a tensor.
      parts: these.
      steps: what leads from there to what is meant.
      missing: what is done where it is none of them; None where it is one of them.
    """

    __slots__ = ('asks', 'missing', 'parts', 'steps')

    def __init__(
        self, asks: Any, parts: Sequence[Any], missing: Ask | None = None,
        steps: tuple[Step, ...] = (),
    ) -> None:  # fmt: skip
        self.asks = asks
        self.parts = parts
        self.missing = missing
        self.steps = steps

    def then(self, step: Step) -> Chosen:
        """What a step leads to from there."""
        return Chosen(self.asks, self.parts, self.missing, (*self.steps, step))

    def value(self) -> Any:
        """What it holds now, in a nest of its own; of functions, the right one."""
        if not self.steps and all(map(callable, self.parts)):
            if all(map(can_be_chosen, self.parts)):
                return one_function(self.parts, self.told)
            return functools.partial(called_one, self)
        found = self._looked_up()
        if found is not NotImplemented:
            return found
        return self._each(lambda number: _value(self._led(self.parts[number])))

    def _looked_up(self) -> Any:
        """What each attribute holds is a number: the right one; NotImplemented for anything else.
        """
        if not (self.steps and isinstance(self.asks, Tensor)):
            return NotImplemented
        start = checkpoint()
        found = NotImplemented
        with suppress(Exception):
            values = {i: self._led(x) for i, x in enumerate(self.parts) if x is not None}
            in_place = [next(iter(values.values()))] * len(self.parts)  # None is not read
            for i, value in values.items():
                in_place[i] = value
            found = looked_up(in_place, self.asks) if self.is_checked() else found
        if found is NotImplemented:
            undo(start)
        return found

    def is_checked(self) -> bool:
        """Whether it leads somewhere: where it is None when the graph runs, that raises its error.
        """
        for number, part in enumerate(self.parts):
            if part is not None:
                continue
            try:
                self._led(part)
            except (AttributeError, TypeError) as error:
                check(equal(self.asks, number), str(error), type(error))
            else:
                return False
        return True

    def told(self, answer: Callable[[int], Any]) -> Any:
        """What a function says of the number of the one that it is."""
        return self._each(answer)

    def led(self, number: int) -> Any:
        """What is meant if it is the one of this number."""
        return self._led(self.parts[number])

    def kept(self) -> Any:
        """The same for a name.

        As long as names do not refer to what only the running graph knows, it has the values of
        that, and neither is modified from now on.
        """
        from .references import referring_to

        reference = referring_to(self) if refers() else None
        if reference is not None:
            return reference
        found = self.value()
        if _has_containers(found):
            for each in (found, *self.parts):
                watch_all(each)
        return found

    def gone_over(self) -> Any:
        """The same where what is in it may get names; of that nothing is modified from now on."""
        found = self.value()
        if any(map(_has_containers, nest.children(found))):
            for each in (found, *self.parts):
                for part in nest.children(each):
                    watch_all(part)
        return found

    def changed(self, change: Callable[..., Any], *args: Any) -> Any:
        """What a function gives for the one that it is, which it may change.

        Args:
          change: takes what is meant, and the arguments.
          *args: what else it uses.
        """
        parts = list(map(nest.actual, self.parts))
        distinct = list({id(part): part for part in parts if not is_outside(part)}.values())

        def branch(number: int, *given: Any) -> Any:
            mine, more = given[: len(distinct)], given[len(distinct) :]
            pairs = zip(distinct, mine, strict=True)
            part = parts[number]
            x = self._led(next((each for one, each in pairs if one is part), part))
            result = x.changed(change, *more) if isinstance(x, Chosen) else change(x, *more)
            return (result, *given)

        result = self._each(branch, *distinct, *args)
        return result if distinct or args else result[0]

    def method(self, name: str) -> Callable[..., Any]:
        """The method of this name, or what an attribute holds that is called."""

        def call_each(*args: Any, **kwargs: Any) -> Any:
            if name in _VIEWS and all(type(self._led(x)) is dict for x in self.parts):
                found = self.value()
                for each in (found, *map(self._led, self.parts)):
                    watch_all(each)
                return _call(getattr(found, name), args, kwargs)
            return self.changed(functools.partial(_called, name), args, kwargs)

        return call_each

    def _led(self, x: Any) -> Any:
        """Where the steps lead from one of the parts."""
        for step in self.steps:
            x = step(x)
        return x

    def _each(self, function: Callable[..., Any], *given: Any) -> Any:
        names = [UNNAMED, *(f'<part{number}>' for number, _ in enumerate(given))] if given else []

        def found(number: int, *given: Any) -> Any:
            try:
                return function(number, *given)
            except Exception as error:
                raises_of_container(error, graph_now(), self.parts[number] is None)

        def search(number: int, *given: Any) -> Any:
            if number == len(self.parts):
                return self.missing()  # type: ignore[misc]
            is_last = self.missing is None and number == len(self.parts) - 1
            test = True if is_last else self.asks[number]()
            if not isinstance(valued(test), Tensor):
                known = found if number else function  # the last is in a branch, too
                return known(number, *given) if test else search(number + 1, *given)
            return cond(
                test, lambda *given: found(number, *given),
                lambda *given: search(number + 1, *given), *given, names=names)

        def halve(first: int, after: int, *given: Any) -> Any:
            if after - first == 1:
                return found(first, *given)
            middle = (first + after) // 2
            return cond(
                self.asks < middle, lambda *given: halve(first, middle, *given),
                lambda *given: halve(middle, after, *given), *given, names=names)

        if isinstance(self.asks, Tensor):
            result = halve(0, len(self.parts), *given)
        else:
            result = search(0, *given)
        return result[0] if given else result


_VIEWS = frozenset({'keys', 'values', 'items'})


def place_at(container: Any, key: Any) -> Any:
    """`container[key]`, to be changed where it is."""
    if isinstance(container, ReadAsValue) and not isinstance(container, LiveContainer):
        container = container.chosen
    if isinstance(container, Chosen):
        return container.then(lambda x: place_at(x, key))

    if isinstance(container, LiveContainer):
        return container[key]
    place = place_of_key(container, key)
    return item(container, key) if place is None else place


def place_of_key(container: Any, key: Any) -> Chosen | None:
    """One of the parts of a container, where only the running graph knows which; else None."""
    key = valued(key)
    make_by_reading(container, key)
    container = nest.actual(container)
    if isinstance(container, GrowingDict | LivingDict):
        from .growing_places import place_in_growing  # it needs what is here

        return place_in_growing(container, key)
    if isinstance(container, NestList):
        from .rows import row_of  # it needs what is here

        return row_of(container, key)
    asks: list[Ask]
    if isinstance(key, Member) and isinstance(container, (dict, StagedDict)):
        keys = [each for each in container if type(each) is key._kind]
        asks = [functools.partial(is_one, key, each) for each in keys]
    elif can_choose(container, key):
        keys = list(container)
        asks = [functools.partial(equal, key, each) for each in keys]
    elif _is_index(key) and isinstance(container, (list, tuple, deque)):
        return _at_index(container, key)
    else:
        return None
    parts = [container[each] for each in keys]
    lacking = functools.partial(missing, container, key)
    return Chosen(asks, parts, lacking) if _can_be_changed(parts) else None


def _at_index(container: Any, index: Any) -> Chosen | None:
    parts, size = list(container), len(container)
    if not _can_be_changed(parts):
        return None
    message = f'{nest.kind_of(container).__name__} index out of range'
    place = cond(index < 0, lambda: index + size, lambda: index)
    for is_out in (place < 0, place >= size):
        check(is_out, message, IndexError)
    return Chosen(place, parts)


def _is_index(key: Any) -> bool:
    return isinstance(key, Tensor) and key.type.shape == () and key.dtype.kind in 'iu'


def _can_be_changed(parts: Sequence[Any]) -> bool:
    return 0 < len(parts) <= _MOST_PARTS and (
        any(map(_has_containers, parts)) or any(map(can_be_chosen, parts)))


def _has_containers(x: Any) -> bool:
    """Whether something in it can be changed in place."""
    x = nest.actual(x)
    if isinstance(x, Tensor):
        return isinstance(x, StagedList)
    if is_container(x) or isinstance(x, (set, bytearray, deque)) or is_object(x):
        return True
    return any(map(_has_containers, nest.children(x)))


def _value(x: Any) -> Any:
    """A copy of what it holds, which no other name stands for."""
    from .captures import part

    return x.value() if isinstance(x, Chosen) else nest.map_leaves(lambda leaf: leaf, part(x))


def called_one(chosen: Chosen, *args: Any, **kwargs: Any) -> Any:
    """What calling the one of several functions or objects gives that it is."""
    return chosen.changed(_call, args, kwargs)


def _called(name: str, x: Any, args: Any, kwargs: Any) -> Any:
    from .captures import method

    return _call(method(x, f'.{name}'), args, kwargs)


def _call(x: Any, args: Any, kwargs: Any) -> Any:
    return call(x, *args, **kwargs)


class Augmented:
    """What an augmented assignment reads; the operator changes what it is read from.

    Args:
      change: takes the operator and its right operand.
    """

    __slots__ = ('_change',)

    def __init__(self, change: Callable[[str, Any], None]) -> None:
        self._change = change

    def by(self, symbol: str, other: Any) -> Augmented:
        """The same, after `self += other` and the like."""
        self._change(symbol, other)
        return self


def _in_place(symbol: str) -> Any:
    return lambda self, other: self.by(symbol, other)


for _symbol, _name in BINARY.items():
    setattr(Augmented, f'__i{_name}__', _in_place(f'{_symbol}='))
