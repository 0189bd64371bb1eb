"""Set and dict comprehensions, and displays: Python's where tracing knows the elements, or keys.

    {int(x) for x in xs}        ag.set_of(lambda x: int(x), xs)
    {int(x): x for x in xs}     ag.dict_of(lambda x: (int(x), x), xs)
    {int(x): x, 0: y}           ag.dict_from((int(x), x), (0, y))
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..graph.checkpoints import checkpoint, undo
from ..graph.dispatch import UNREACHED
from ..graph.graph import Node
from ..graph.state import ReadAsValue
from ..graph.tracing import is_tracing
from .chosen_keys import is_staged_key
from .comprehensions import Each, each
from .filling import fill
from .likely_errors import is_likely_to_raise
from .reachable import Reachable
from .sets import StagedSet
from .staged_iterable import Staged
from .staging import graph_now


def set_of(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Any:
    """`{element(item) for item in iterable if where(item)}`; the arguments are those of `list_of`.

    Returns:
      A set; one of the graph's where only the running graph knows its elements.
    """
    if isinstance(iterable, StagedSet) and iterable.is_list_of_graph and not flat:
        return _of_set(element, iterable, where)
    elements = each(element, iterable, where=where, flat=flat)
    known = _known(elements, is_staged_key)
    if known is not None:
        return set(known)
    made = StagedSet([])
    made.update(elements)
    return made


def _of_set(
    element: Callable[..., Any], items: StagedSet, where: Callable[..., Any] | None
) -> StagedSet:
    """The same of a set that only the running graph knows: in which order, nothing may tell.

    Raises:
      StagingError: something would.
    """
    nodes = graph_now().nodes
    made, begin = StagedSet([]), len(nodes)
    made.update(each(element, items.listed, where=where))
    found = getattr(getattr(made.listed, 'type', None), 'element', None)
    is_exact = found is None or (found.kind != 'array' and found.dtype.kind in 'biu')
    if not is_exact or any(map(_tells_order, nodes[begin:])):
        items.in_order()
    return made


def _tells_order(node: Node) -> bool:
    """Whether it does more, for one element after the other, than put something into a set."""
    raising = [each for each in node.inside() if not each.graphs and is_likely_to_raise(each)]
    return node.effect or node.attrs.get('state', 1) != 1 or len(raising) > 1


def dict_of(
    element: Callable[..., Any],
    iterable: Iterable[Any],
    *,
    where: Callable[..., Any] | None = None,
    flat: bool = False,
) -> Any:
    """`{k: v for item in iterable if where(item)}`, where `element` gives `(k, v)` for an item.

    Returns:
      A dict; one of the graph's where only the running graph knows its keys.
    """
    elements = each(element, iterable, where=where, flat=flat)
    known = _known(elements, lambda pair: is_staged_key(pair[0]))
    return fill({}, elements) if known is None else dict(known)


def set_display(*elements: Any) -> Any:
    """`{*elements}`."""
    return UNREACHED[set](elements) if is_tracing() else set(elements)


def dict_from(*items: tuple[Any, Any]) -> Any:
    """`{k: v, ...}` of these items."""
    is_staged = is_tracing() and any(is_staged_key(key) for key, _ in items)
    return fill({}, items) if is_staged else dict(items)


def _known(elements: Each, is_staged: Callable[[Any], bool]) -> list[Any] | None:
    """The elements, where tracing knows how many there are, and none is staged; else None."""
    if not is_tracing():
        return list(elements)
    if not elements.is_pythons:
        return None
    begin = _beginnings(elements)
    begin()
    start = checkpoint()  # what is taken of an iterator of Python's may be an operation's result
    reached, found = Reachable(elements.element, elements.where, elements.items), []
    for item in elements:
        if is_staged(item):
            undo(start)
            reached.restore()
            begin()
            return None
        found.append(item)
    return found


def _beginnings(elements: Each) -> Callable[[], None]:
    """What lets it begin anew: what is taken of one of Python's iterators is gone from it."""
    items: Any = elements.items
    if not isinstance(items, Staged | ReadAsValue):
        items = list(items)

    def begin() -> None:
        elements.items = iter(items) if isinstance(items, list) else items
        elements._elements = None

    return begin
