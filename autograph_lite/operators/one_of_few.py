"""One of few values that are known while tracing: members of an `Enum`, functions, `None`.

    mode = None
    if x > 0:
        mode = Mode.FAST
    return limits[mode]
"""
from __future__ import annotations

from collections.abc import Callable
from inspect import getattr_static
from typing import Any

from .chosen_functions import OneFunction
from .is_none import is_none, is_optional
from .members import Member, each, kind_of
from .optional_nests import Perhaps, present
from .reentry import cond


def is_one_of_few(x: Any) -> bool:
    """Whether only the running graph knows which of such values it is."""
    return isinstance(x.nest if isinstance(x, Perhaps) else x, Member | OneFunction)


def attribute_of_each(x: Any, name: str) -> Any:
    """An attribute that everything has, and so what stands for it, too."""
    from .captures import part  # it imports what is here

    if not hasattr(None, name):
        x = there(x, AttributeError, f"'NoneType' object has no attribute {name!r}")
    return for_each(x, lambda known: part(known, f'.{name}'))


def there(x: Any, error: type[Exception], message: str) -> Any:
    """The value; where it is None when the graph runs, that raises what Python does."""
    return x.checked(error, message) if isinstance(x, Perhaps) else x


def has_attribute(x: Member | OneFunction, name: str) -> bool:
    """Whether one of them has an attribute, found without code of the user's."""
    known = x._functions if isinstance(x, OneFunction) else kind_of(x).__members__.values()
    return any(getattr_static(each, name, None) is not None for each in known)


def for_each(x: Any, function: Callable[[Any], Any]) -> Any:
    """What a function gives for the one that it is."""
    if isinstance(x, Perhaps):
        return cond(x.present, lambda: for_each(x.sure(), function), lambda: function(None))
    return each(x, function) if isinstance(x, Member) else x.each(function)


def _may_be_several(x: Any) -> bool:
    return is_one_of_few(x) or is_optional(x)


def where_known(
    x: Any,
    function: Callable[[Any], Any],
    is_unsure: Callable[[Any], bool] = _may_be_several,
) -> Any:
    """What a function gives for a value, or a tuple, that is known then.

    Args:
      x: the value.
      function: the function.
      is_unsure: tells of what each is to be known; it is so of one of few, and of what may be None.
    """
    if not is_unsure(x):
        parts = enumerate(x if type(x) is tuple else ())
        first = next((i for i, part in parts if is_unsure(part)), None)
        if first is None:
            return function(x)
        head, tail = x[:first], x[first + 1 :]
        return where_known(
            x[first], lambda known: where_known((*head, known, *tail), function, is_unsure),
            is_unsure)
    if is_one_of_few(x):
        return for_each(x, function)
    return cond(is_none(x), lambda: function(None), lambda: function(present(x)))
