"""What a variable holds, where it is read."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph import nest, nest_contents
from ..graph.state import ReadAsValue
from ..graph.tracing import current_graph, unwrap
from .blocks_around import stands_for_watched
from .optional_nests import Perhaps
from .outside import is_outside
from .perhaps_bound import PerhapsBound
from .perhaps_missing import check_bound
from .unbound import NOTHING, Unbound, value_of_name
from .watched import is_container, put_what_is_read, watch


def bound(value: Any, needed: bool = False) -> Any:
    """The value itself; where only the running graph can know whether it has one, checked there.

    Args:
      value: the value.
      needed: whether it has to be there even if nothing reads it, as for `del`.

    Raises:
      UnboundError: the name that holds it has no value.
    """
    if needed:
        check_bound(value)
    return _each(value_of_name, value)


def guarded(value: Any) -> Any:
    """The value itself, where a flag says that no way without one has led here.

    What leaves it without a value may well be known, then: it has jumped away.

    Raises:
      UnboundError: no way that leads here gives it a value.
    """
    return _each(_guarded, value)


def _guarded(value: Unbound) -> Any:
    if value.there is NOTHING:
        return value_of_name(value)
    if value.tensor is None or value.optional:
        return value.there
    return unwrap(value.tensor, value.name, sure=not value.name)


def _each(read: Callable[[Unbound], Any], value: Any) -> Any:
    """The value with what is in it read.

    A list stays the list that it is, so that it is noticed where it may have another name: but for
    that of a block around where a value may be missing, which is not the block's to change.
    """
    if isinstance(value, Unbound):
        found = read(value)
        if value.shared:
            watch(found)
        return found
    if isinstance(value, ReadAsValue):
        return value.bound(read)
    if isinstance(value, PerhapsBound):
        if read is value_of_name:
            value.check()
        return _each(read, value.held)
    if is_container(value) and is_outside(value):
        return value  # who reads a part of it, or all, asks for that
    if isinstance(value, Perhaps):
        present, held = _each(read, value.present), _each(read, value.nest)
        is_same = present is value.present and held is value.nest
        return value if is_same else Perhaps(present, held)
    unsure = [
        leaf for leaf in nest.flatten(value)[0]
        if isinstance(leaf, Unbound) and not is_lacking(leaf)]
    if not unsure:
        return value
    sure = nest.map_children(lambda part: part if is_lacking(part) else _each(read, part), value)
    if is_container(value) and (read is _guarded or is_of_this_block(unsure)):
        put_what_is_read(value, nest_contents.content(sure))
        sure = value
    if stands_for_watched(value):
        watch(sure)
    return sure


def is_lacking(x: Any) -> bool:
    """Whether it is what a staged dict holds for a key that was never set."""
    return isinstance(x, Unbound) and not x.name and x.there is NOTHING


def is_of_this_block(nested: Any) -> bool:
    """Whether nothing that may lack a value belongs to a block around the one that is traced."""
    return all(
        leaf.tensor is None or leaf.tensor.graph is current_graph()
        for leaf in nest.flatten(nested)[0] if isinstance(leaf, Unbound))
