"""What the patterns of a `match` ask of the structure of their subject."""
from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .builtins import len as length_of
from .lists import StagedList

T = TypeVar('T')

# How Python knows what sequence and mapping patterns are for.
_IS_SEQUENCE = 1 << 5
_IS_MAPPING = 1 << 6


def is_sequence(subject: Any, *, length: int | None = None, at_least: int = 0) -> Any:
    """Whether a sequence pattern is for the subject: it is a sequence, and as long as that.

    An array is one if NumPy says so, which it does since 2.5.
    """
    kind: type = type(subject)
    if isinstance(subject, StagedList):
        kind = list
    elif isinstance(subject, Tensor) and subject.type.kind == 'array':
        kind = np.ndarray
    if not kind.__flags__ & _IS_SEQUENCE:
        return False
    found = length_of(subject)
    return found >= at_least if length is None else found == length


def is_mapping(subject: Any, *keys: Any) -> bool:
    """Whether a mapping pattern is for the subject: it is a mapping and has the keys."""
    return bool(type(subject).__flags__ & _IS_MAPPING) and all(key in subject for key in keys)


def plain(subject: T) -> T:
    """The subject of a `match` that Python itself does.

    Raises:
      StagingError: there is a tensor in it.
    """
    if any(isinstance(leaf, Tensor) for leaf in nest.flatten(subject)[0]):
        raise StagingError(
            describe(
                'A pattern of this `match` does not convert, and its subject has a tensor in it.',
                user_location(),
                'Leave `**rest`, `:=` and names in `|` out of the patterns, or use `if`.',
            )
        )
    return subject
