"""Lists and dicts that a block returns in the place of what is live: their other names."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from ..graph import nest, nest_contents
from .block_ways import Passed
from .live_kinds import become_live, can_become_live, refused
from .live_types import are_live
from .other_names import is_reached
from .restaging import Restage


def check_becoming(returned: Any, after: Any, passed: Passed | None = None) -> None:
    """What a block returns and is live after it had no name before it, or is live there, too.

    Args:
      returned: what it returned.
      after: a nest of the form that this shall have.
      passed: of a branch, of whose results there are copies, what it was passed.

    Raises:
      Restage: it was passed to the block.
      OwnershipError: it has another name, or a place has it that is not live.
    """
    if not are_live():
        return
    found = list(_becoming(returned, after))
    times = Counter(id(x) for x, _ in found)
    parts = map(nest.actual, nest.children(returned))
    within = [x for x, _ in nest_contents.contents(returned)] if passed is not None else parts
    places = Counter(map(id, within))
    for x, like in found:
        given = None if passed is None else passed.origins.get(id(x))
        if given is not None:
            raise Restage(partial(_with_live, id(given), like))
        most = 1 if passed is not None else times[id(x)]
        if is_reached(x) or places[id(x)] > most:
            raise refused(x, 'has another name')


def _becoming(returned: Any, after: Any) -> Iterator[tuple[Any, Any]]:
    """What is to be live, but for None, and what it is to be like."""
    returned, after = nest.actual(returned), nest.actual(after)
    if can_become_live(returned, after):
        if returned is not None:
            yield returned, after
        return
    for one, other in zip(nest.children(returned), nest.children(after), strict=False):
        yield from _becoming(one, other)


def _with_live(identity: int, after: Any, operands: Any) -> Any:
    """The operands with the one of this identity live."""
    operands = nest.actual(operands)
    if id(operands) == identity:
        return become_live(operands, after)
    return nest.map_children(partial(_with_live, identity, after), operands)
