"""The errors for staged blocks that change what they reach without being given it."""
from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ..converters.callees import is_of_library
from ..errors import Location, OwnershipError, describe, user_location, with_article
from .holders import Held, Holder

_LISTED = 'Make a list of what it gives: `items = iter([... for ... in ...])`.'
_FIXES = {
    'generator': _LISTED, 'map': _LISTED, 'filter': _LISTED,
    'dict': 'Give the dict all its keys before, and let the block change their values.',
    'deque': 'Use a list: `append(x)`, and `pop(0)` for `popleft()`.',
    'set': 'Begin with an empty one, `seen = set()`, and put the elements into it, '
           '`seen.update(others)`; or use a dict whose keys are the elements.',
}
_OF_STACK = '._exit_callbacks'
_STACK = (
    'Enter each call before a `break`, `continue`, `return` or `if` that the graph decides: '
    'what comes after it into a stack of its own, `with ExitStack() as more:`; what is '
    'entered on one way alone, write as `try: ... finally:` with the test in the `finally`.')


class ChangedUnseenError(OwnershipError):
    """A block without state changes a place."""


def changes(place: Holder, location: Location | None = None) -> ChangedUnseenError:
    """The error for a block without state that changes a place, where that was."""
    fix = (
        'Let the function or method return the new value, and assign it in a statement of its own.')
    kind = type(place.held())
    if issubclass(kind, list | dict | set | deque) and not is_of_library(kind):
        python_kind = next(base.__name__ for base in kind.__mro__ if is_of_library(base))
        fix = (
            f'Let the class `{kind.__name__}` hold a {python_kind} in an attribute, '
            f'`self.items = {python_kind}()`, in place of being derived from it.')
    return ChangedUnseenError(
        describe(
            f'A staged block modifies {place.name} where the graph would not do so when it runs.',
            location or user_location(),
            fix,
        )
    )


def raises_after(changed: Sequence[str]) -> OwnershipError:
    """The error for a block that changes what has these names, and then raises."""
    what = next(filter(None, changed), 'a list or a dict')
    if what.startswith('.'):  # of an object that is known by no name
        what = f'the attribute {what[1:]!r}'
    return OwnershipError(
        describe(
            f'A staged block changes {what} and then raises an exception that a `try` statement '
            'around it may catch; what it is then the graph does not know.',
            user_location(),
            'Change it after the `try` statement, where you know what has become of it.',
        )
    )


def cannot_change(held: Held) -> OwnershipError:
    """The error for a block that changes what cannot be its state."""
    kind = (getattr(held.owner, 'stands_for', None) or type(held.owner)).__name__
    what = f'{held.path}, {with_article(kind)},' if held.path else with_article(kind)
    fix = _FIXES.get(kind, 'Keep what changes in an attribute, a list, or a variable of the loop.')
    if held.path.endswith(_OF_STACK):
        what, fix = f'what {held.path.removesuffix(_OF_STACK)} calls at its end', _STACK
    return OwnershipError(
        describe(
            f'A staged block changes {what} in a way that a graph does not know.',
            user_location(),
            fix,
        )
    )
