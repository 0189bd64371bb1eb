"""`np.r_`, `np.c_`, `np.mgrid` and `np.ogrid`: arrays made of what stands between brackets."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.dispatch import UNREACHED
from ..graph.tensor import valued
from ..graph.types import TensorType
from .calls import answer, call, rule
from .inference import Answer
from .shapes import with_unknown_lengths
from .template import Arguments, Sliced, Slot

_NAMES = ('r_', 'c_', 'mgrid', 'ogrid')


class Grid:
    """One of them while a graph is traced."""

    def __init__(self, name: str) -> None:
        self._name = f'numpy.{name}.__getitem__'

    def __getitem__(self, key: Any) -> Any:
        return call(self._name, (_valued(key),), {})


def _valued(key: Any) -> Any:
    """The key with what state holds now."""
    if isinstance(key, tuple):
        return tuple(map(_valued, key))
    if isinstance(key, slice):
        return slice(*map(valued, (key.start, key.stop, key.step)))
    return valued(key)


@rule(*(f'numpy.{name}.__getitem__' for name in _NAMES))
def _grid(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer | None:
    """Where a bound of a range is not known, no length is."""
    (key,) = arguments.args
    if not _has_unknown_bounds(key):
        return None
    found = with_unknown_lengths(answer(name, arguments, types))
    if name.startswith('numpy.mgrid') and isinstance(key, tuple):
        (type_,) = found.types  # one array of indices for each axis
        found = replace(found, types=(replace(type_, shape=(len(key), *(type_.shape or ())[1:])),))
    return found


def _has_unknown_bounds(part: Any) -> bool:
    if isinstance(part, tuple):
        return any(map(_has_unknown_bounds, part))
    return isinstance(part, Sliced) and any(
        isinstance(bound, Slot) for bound in (part.start, part.stop, part.step)
    )


for _name in _NAMES:
    UNREACHED[getattr(np, _name)] = Grid(_name)
