"""How Python shows what holds other values: `[1, 2]`, `{'a': 1}`, `Point(x=1, y=2)`."""
from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .iterables import Range


class Form(NamedTuple):
    """What is written around values, and before each of them."""

    opening: str
    parts: list[tuple[str, Any]]
    closing: str


def form_of(value: Any) -> Form | None:
    """The form of a container, a range, a slice, a view of a dict, a dataclass, a named tuple
    or an exception.

    None for anything else, also for what a class of the user's shows in a way of its own.
    """
    from .deques import Deque  # these import what makes texts
    from .view_sets import SetOfView

    value = nest.actual(value)
    kind = type(value)
    if isinstance(value, SetOfView):
        return Form(f'dict_{value.part}(', [('', value.listed())], ')')
    if isinstance(value, Deque):
        most = '' if value.maxlen is None else f', maxlen={value.maxlen}'
        return Form('deque(', [('', value.listed)], f'{most})')
    if kind is list:
        return Form('[', _unnamed(value), ']')
    if kind is tuple:
        return Form('(', _unnamed(value), ',)' if len(value) == 1 else ')')
    if kind is dict:
        return Form('{', [(f'{key!r}: ', part) for key, part in value.items()], '}')
    if kind is slice:
        return Form('slice(', _unnamed((value.start, value.stop, value.step)), ')')
    if kind is Range:
        bounds = [value.start, value.stop, value.step]
        if isinstance(value.step, Tensor):  # it is shown unless it is 1
            what = 'Only the running graph knows the step of a range, and whether its text has one.'
            raise StagingError(describe(what, user_location(), 'Show its bounds one by one.'))
        has_step = type(value.step) is not int or value.step != 1
        return Form('range(', _unnamed(bounds if has_step else bounds[:2]), ')')
    if isinstance(value, BaseException):
        shows: Any = kind.__repr__
        is_plain = shows is BaseException.__repr__
        return Form(f'{kind.__name__}(', _unnamed(value.args), ')') if is_plain else None
    if isinstance(value, _VIEWS):
        return Form(f'{kind.__name__}([', _unnamed(value), '])')
    return _of_fields(value) if is_of_library(kind.__repr__) else None


_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


def _unnamed(values: Any) -> list[tuple[str, Any]]:
    return [('', value) for value in values]


def _of_fields(value: Any) -> Form | None:
    kind = type(value)
    if isinstance(value, tuple) and hasattr(kind, '_fields'):
        names, known_as = kind._fields, kind.__name__
    elif dataclasses.is_dataclass(kind) and not nest.is_leaf(value):
        names, known_as = [f.name for f in dataclasses.fields(value) if f.repr], kind.__qualname__
    else:
        return None
    return Form(f'{known_as}(', [(f'{name}=', getattr(value, name)) for name in names], ')')
