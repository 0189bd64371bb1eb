"""Functions that keep their results, in a staged block: what they change, they would change once.

    @functools.cache
    def twice(v):
        log.append(v)
        return v * 2
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import OwnershipError, describe, user_location
from .holders import walk
from .outside import is_made_here
from .staging import graph_now


def once(f: Any, compute: Callable[[], Any]) -> Any:
    """A result that is kept, of a function that the trace has made: it changes nothing.

    Raises:
      OwnershipError: it does, in a staged block.
    """
    if graph_now().parent is None or not is_made_here(f):
        return compute()
    before = list(walk(('', f)))
    result = compute()
    if any(held.is_changed for held in before):
        raise OwnershipError(describe(
            f'`{f.__name__}` keeps its result, and changes what is around it: in a staged block '
            'the graph would not know whether it has done so before.', user_location(),
            'Call it once before the branch or the loop; or let it keep nothing.'))
    return result
