"""`items.sort()`, `items.index(x)`, `items.count(x)` of a list that holds tensors or objects.

Python would ask each comparison for its truth at once, and call methods of the user's as they are.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..ops.effects import RAISE
from .comparing import equal
from .conditionals import cond
from .effects import Diverged
from .ordering import compares_itself, is_staged, sorted


def _sort(items: list[Any], *, key: Any = None, reverse: bool = False) -> None:
    items[:] = sorted(items, key=key, reverse=reverse)


def _index(items: list[Any], x: Any, *bounds: Any) -> Any:
    if bounds:
        return items.index(x, *bounds)

    def search(start: int) -> Any:
        if start == len(items):
            emit(RAISE, [], {'error': ValueError, 'parts': ['x is not in the list']})
            raise Diverged
        found = equal(items[start], x)
        if isinstance(found, Tensor):
            return cond(found, lambda: start, lambda: search(start + 1))
        return start if found else search(start + 1)

    return search(0)


def _count(items: list[Any], x: Any) -> Any:
    return sum(equal(item, x) + 0 for item in items)


_METHODS: dict[str, Callable[..., Any]] = {'sort': _sort, 'index': _index, 'count': _count}


def staged_method(items: list[Any], name: str, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of a method of a list; None where Python does it."""
    method = _METHODS.get(name)
    if method is None or not any(is_staged(x) or compares_itself(x) for x in (*items, *args)):
        return None
    return lambda *args, **options: method(items, *args, **options)
