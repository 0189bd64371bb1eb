"""Functions that choose by the class of their first argument: `functools.singledispatch`."""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from types import NoneType
from typing import Any

from ..converters.callees import DISPATCHING
from ..pyct.written import converted_by
from .class_tests import type_of
from .conditionals import cond
from .guards import record
from .is_none import is_none
from .optional_classes import PerhapsNoneType
from .optional_nests import present
from .places import Attribute, place_of
from .reentry import call

# The code of what `functools.singledispatchmethod` makes of a method.
_METHODS = frozenset(
    each for each in functools.singledispatchmethod.__get__.__code__.co_consts
    if isinstance(each, types.CodeType))


def chosen(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """The function that one of these chooses for the arguments; None for any other function.

    The class of a tensor is that of the array or number that it stands for.
    """
    if not isinstance(f, types.FunctionType) or not args:
        return None
    f = converted_by(f)
    if f.__code__ is DISPATCHING:
        kind = type_of(args[0])
        if isinstance(kind, PerhapsNoneType):
            return _of_optional(f, kind)
        return _of_class(f, kind)
    if f.__code__ not in _METHODS:
        return None
    cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
    held = {name: cell.cell_contents for name, cell in cells}
    kind = type_of(args[0])
    is_old = 'self' in held  # before Python 3.13
    found = _of_class(held['self'].dispatcher, kind) if is_old else held['dispatch'](kind)
    bound: Callable[..., Any] = found.__get__(held['obj'], held['cls'])
    return bound


def _of_optional(dispatcher: Any, kind: PerhapsNoneType) -> Callable[..., Any]:
    """What calls one of the two functions that there are for what may be None."""
    if_none, if_there = _of_class(dispatcher, NoneType), _of_class(dispatcher, kind.there)

    def choosing(first: Any, *args: Any, **kwargs: Any) -> Any:
        return cond(
            is_none(first),
            lambda: call(if_none, None, *args, **kwargs),
            lambda: call(if_there, present(first), *args, **kwargs))

    return choosing


def is_made_anew(f: Any) -> bool:
    """Whether it is such a method, which is another function whenever it is read."""
    return isinstance(f, types.FunctionType) and f.__code__ in _METHODS


def _of_class(dispatcher: Any, kind: type[Any]) -> Callable[..., Any]:
    record(place_of(dispatcher, dispatcher.__name__).then(Attribute('registry')),
           dispatcher.registry)
    found: Callable[..., Any] = dispatcher.dispatch(kind)
    return found
