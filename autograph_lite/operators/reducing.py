"""`functools.reduce`: a loop over what has a length that only the running graph knows."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from .builtins import len as length_of
from .calls import call
from .checking import check
from .listing import listed
from .loops import for_loop

_EMPTY = 'reduce() of empty iterable with no initial value'


@replaces(functools.reduce)
def _reduce(function: Callable[..., Any], iterable: Any, *initial: Any) -> Any:
    """`functools.reduce(function, iterable, initial)`, with the function converted."""

    def step(item: Any, result: Any) -> Any:
        return call(function, result, item)

    items: Any = valued(iterable)
    if not isinstance(items, Tensor):
        items = listed(items)
    if isinstance(items, list):
        return functools.reduce(lambda result, item: step(item, result), items, *initial)
    if initial:
        return for_loop(items, step, valued(initial[0]))
    check(length_of(items) == 0, _EMPTY, TypeError)
    return for_loop(items[1:], step, items[0])
