"""`functools.reduce`: a loop over what has a length that only the running graph knows."""
from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from .calls import call
from .checking import check
from .conditionals import cond
from .extremes import there
from .folding import Folding
from .is_none import is_none
from .iterables import staged
from .lengths import len as length_of
from .listing import listed
from .loops import for_loop
from .optional_nests import present
from .own_iterators import iterated

_EMPTY = 'reduce() of empty iterable with no initial value'


@replaces(functools.reduce)
def _reduce(function: Callable[..., Any], iterable: Any, *initial: Any) -> Any:
    """`functools.reduce(function, iterable, initial)`, with the function converted."""

    def step(item: Any, result: Any) -> Any:
        return call(function, result, item)

    items: Any = iterated(valued(iterable))
    is_pythons = items.is_pythons if isinstance(items, Folding) else (
        isinstance(items, Iterator) and staged(items) is None)
    if is_pythons:
        # Python takes the next element when it has called the function with those before.
        return functools.reduce(lambda result, item: step(item, result), items, *initial)
    if isinstance(items, Folding):
        return _folded(items, step, *initial)
    if not isinstance(items, Tensor):
        items = listed(items)
    if isinstance(items, list):
        return functools.reduce(lambda result, item: step(item, result), items, *initial)
    if initial:
        return for_loop(items, step, valued(initial[0]))
    check(length_of(items) == 0, _EMPTY, TypeError)
    return for_loop(items[1:], step, items[0])


def _folded(items: Any, step: Callable[[Any, Any], Any], *initial: Any) -> Any:
    """The same, of what runs a loop over itself."""
    if initial:
        return for_loop(items, step, valued(initial[0]))

    def turn(item: Any, result: Any) -> Any:
        return cond(is_none(result), lambda: item, lambda: step(item, there(result)))

    found = for_loop(items, turn, None)
    check(is_none(found), _EMPTY, TypeError)
    return present(found)
