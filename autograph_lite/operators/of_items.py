"""What is a Python container of as many items as only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..graph import nest


class OfItems(nest.Nest):
    """A nest of one part.

    Attributes:
      items: the staged list of what is in the container.
    """

    __slots__ = ('items',)

    def __init__(self, items: Any) -> None:
        self.items = items

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (), [self.items]

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']
