"""`Mode(x)` and `Mode[name]`: which member of an `Enum` that is, only the running graph knows."""
from __future__ import annotations

import functools
from collections.abc import Callable
from enum import EnumMeta, Flag
from typing import Any, NoReturn

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, user_location
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..ops.effects import RAISE
from .chosen_keys import is_staged_key
from .comparing import equal
from .conditionals import cond
from .effects import Diverged, part_of
from .is_none import is_none
from .members import is_member, kind_of
from .one_of_few import for_each, is_one_of_few, where_known
from .optional_nests import Perhaps
from .reentry import call
from .text import text

# Of more members, the program would be too long: the value of each is compared with.
_MOST_MEMBERS = 64


def members_by_name(kind: Any, name: Any) -> Any:
    """The members of an `Enum` by name, where only the running graph knows the name; else it."""
    return dict(kind.__members__) if isinstance(kind, EnumMeta) and is_staged_key(name) else kind


def looked_up(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """What looks for the member with a value that only the running graph knows; else None."""
    given = *args, *kwargs.values()
    if not isinstance(f, EnumMeta) or len(given) != 1 or not is_staged_key(given[0]):
        return None
    return functools.partial(_by_value, f)


def _by_value(kind: Any, value: Any) -> Any:
    """`kind(value)`.

    Raises:
      StagingError: combinations of its members are members, or it has too many.
    """
    value = valued(value)
    if is_member(value) and kind_of(value) is kind:
        return value
    if is_one_of_few(value):
        return for_each(value, functools.partial(_by_value, kind))
    members = list(kind)
    if issubclass(kind, Flag) or len(members) > _MOST_MEMBERS:
        what = f'Which {kind.__name__} has this value only the running graph knows.'
        fix = 'Keep the value itself, and make the member of it after the call.'
        raise StagingError(describe(what, user_location(), fix))

    def search(number: int) -> Any:
        if number == len(members):
            return _missing(kind, value)
        is_here = equal(members[number]._value_, value)
        if not isinstance(is_here, Tensor):
            return members[number] if is_here else search(number + 1)
        return cond(is_here, lambda: members[number], lambda: search(number + 1))

    return search(0)


def _missing(kind: Any, value: Any) -> Any:
    """What the class says of a value that no member has."""
    if is_of_library(kind._missing_.__func__):
        return where_known(value, lambda known: _no_member(kind, known))
    found = call(kind._missing_, value)
    if isinstance(found, Perhaps):
        return cond(is_none(found), lambda: _no_member(kind, value), found.sure)
    return _no_member(kind, value) if found is None else found


def _no_member(kind: Any, value: Any) -> NoReturn:
    inputs: list[Any] = []
    shown = text((value, ord('r'), ''), f' is not a valid {kind.__qualname__}')
    parts = [part_of(shown, inputs)]
    emit(RAISE, inputs, {'error': ValueError, 'parts': parts})
    raise Diverged
