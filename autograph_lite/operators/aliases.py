"""One list or array under several names, all of them given to a staged block.

The block works on a copy for each name. Where it modifies one of these, it is staged again with one
copy for them all; what is in a list, dict or object that is given too is found in the copy of that.
"""
from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest, nest_contents
from ..graph.storage import CapturedStorage, Storage
from ..graph.tensor import Tensor
from ..graph.types import ListType
from .other_names import root_of

# A step from a list, dict or object to what it holds: its class, and the key, name or number.
Step = tuple[type[Any], Any]
Steps = tuple[Step, ...]

# What the name ends with of the contents of an array that is state of a block: see `view_bases`.
CONTENTS = '[...]'


def aliased(name: str, other: str, kind: str) -> OwnershipError:
    """The error for two names that may be one array or list after a turn of a loop.

    The contents of an array, by whatever name, are called as in `x[...]`.
    """
    name, other = sorted((name, other), key=lambda each: not each.endswith(CONTENTS))
    one = name.removesuffix(CONTENTS)
    other = other.removesuffix(CONTENTS)
    if one is name:
        fix = f'Let one be a copy where the loop makes them one: `{name} = {other}.copy()`.'
    else:
        fix = (
            f'Modify it by one name alone, as by `{one}[i] += v` with the index of what {other} '
            f'is; or let {other} be a copy where it gets that array: `{other} = {other}.copy()`.')
    what = f'After a turn, {one} and {other} may be one {kind}, and the loop modifies it.'
    return OwnershipError(describe(what, user_location(), fix))


def becomes_anothers(name: str, storage: Storage) -> OwnershipError:
    """The error for a name that after a turn may be what is not the loop's, which modifies it."""
    name = name.removesuffix(CONTENTS)
    is_argument = storage.name and not isinstance(storage, CapturedStorage)
    what = storage.owner or 'an array that is no variable of the loop'
    x = storage.name if is_argument else name
    where = 'before the loop' if is_argument else 'where the name gets that array'
    return OwnershipError(
        describe(
            f'After a turn, {name} may be {what}, and the loop modifies it.',
            user_location(),
            f'Work on a copy: write `{x} = {x}.copy()` {where}.',
        )
    )


def check_aliases(
    given: Any, modified: Collection[int], names: Sequence[str] = ()
) -> list[Any]:
    """No list or dict that a staged block modifies was given to it twice.

    Args:
      given: the operands.
      modified: the positions of what it modifies, among the lists and dicts in them.
      names: what the user calls the operands, if that is known.

    Returns:
      What it modifies.

    Raises:
      OwnershipError: it was.
    """
    containers = [container for container, _ in nest_contents.contents(given)]
    times = Counter(map(id, containers))
    found = [containers[i] for i in sorted(modified)]
    for container in found:
        if times[id(container)] > 1:
            holding = [
                [_called(name, value, steps) for each, steps in _held(value) if each is container]
                for name, value in zip(names, given, strict=False)]
            raise _two_names(container, [places for places in holding if places])
    return found


def _two_names(x: Any, holding: Sequence[Sequence[str]]) -> OwnershipError:
    """The error for one thing of which a staged block may make two.

    Args:
      x: the list, dict, object or array.
      holding: of the operands that are it, or hold it, the places of each that do; as far as they
        are known.
    """
    is_list = isinstance(x, Tensor) and isinstance(x.type, ListType)
    kind = 'list' if is_list else 'array' if isinstance(x, Tensor) else nest.kind_of(x).__name__
    match holding:
        case [[one, *_], [other, *_], *_]:
            what = f'{one} and {other}, which were one {kind} before it and may be two after it'
            copied = f'{one}.copy()' if hasattr(x, 'copy') else f'copy.copy({one})'
            fix = (
                f'Change it by one of these names, and give the other its value after the block; '
                f'or, where two are meant, take a copy first: `{other} = {copied}`')
        case [[one, *_]]:
            name = root_of(one)
            what = f'what {name} holds at two places, one {kind} before it and perhaps two after it'
            fix = 'Put a copy into each place: `x.copy()`'
        case _:
            what = f'what two names stand for, one {kind} before it and perhaps two after it'
            fix = 'Take a copy first: `b = a.copy()`'
    return OwnershipError(
        describe(f'A staged block modifies {what}.', user_location(), f'{fix}.'))


class OneForAll:
    """Passes what has several names once, and gives it to a function under all of them.

    Args:
      values: what is to be passed.
      names: what the user calls it, if that is known.

    Attributes:
      begins_empty: whether a list that is empty has several names.
    """

    def __init__(self, values: Sequence[Any], names: Sequence[str] = ()) -> None:
        self._names = names
        self._values = [nest.actual(value) for value in values]
        times = Counter(id(value) for value in self._values if type(value) is list and not value)
        self.begins_empty = any(count > 1 for count in times.values())

    @functools.cached_property
    def _places(self) -> list[tuple[int, Steps]]:
        """In which of the values each is found, and by which steps; in the outermost, if in two."""
        found: dict[int, tuple[int, Steps]] = {}
        for i, value in enumerate(self._values):
            for part, steps in _held(value):
                if id(part) not in found or len(found[id(part)][1]) < len(steps):
                    found[id(part)] = i, steps
        return [found.get(id(value), (i, ())) for i, value in enumerate(self._values)]

    @functools.cached_property
    def _kept(self) -> list[int]:
        return [i for i, place in enumerate(self._places) if place == (i, ())]

    @property
    def helps(self) -> bool:
        """Whether something has several names."""
        return len(self._kept) < len(self._places)

    def once(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Of the values under all names, those to pass."""
        return tuple(values[i] for i in self._kept)

    def all(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Of the values passed, those under all names."""
        passed = dict(zip(self._kept, values, strict=True))
        return tuple(_part(passed[i], steps) for i, steps in self._places)

    def check(self, values: Sequence[Any]) -> None:
        """What had several names must still be one.

        Raises:
          OwnershipError: it is not.
        """
        for value, name, (i, steps) in zip(values, self._names, self._places, strict=True):
            if nest.actual(value) is not nest.actual(_part(values[i], steps)):
                one = _called(self._names[i], self._values[i], steps)
                raise _two_names(value, [[one], [name]])

    def function(self, function: Callable[..., Any], skip: int = 0) -> Callable[..., Any]:
        """The function with its arguments behind the first ones passed once."""
        return lambda *args: function(*args[:skip], *self.all(args[skip:]))


def _held(value: Any) -> Iterator[tuple[Any, Steps]]:
    """What can be changed in a value, itself too, and the steps by which each is found."""
    value = nest.actual(value)
    if value.memory if isinstance(value, Tensor) else not nest.is_leaf(value):
        yield value, ()
    for step, child in _children(value).items():
        for part, steps in _held(child):
            yield part, (step, *steps)


def _children(value: Any) -> dict[Step, Any]:
    value = nest.actual(value)
    keys, parts = nest.parts_of(value) or ((), [])
    names = keys if len(keys) == len(parts) else range(len(parts))
    return {(type(value), name): part for name, part in zip(names, parts, strict=True)}


def _part(value: Any, steps: Steps) -> Any:
    """What is found by the steps; None if nothing is there, or what holds it has become another."""
    for step in steps:
        value = _children(value).get(step)
    return value


def _called(name: str, value: Any, steps: Steps) -> str:
    """What the user would write for what is found by the steps in what has this name."""
    for step in steps:
        children = _children(value)
        structure = nest.flatten(value)[1]
        name += nest.steps(structure)[list(children).index(step)]
        value = children[step]
    return name
