"""What may be missing when the graph runs: a value, or a tuple of which each part may be.

    if x > 0:
        self.best = (x, 1)
    return hasattr(self, 'best')
"""
from __future__ import annotations

from typing import Any

from ..graph import dispatch, nest
from ..graph.tensor import Tensor
from ..graph.tracing import UNWRAP
from .unbound import Unbound, value_of_name


def may_lack(value: Any) -> bool:
    """Whether a value, or a tuple, may be missing."""
    return isinstance(value, Unbound) or (isinstance(value, tuple) and bool(_unsure(value)))


def is_bound(value: Any) -> Any:
    """Whether what may be missing is there; a symbolic bool where only the running graph knows.

    Raises:
      UnboundError: nothing tells.
    """
    parts = _unsure(value)
    telling = [part for part in parts if part.tensor is not None and not part.optional]
    return (telling or parts)[0].is_bound


def check_bound(value: Any) -> None:
    """A value, or each part of a tuple, must be there.

    Raises:
      UnboundError: it may be missing; when the graph runs, if only then that is known.
    """
    for part in _unsure(value) if may_lack(value) else ():
        value_of_name(part)
        if part.tensor is not None:  # whatever is needed of it
            dispatch.FALLBACKS['check bound'](part)


def asked_of(value: Any) -> Any:
    """A value of which is asked what does not need all of it: whether it is there is checked.

    Raises:
      UnboundError: as of `check_bound`.
    """
    from .perhaps_bound import PerhapsBound  # what it needs needs what is here

    if isinstance(value, PerhapsBound):
        value.check()
        return value.held
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, Tensor):
            _check_unwrapped(part)
    check_bound(value)
    return value.value if isinstance(value, Unbound) else value


def _check_unwrapped(value: Tensor) -> None:
    """A value that was read of a name that may have none."""
    node = value.held.node
    if node is not None and node.op is UNWRAP and node.attrs['name']:
        asked = Unbound(node.attrs['name'], there=Tensor(node.inputs[0]))
        dispatch.FALLBACKS['check bound'](asked)


def _unsure(value: Any) -> list[Unbound]:
    return [leaf for leaf in nest.flatten(value)[0] if isinstance(leaf, Unbound)]
