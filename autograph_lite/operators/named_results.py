"""What a function gives out holds no names of which only the running graph knows what they are.

    if x > 0:
        pair.left, pair.right = pair.right, pair.left
    return pair

As long as the function may change what the attributes hold, each of them refers to one of several
objects. At its end they hold the values of these.
"""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.state import ReadAsValue
from ..pyct.returns import only_return
from .holders import walk
from .naming import names_refer
from .outside import is_outside
from .references import Reference, named_values


def with_values(returned: Any, given: Any) -> Any:
    """What a function returns, with the values of what such names stand for in their places.

    Args:
      returned: what it returns.
      given: what it was given; its containers get the values, too.
    """
    if names_refer():
        _put_values(returned, given)
    return named_values(returned)


def _put_values(*roots: Any) -> None:
    """Values that others are made of first: once made, what they are made of does not change."""
    values: dict[int, Any] = {}
    for held in reversed(list(walk(*(('', root) for root in roots)))):
        if not held.can_be_put or is_outside(held.owner):
            continue
        for key, x in held.content.items():
            if not _has_names(x):
                continue
            if id(x) not in values:
                values[id(x)] = named_values(x)
            held.place(key).put(values[id(x)])


def _has_names(x: Any) -> bool:
    return isinstance(x, Reference) or (isinstance(x, tuple) and any(map(_has_names, x)))


def check_value(x: Any) -> None:
    """A leaf of what is given out is a value, and no such name.

    Raises:
      StagingError: it is one, since the function gives out more objects than are looked at.
    """
    if isinstance(x, ReadAsValue):
        what = 'Many objects are returned, or put into an argument, and among them one of several'
        raise StagingError(describe(
            f'{what}, which only the running graph knows.',
            only_return(user_location()), 'Give out what they hold, in lists or arrays.'))
