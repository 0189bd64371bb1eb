"""What no list of the graph does: refused, with what to write instead."""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.types import ListType


def check_is_list(x: Any) -> None:
    """Only a list can be put behind a list by `+`.

    Raises:
      TypeError: it is none.
    """
    is_list = isinstance(x, Tensor) and isinstance(x.type, ListType)
    kind = list if is_list else nest.kind_of(x)
    if not issubclass(kind, list):
        raise TypeError(f'can only concatenate list (not "{kind.__name__}") to list')


def unsupported(what: str, fix: str) -> StagingError:
    """The error of what is asked of a list, and what to write instead."""
    what = f'A list that a staged block changes does not support {what}.'
    return StagingError(describe(what, user_location(), fix))


def refusing(name: str) -> Any:
    """A method that refuses the operator of this name."""

    def method(self: Tensor, *args: Any) -> Any:
        raise unsupported(f'`{name}`', 'Use the array of its elements: `np.stack(items)`.')

    return method
