"""What a list of the graph is that stands for one outside."""
from __future__ import annotations

from .lists import StagedList


class LivingList(StagedList):
    """A list outside that the running graph changes, by whatever name: each read reads it anew."""

    __slots__ = ()

    def as_it_is(self) -> StagedList:
        """A list of what is in it now."""
        raise NotImplementedError
