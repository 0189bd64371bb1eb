"""`x in container` and `container[i]` where `x` or `i` is a tensor, the container Python's."""
from __future__ import annotations

from typing import Any

from ..graph import nest
from ..graph.tensor import Tensor, valued
from ..graph.tracing import is_tracing
from ..ops.calls import call
from .builtins import any as any_
from .builtins import bool as bool_
from .lists import StagedList, new_list, stacked
from .logic import and_, or_


def in_(item: Any, container: Any) -> Any:
    """`item in container`; a symbolic bool where only the running graph knows."""
    item, container = valued(item), valued(container)
    if not is_tracing() or not (isinstance(item, Tensor) or _has_tensors(container)):
        return item in container
    if isinstance(container, StagedList):
        container = stacked(container)
    if isinstance(container, Tensor):
        if container.type.kind == 'scalar':
            return call('operator.contains', (container, item), {})
        return any_((container == item).reshape(-1))
    if isinstance(container, range):
        return _in_range(item, container)
    if not isinstance(container, (tuple, list, set, frozenset, dict)):
        return item in container
    first, *rest = (_equals(item, element) for element in container) if container else (_no,)
    return or_(first(), *rest)


def _has_tensors(container: Any) -> bool:
    """Whether it is a tensor, or a list or tuple with one in it."""
    if isinstance(container, (list, tuple)):
        return any(isinstance(valued(element), Tensor) for element in container)
    return isinstance(container, Tensor)


def _in_range(item: Any, numbers: range) -> Any:
    if not numbers:
        return False
    first, last = min(numbers), max(numbers)
    return and_(
        bool_(first <= item),
        lambda: bool_(item <= last),
        lambda: bool_((item - first) % abs(numbers.step) == 0),
    )


def _equals(item: Any, element: Any) -> Any:
    return lambda: True if item is element else bool_(item == element)


def _no() -> bool:
    return False


def item(container: Any, index: Any) -> Any:
    """`container[index]`; a list or tuple of numbers and arrays may be indexed by a tensor."""
    container = nest.actual(container)
    if isinstance(valued(index), Tensor) and type(container) in (list, tuple):
        leaves, structure = nest.flatten(list(container))
        if len(leaves) == len(structure.children):
            return new_list(leaves)[valued(index)]
    return container[index]
