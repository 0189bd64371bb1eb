"""What stands for a list, a set or a dict outside that the running graph changes."""
from __future__ import annotations

import copy
from typing import Any

from ..errors import OwnershipError, describe, user_location
from .lists import StagedList
from .places import Place
from .progress import Collection


class LivingList(StagedList):
    """A list outside that the running graph changes, by whatever name: each read reads it anew.

    Attributes:
      container: the list, or a deque.
      found_at: where it was found.
    """

    __slots__ = ()
    container: Any
    found_at: Place | None
    # Whether it is what a variable holds: the running graph alone knows which list that is.
    is_held = False

    @property
    def place_now(self) -> Place | None:
        """Where it is found when the graph comes here, if it is what a variable holds."""
        return None

    def is_one(self, x: Any) -> Any:
        """Whether what a variable holds is the same list as something else."""
        raise NotImplementedError

    def as_it_is(self) -> StagedList:
        """A list of what is in it now."""
        raise NotImplementedError


class LivingCollection(Collection):
    """A set or a dict outside that the running graph changes, in the same way.

    Attributes:
      container: the set or the dict.
      found_at: where it was found.
    """

    container: Any
    found_at: Place | None

    def now(self) -> Any:
        """One of what is in it now."""
        raise NotImplementedError

    def __copy__(self) -> Any:
        return self.now()

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.deepcopy(self.now(), memo)


class LivingDict(LivingCollection):
    """A dict that it changes at keys which it alone knows."""

    def __setitem__(self, key: Any, value: Any) -> None:
        raise NotImplementedError


def as_now(x: Any) -> Any:
    """What is in a dict outside that the running graph changes; anything else itself."""
    return x.now() if isinstance(x, LivingDict) else x


def chosen_list() -> OwnershipError:
    """The error for a name that is one of several lists outside when the graph runs."""
    return OwnershipError(describe(
        'Which of several lists that live outside the function this is, only the running graph '
        'knows.', user_location(),
        'Change each of them where it is chosen, by its own name, and the one that there is where '
        'a new one takes its place: `rows.append(v)`, `rows.clear()`; or choose a copy: '
        '`rows.copy()`.'))


def check_not_living(x: Any) -> None:
    """What is put into a list, dict or object of the graph is no list outside, which lives on.

    Raises:
      OwnershipError: it is one.
    """
    if isinstance(x, LivingList):
        raise OwnershipError(describe(
            'A list that lives outside the function, and that it changes, is put where only the '
            'running graph knows what is there; it would be another list.', user_location(),
            'Put a copy there: `x.copy()`.'))
