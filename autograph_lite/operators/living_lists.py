"""What a list of the graph is that stands for one outside."""
from __future__ import annotations

from typing import Any

from ..errors import OwnershipError, describe, user_location
from .lists import StagedList
from .places import Place


class LivingList(StagedList):
    """A list outside that the running graph changes, by whatever name: each read reads it anew.

    Attributes:
      container: the list, or a deque.
      found_at: where it was found.
    """

    __slots__ = ()
    container: Any
    found_at: Place | None

    def as_it_is(self) -> StagedList:
        """A list of what is in it now."""
        raise NotImplementedError


def chosen_list() -> OwnershipError:
    """The error for a name that is one of several lists outside when the graph runs."""
    return OwnershipError(describe(
        'Which of several lists that live outside the function this is, only the running graph '
        'knows.', user_location(),
        'Change each of them where it is chosen, by its own name; or choose a copy: '
        '`rows.copy()`.'))
