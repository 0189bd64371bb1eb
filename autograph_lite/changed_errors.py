"""The errors for what is given to a function, and changed by it as no call of a graph can."""
from __future__ import annotations

from typing import Any

from .errors import Location, OwnershipError, describe, kind_of, user_location
from .pyct.assignments import changes_of_parameters


def modifies(name: str, owner: Any) -> OwnershipError:
    """The error for what no call puts back."""
    here = user_location()
    places: list[Location] = [] if here is None else changes_of_parameters(here)
    what = (
        f'{name} modifies {kind_of(owner)} that the caller passed in; a graph cannot do that for '
        'the caller.'
    )
    return OwnershipError(
        describe(
            what, places[0] if places else here, 'Work on a copy, `x = x.copy()`, and return it.'))


def has_other_keys(owner: Any) -> OwnershipError:
    """The error for a dict of lists whose keys only the running graph knows."""
    what = (
        f'Only the running graph knows which keys {kind_of(owner)} has that the caller passed in, '
        'and lists, dicts or objects are in it.')
    fix = 'Give it all its keys before, and let the function change what is there.'
    return OwnershipError(describe(what, user_location(), fix))


def has_two_names(value: Any) -> OwnershipError:
    """The error for what is put into an argument and has another name after the call."""
    what = (
        f'{kind_of(value).capitalize()} is put into what the caller passed in, and is there by '
        'another name after the call.'
    )
    return OwnershipError(describe(what, user_location(), 'Put a copy into it: `copy.copy(v)`.'))


def is_given_twice(name: str, owner: Any, changes: bool) -> OwnershipError:
    """The error for a container that the function is given twice, and changes or compares."""
    does, fix = ('changes', 'Pass it once.') if changes else ('compares by `is`', _COMPARE)
    what = f'{name} {does} {kind_of(owner)} that it is given twice.'
    return OwnershipError(describe(what, user_location(), fix))


def is_outside_too(name: str, owner: Any, changes: bool = True) -> OwnershipError:
    """The error for a container that the function is given and also finds outside."""
    does = 'changes it by one of the two names' if changes else 'compares it by `is`'
    what = f'{name} is given {kind_of(owner)} that it also finds outside, and {does}.'
    fix = 'Let the function use it by its parameter alone.' if changes else _COMPARE
    return OwnershipError(describe(what, user_location(), fix))


_COMPARE = 'Compare what they hold, `a == b`, or pass a bool that tells whether they are one.'
