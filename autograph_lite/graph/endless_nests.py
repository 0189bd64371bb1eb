"""Nests that hold themselves, as nodes do that know both what is below and what is above them."""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from . import nest


def check_has_end(value: Any) -> None:
    """Refuses a nest that holds itself.

    Raises:
      StagingError: it does.
    """
    endless = _within_itself(value)
    if endless is None:
        return
    kind = nest.kind_of(endless).__name__
    what = f'A {kind} holds itself, or what holds it: there is no end to what it holds.'
    fix = (
        'Keep the number of the other one in a list of them, or its key, in place of it.'
        if isinstance(endless, (list, dict)) else
        f'Write the class {kind} without `@dataclass`, with an `__init__` of its own: an object '
        'of such a class is not looked into; or keep the number of the other one in a list of '
        'them all, in place of it, where that list is asked for one that only the graph knows.')
    raise StagingError(describe(what, user_location(), fix))


def _within_itself(value: Any) -> Any:
    """A part of a nest that is somewhere in itself, an object rather than a list; else None."""
    around: dict[int, Any] = {}
    done: set[int] = set()
    left = [(value, False)]
    while left:
        part, is_end = left.pop()
        part = nest.actual(part)
        if is_end:
            del around[id(part)]
            continue
        if id(part) in around:
            held = list(around.values())
            circle = held[list(around).index(id(part)):]
            return next((x for x in circle if not isinstance(x, (list, dict, tuple))), part)
        if id(part) in done or nest.is_leaf(part):
            continue
        done.add(id(part))
        around[id(part)] = part
        left.append((part, True))
        left += [(child, False) for child in nest.children(part)]
    return None
