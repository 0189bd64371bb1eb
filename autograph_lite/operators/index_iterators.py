"""NumPy's iterators: `np.ndindex` and `np.ndenumerate` go through the places of an array."""
from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.calls import call
from ..ops.refusals import REFUSED, refuse
from .iterables import Range, Rows, Zip


@dataclass(frozen=True)
class Places(Range):
    """`np.ndindex(shape)`: the tuples of indices, the last one running fastest."""

    shape: tuple[Any, ...] = ()

    def item(self, leaves: Iterator[Any]) -> Any:
        rest = next(leaves)
        found = []
        for n in reversed(self.shape):
            found.append(rest % n)
            rest = rest // n
        return tuple(reversed(found))

    def stacked(self) -> Any:
        raise refuse('numpy.ndindex', 'is an iterator; NumPy takes it for one object.')

    def __iter__(self) -> Iterator[Any]:
        return itertools.product(*map(range, self.shape))


def places(shape: tuple[Any, ...]) -> Places:
    """The places of an array of this shape."""
    return Places(0, math.prod(shape), 1, shape)


@replaces(np.ndindex)
def _ndindex(*shape: Any) -> Any:
    if len(shape) == 1 and isinstance(shape[0], tuple | list):
        shape = tuple(shape[0])
    if not any(isinstance(n, Tensor) for n in shape):
        return np.ndindex(*shape)
    return places(tuple(call('builtins.int', (n,), {}) for n in shape))


@replaces(np.ndenumerate)
def _ndenumerate(array: Any) -> Any:
    """The places of an array, and what is there."""
    array = valued(array)
    if not isinstance(array, Tensor):
        array = call('numpy.asarray', (array,), {})
    return Zip((places(array.shape), Rows(array.ravel())))


def _refused(name: str) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        raise refuse(name, *REFUSED[name])

    return run


for _class in (np.nditer, np.broadcast, np.matrix, np.poly1d):
    replaces(_class)(_refused(f'numpy.{_class.__name__}'))
