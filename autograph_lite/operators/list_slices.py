"""`items[a:b] = more` and `del items[a:b]` of lists of the running graph."""
from __future__ import annotations

from typing import Any

from ..graph.tensor import Tensor
from .list_refusals import unsupported
from .reentry import cond


def put_in_place(items: Any, place: slice, elements: Any) -> None:
    """Puts elements in the place of others.

    Raises:
      StagingError: the slice has a step.
    """
    start, stop = _bounds(items, place)
    changed = items[:start]
    changed.extend(elements)
    if stop is not None:
        changed.extend(items[stop:])
    items.clear()
    items.extend(changed)


def _bounds(items: Any, place: slice) -> tuple[Any, Any]:
    """Where a slice begins and ends, wherever the list does; None for the end of the list.

    Raises:
      StagingError: it has a step.
    """
    is_by_step = isinstance(place.step, Tensor) or place.step not in (None, 1)
    if is_by_step:
        raise unsupported(
            'putting elements in the place of a slice with a step',
            'Set or delete one after the other, as by `items[i] = x` in a loop.')
    start, stop = 0 if place.start is None else place.start, place.stop
    is_known = isinstance(start, int) and (stop is None or isinstance(stop, int))
    if is_known and (stop is None or start == 0 or (start < 0) is (stop < 0)):
        return start, stop if stop is None or start == 0 else max(start, stop)
    size = items.length()
    start = _from_front(start, size)
    if stop is None:
        return start, None
    stop = _from_front(stop, size)
    return start, cond(stop < start, lambda: start, lambda: stop)


def _from_front(index: Any, size: Any) -> Any:
    """An index that counts from the front, where it may count from the end of the list."""
    index = cond(index < 0, lambda: index + size, lambda: index)
    return cond(index < 0, lambda: 0, lambda: index)
