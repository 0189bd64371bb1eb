"""One list or array under several names, all of them given to a staged block.

The block works on a copy for each name. Where it modifies one of these, it is staged again with one
copy for them all.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest, nest_contents
from ..graph.storage import CapturedStorage, Storage
from ..graph.tensor import Tensor

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
                name for name, value in zip(names, given, strict=False)
                if any(container is each for each, _ in nest_contents.contents(value))]
            raise _two_names(container, holding)
    return found


def _two_names(x: Any, names: Sequence[str]) -> OwnershipError:
    """The error for one thing of which a staged block may make two.

    Args:
      x: the list, dict or array.
      names: those that stand for it, or hold it, as far as they are known.
    """
    kind = 'list' if hasattr(x, 'append') else 'array' if isinstance(x, Tensor) else 'dict'
    match names:
        case [one, other, *_]:
            what = f'{one} and {other}, which were one {kind} before it and may be two after it'
            fix = f'Take a copy first: `{other} = {one}.copy()`'
        case [one]:
            what = f'what {one} holds at two places, one {kind} before it and perhaps two after it'
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
        values = [nest.actual(value) for value in values]
        first: dict[int, int] = {}
        self._places = [
            first.setdefault(id(value), i) if _can_change(value) else i
            for i, value in enumerate(values)
        ]
        self._kept = [i for i, place in enumerate(self._places) if i == place]
        shared = {place for i, place in enumerate(self._places) if i != place}
        self.begins_empty = any(type(values[i]) is list and not values[i] for i in shared)

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
        return tuple(passed[place] for place in self._places)

    def check(self, values: Sequence[Any]) -> None:
        """What had several names must still be one.

        Raises:
          OwnershipError: it is not.
        """
        for i, (value, place) in enumerate(zip(values, self._places, strict=True)):
            if nest.actual(value) is not nest.actual(values[place]):
                names = [self._names[place], self._names[i]] if self._names else []
                raise _two_names(value, names)

    def function(self, function: Callable[..., Any], skip: int = 0) -> Callable[..., Any]:
        """The function with its arguments behind the first ones passed once."""
        return lambda *args: function(*args[:skip], *self.all(args[skip:]))


def _can_change(value: Any) -> bool:
    return bool(value.memory) if isinstance(value, Tensor) else not nest.is_leaf(value)
