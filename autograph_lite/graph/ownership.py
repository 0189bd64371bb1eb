"""The errors of who may modify an array in place, and who may still read it after that."""
from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import (
    Location,
    OwnershipError,
    as_written,
    describe,
    location_or,
    user_location,
)
from .advice import change_in_its_place
from .storage import ELEMENT, OUTSIDE, CapturedStorage, StateStorage, Storage
from .types import ListType

if TYPE_CHECKING:
    from .tensor import Tensor


class NotOwnedError(OwnershipError):
    """A staged block modifies an array or a list in place that it was not given.

    Attributes:
      tensor: the handle.
      location: where it is modified.
    """

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.location = user_location()
        super().__init__(
            describe(
                f'{tensor!r} is modified in place in a staged block that does not own it.',
                self.location,
                'Assign to its items by its own name there, `x[i] = v` or `x[i] += v`, or return '
                'the new array from there: `x = f(x)`.',
            )
        )


class AnothersError(OwnershipError):
    """An array is modified in place that is not the graph's own.

    Attributes:
      storage: its memory.
      location: where it is modified.
    """

    def __init__(self, storage: Storage, location: Location | None, message: str) -> None:
        super().__init__(message)
        self.storage = storage
        self.location = location


def named(storage: Storage, location: Location | None) -> tuple[str, str]:
    """What the user's line calls an array, and whose memory it is, by that name."""
    x = as_written(storage.name or 'x', location)
    return x, storage.owner.replace(repr(storage.name), repr(x)) if storage.name else storage.owner


def of_another(storage: Storage, location: Location | None) -> OwnershipError:
    """The error of modifying what belongs to the caller."""
    x, owner = named(storage, location)
    is_global = isinstance(storage, CapturedStorage) and x.isidentifier()
    copy = 'y' if is_global else x  # an assignment would make it the function's own
    fix = (
        f'Work on a copy: write `{copy} = {x}.copy()` first, or `{copy} = {x} + v` for '
        f'`{x} += v`.')
    if storage.owner == OUTSIDE:
        fix = (
            'Change it before it is put there; or work on a copy, `row = rows[i].copy()`, which '
            '`rows[i] = row` puts in its place.')
    what = f'This modifies {owner} in place; it belongs to the caller.'
    return AnothersError(storage, location, describe(what, location, fix))


class SeveralPlacesError(OwnershipError):
    """An array is modified in place that a list or an object holds."""


def of_several_places(location: Location | None) -> OwnershipError:
    """The error of modifying what a list or an object holds."""
    return SeveralPlacesError(
        describe(
            f'This modifies {ELEMENT}, perhaps for several places of it.',
            location,
            'Keep the rows in one array, and set `table[i, j] = v`; put a copy into the list, '
            '`rows.append(row.copy())`; or change a copy and put it back: '
            '`row = rows[i].copy()`, then `rows[i] = row`; of an object, `row = p.row.copy()`, '
            'then `p.row = row`.',
        )
    )


def modified_elsewhere(x: Tensor, storage: Storage) -> OwnershipError:
    """The error of reading a handle whose memory was written through another one."""
    where = storage.written
    at = f' at line {where.line} (`{where.text.strip()}`)' if where else ''
    if isinstance(storage, StateStorage):
        what = f'This reads {x!r}, which may stand for the {storage.owner} that is assigned to{at}.'
        fix = 'Take its value before it is assigned to: `y = v.numpy()`.'
        return OwnershipError(describe(what, user_location(), fix))
    if isinstance(x.type, ListType):
        what = f'This reads a list that is modified{at} by a name that may stand for another, too.'
        fix = (
            f'{change_in_its_place("list")}; or modify a copy, '
            '`items = items.copy()`, and of an array in it, too: `row = row.copy()`.')
        return OwnershipError(describe(what, location_or(where), fix))
    return OwnershipError(
        describe(
            f'This reads {_called(x)}, whose memory is modified through another name{at}.',
            location_or(where),
            'Modify it by the name that is read, such as `y[i] *= 2` for `row *= 2`; or let one be '
            'a copy wherever the two are one: `y = x.copy()`.',
        )
    )


def _called(x: Tensor) -> str:
    """The variable that a block is given or gives; of what an operation gives, its type."""
    node = x._value.node
    if node is not None and not node.graphs:
        return f'an array, {x.type}'
    name, _, number = x.name.rpartition('_')
    is_counted = number.isdigit() and x.graph.names.get(name, 0) > int(number)
    return repr(name if is_counted else x.name)
