"""Objects outside that lead to each other: nodes of a list, a tree or a graph.

    while p is not None and p.value < x:
        p = p.next
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from .contents import content
from .outside import is_outside

# What a name may stand for of them: what is read of it has a branch for each.
_MOST = 512


def linked(found: Iterable[Any]) -> list[Any]:
    """Some objects, and those of their classes to which their attributes lead.

    Raises:
      StagingError: these are too many.
    """
    known = {id(x): x for x in found}
    kinds = {type(x) for x in known.values()} - {type(None)}
    left = list(known.values())
    while left:
        for x in _led_to(left.pop()):
            if type(x) in kinds and id(x) not in known:
                known[id(x)] = x
                left.append(x)
        if len(known) > _MOST:
            raise _too_many(type(x).__name__)
    return list(known.values())


def _led_to(x: Any) -> Iterator[Any]:
    """What the attributes of an object outside hold, also in lists, tuples and dicts."""
    for value in (content(x) or {}).values() if is_outside(x) else ():
        if nest.is_leaf(value):
            yield value
        else:
            yield from nest.children(value)


def _too_many(kind: str) -> StagingError:
    what = f'Which of more than {_MOST} objects of the class {kind} a name stands for only the '
    fix = 'Keep what they hold in arrays, and the number of one in place of it: `i = following[i]`.'
    return StagingError(describe(f'{what}running graph knows.', user_location(), fix))
