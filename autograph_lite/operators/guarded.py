"""What a variable holds where only jumps that were not taken leave it without a value."""
from __future__ import annotations

from typing import Any

from ..graph import nest
from ..graph.tracing import unwrap
from .unbound import NOTHING, Unbound, bound
from .watched import is_container


def guarded(value: Any) -> Any:
    """The value itself, where a flag says that no way without one has led here.

    What leaves it without a value may well be known, then: it has jumped away. A list stays the
    list that it is, so that it is noticed where it may have another name.

    Raises:
      UnboundError: no way that leads here gives it a value.
    """
    if isinstance(value, Unbound):
        if value.there is NOTHING:
            return bound(value)
        if value.tensor is None or value.optional:
            return value.there
        return unwrap(value.tensor, value.name, sure=not value.name)
    if not any(isinstance(leaf, Unbound) for leaf in nest.flatten(value)[0]):
        return value
    if not is_container(value):
        return nest.map_children(guarded, value) if isinstance(value, tuple) else bound(value)
    nest.restore([(value, nest.content(nest.map_children(guarded, value)))])
    return value
