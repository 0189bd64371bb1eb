"""Objects of the library that are state of a staged block, as a user's are."""
from __future__ import annotations

from typing import Any

from ..graph.nest import Stackable


class Progress:
    """An object of the library whose attributes are state of a staged block, as a user's are."""


class Collection(Progress, Stackable):
    """What stands for a collection of Python's, and keeps a list of what is in it.

    Attributes:
      python_class: the class of that.
    """

    python_class: type[Any]

    @property
    def listed(self) -> Any:
        """What the list is now."""
        raise NotImplementedError

    def has(self, item: Any) -> Any:
        """Whether an item is in it; NotImplemented where the list tells."""
        return NotImplemented

    def in_order(self) -> Any:
        """The list, or another one, as Python goes over the collection."""
        return self.listed

    def closed(self) -> Any:
        """The collection itself, for what keeps it after the trace.

        Raises:
          StagingError: only the running graph knows what is in it.
        """
        raise NotImplementedError
