"""Lists and dicts that a block returns in the place of what is live: their other names."""
from __future__ import annotations

from functools import partial
from typing import Any

from ..graph import nest
from .block_ways import Passed
from .live_kinds import become_live, can_become_live, refused
from .live_types import are_live
from .other_names import is_reached
from .restaging import Restage


def check_becoming(returned: Any, after: Any, passed: Passed | None) -> None:
    """What a block returns and is live after it had no name before it, or is live there, too.

    Args:
      returned: what it returned.
      after: a nest of the form that this shall have.
      passed: what it was passed.

    Raises:
      Restage: it was passed to the block.
      OwnershipError: it has another name.
    """
    if not are_live():
        return
    returned, after = nest.actual(returned), nest.actual(after)
    if can_become_live(returned, after):
        given = None if passed is None else passed.origins.get(id(returned))
        if given is not None:
            raise Restage(partial(_with_live, id(given), after))
        if returned is not None and is_reached(returned):
            raise refused(returned, 'has another name')
        return
    for one, other in zip(nest.children(returned), nest.children(after), strict=False):
        check_becoming(one, other, passed)


def _with_live(identity: int, after: Any, operands: Any) -> Any:
    """The operands with the one of this identity live."""
    operands = nest.actual(operands)
    if id(operands) == identity:
        return become_live(operands, after)
    return nest.map_children(partial(_with_live, identity, after), operands)
