"""Functions that keep their results: what they change, they change once for each argument.

    @functools.cache
    def twice(v):
        log.append(v)
        return v * 2

Whether one has done so before, no graph knows in a staged block, nor for a number that only the
running graph knows: it computes the result anew, which must be as good as the one that is kept.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import Location, OwnershipError, describe, user_location
from ..graph.checkpoints import Checkpoint, checkpoint
from ..ops.effects import ASSERT, END_WITH, RAISE, WITHS
from ..ops.left import LEAVE
from .given_away import leave_as_it_is
from .holders import walk
from .outside import is_made_here, rebound
from .staging import graph_now, modifies_since


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


def computed_anew(f: Any, compute: Callable[[], Any]) -> Any:
    """A result that is kept for numbers that only the running graph knows; nobody changes it.

    Raises:
      OwnershipError: to compute it changes something, which is done once for each of the numbers.
    """
    start = checkpoint()
    before = list(walk(('', f))) if is_made_here(f) else []
    result = compute()
    if _has_effects(start) or any(held.is_changed for held in before):
        raise OwnershipError(describe(
            f'`{f.__name__}` keeps its result for a number that only the running graph knows, and '
            'has effects: the graph does not know whether it has had them before.',
            user_location(), 'Let it keep nothing; or give it a number that Python knows.'))
    leave_as_it_is(result, _changes_later)
    return result


def is_computed_anew(x: Any) -> bool:
    """Whether it is such a result, of which Python has one for each number."""
    world = rebound()
    return world is not None and any(
        each is x and changed is _changes_later for each, *_, changed in world.given)


# What they do they do alike each time: where a function raises, nothing is kept.
_REPEATED = (ASSERT, RAISE, LEAVE, *WITHS, END_WITH)


def _has_effects(start: Checkpoint) -> bool:
    """Whether what was staged since then does what is done once, or modifies what was there."""
    staged = (each for node in graph_now().nodes[start.nodes :] for each in node.walk())
    has = any(node.op.effect and node.op not in _REPEATED for node in staged)
    return has or modifies_since(start)


def _changes_later(_: Any, location: Location | None) -> OwnershipError:
    return OwnershipError(describe(
        'What `functools.cache` keeps for a number which only the running graph knows is changed.',
        location or user_location(),
        'Change a copy of it, such as `copy.deepcopy(x)`; or give the function a number that '
        'Python knows.'))
