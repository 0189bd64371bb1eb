"""`tuple(x)` of what has a length that only the running graph knows."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from .logic import not_
from .of_items import OfItems
from .reentry import in_


class StagedTuple(OfItems):
    """A tuple of as many items as only the running graph knows.

    Attributes:
      items: the staged list of what is in it, which nothing changes.
    """

    __slots__ = ()

    stands_for = tuple

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (items,) = parts
        return tuple(items) if type(items) is list else cls(items)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'a tuple of {parts[0]}'

    def stacked(self) -> Any:
        return self.items

    def listed(self) -> Any:
        """The list of what is in it."""
        return self.items

    def as_index(self) -> NoReturn:
        fix = 'Give as many as there are axes: `a[i[0], i[1]]`.'
        raise _unsupported('being an index', fix)

    def as_condition(self) -> Any:
        """A tuple is true if it is not empty."""
        return self.items.as_condition()

    def length(self) -> Any:
        """The number of items."""
        return self.items.length()

    def count(self, item: Any) -> Any:
        """How often an item is in the tuple."""
        return self.items.count(item)

    def index(self, item: Any) -> Any:
        """Where an item is in the tuple for the first time."""
        from .checking import check

        check(not_(in_(item, self.items)), 'tuple.index(x): x not in tuple')
        return self.items.index(item)

    def __getitem__(self, index: Any) -> Any:
        from .checking import check_index

        if isinstance(index, slice):
            return StagedTuple(self.items[index])
        check_index(index, self.length(), 'tuple')
        return self.items[index]

    def __add__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else StagedTuple(self.items + listed)

    def __radd__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else StagedTuple(listed + self.items)

    def __mul__(self, times: Any) -> Any:
        return StagedTuple(self.items * times)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Any:
        listed = _listed(other)
        return False if listed is None else self.items == listed

    def __ne__(self, other: object) -> Any:
        listed = _listed(other)
        return True if listed is None else self.items != listed

    def __lt__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else self.items < listed

    def __le__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else self.items <= listed

    def __gt__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else self.items > listed

    def __ge__(self, other: Any) -> Any:
        listed = _listed(other)
        return NotImplemented if listed is None else self.items >= listed

    def __iter__(self) -> Iterator[Any]:
        raise _unsupported('iterating over it in Python')

    def __len__(self) -> int:
        raise _unsupported('asking Python for its length')

    def __hash__(self) -> NoReturn:
        raise _unsupported('being a key')

    def __repr__(self) -> str:
        return f'<a tuple of {self.items!r}>'


def _listed(other: Any) -> Any:
    """What a tuple holds, as a list; None for what is no tuple."""
    if isinstance(other, StagedTuple):
        return other.items
    return list(other) if isinstance(other, tuple) else None


def _unsupported(what: str, fix: str = 'Iterate in a `for` statement, or take items by index.') -> (
    StagingError
):
    what = f'A tuple of as many items as only the running graph knows does not support {what}.'
    return StagingError(describe(what, user_location(), fix))
