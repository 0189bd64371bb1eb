"""What a block returns on one way and not on another, while Python does what ends the block."""
from __future__ import annotations

from ..errors import OwnershipError, describe, kind_of, user_location
from .block_ways import returned_by_blocks
from .holders import walk


class block_results:
    """What a block returns, from where it is made on, on one way and not on another.

    What stands for it then is no other name for what is changed later.

    Args:
      statement: the statement that the block is of, as the user writes it.
    """

    def __init__(self, statement: str = 'try') -> None:
        self._statement = statement
        self._location = user_location()
        self._start = len(returned_by_blocks())

    def end(self) -> None:
        """Here the block ends."""
        ends = [x for _, possible in returned_by_blocks()[self._start :] for x in possible]
        self._held = [held for x in ends for held in walk(('', x))]

    def check_unchanged(self) -> None:
        """None of it has changed since the end.

        Raises:
          OwnershipError: some has.
        """
        for held in self._held:
            if held.is_changed:
                what = f'Where this block is left, {kind_of(held.owner)} is changed'
                raise OwnershipError(describe(
                    f'{what} that a branch or a loop in it may have returned.',
                    self._location,
                    f'Return it after the `{self._statement}` statement.'))
