"""What a `with` block returns on one way and not on another, while its manager leaves it."""
from __future__ import annotations

from ..errors import Location, OwnershipError, describe, kind_of
from .block_ways import returned_by_blocks
from .holders import walk


class Returned:
    """What a block returns, from where it is made on, on one way and not on another.

    What stands for it then is no other name for what is changed later.
    """

    def __init__(self) -> None:
        self._start = len(returned_by_blocks())

    def end(self) -> None:
        """Here the block ends."""
        ends = [x for _, possible in returned_by_blocks()[self._start :] for x in possible]
        self._held = [held for x in ends for held in walk(('', x))]

    def check_unchanged(self, location: Location | None) -> None:
        """None of it has changed since the end.

        Raises:
          OwnershipError: some has.
        """
        for held in self._held:
            if held.is_changed:
                what = f'Where this block is left, {kind_of(held.owner)} is changed'
                raise OwnershipError(describe(
                    f'{what} that a branch or a loop in it may have returned.',
                    location,
                    'Return it after the `with` statement.'))
