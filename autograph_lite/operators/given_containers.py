"""Sets, deques, Counters and defaultdicts that a function is given, and changes.

    def note(x, seen):
        seen.add(int(x))

A trace is for what they hold. What stands for one that the function would make stands for them, and
what that holds at the end is put into the caller's own when the graph has run.
"""
from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection as Container
from collections.abc import Hashable
from typing import Any

from ..graph import nest
from .anew import TracedAnew
from .library_containers import staged_container
from .outside import is_given, rebound
from .progress import Collection
from .sets import is_plain

_KINDS = (set, deque, Counter, defaultdict)


def stage_given(container: Any) -> None:
    """Has the function traced anew, knowing that it changes such a one, if it was given that.

    Raises:
      TracedAnew: it was.
    """
    world = rebound()
    if world is None or not world.reads or type(container) not in _KINDS:
        return
    held = [*container, *(container.values() if isinstance(container, dict) else ())]
    if is_given(id(container)) and all(map(is_plain, held)):
        raise TracedAnew(('given', id(container)))


def standing_for(given: Any, expected: Container[Hashable]) -> Any:
    """What stands for a leaf of the arguments, of which it is known what the function changes."""
    return staged_container(given) if ('given', id(given)) in expected else given


def is_own(x: Any) -> bool:
    """Whether a leaf of the arguments is such a one, or stands for it."""
    return type(x) in _KINDS or stands_for_given(x)


def stands_for_given(x: Any) -> bool:
    """Whether a leaf of the arguments stands for such a one."""
    return isinstance(x, Collection | nest.Mutable)


def fill_given(container: Any, held: Any) -> None:
    """Lets one hold what the graph gave for it.

    Args:
      container: the caller's.
      held: its elements, as they were put there; of a dict, one that holds the same.
    """
    if isinstance(container, set):
        container.intersection_update(held)
        for x in held:
            container.add(x)
        return
    container.clear()
    if isinstance(container, deque):
        container.extend(held)
    else:
        dict.update(container, held)  # a Counter would count
