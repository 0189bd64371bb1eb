"""NumPy's iterators: `np.ndindex`, `np.ndenumerate` and `np.broadcast` go through arrays."""
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
from ..ops.template import holds_array
from .iterables import Range, Rows, Zip


@dataclass(frozen=True)
class Places(Range):
    """`np.ndindex(shape)`: the tuples of indices, the last one running fastest."""

    stands_for = np.ndindex
    shape: tuple[Any, ...] = ()

    def item(self, leaves: Iterator[Any]) -> Any:
        rest = next(leaves)
        found = []
        for n in reversed(self.shape):
            length = n or 1 if isinstance(n, int) else n  # where there is none, nothing is run
            found.append(rest % length)
            rest = rest // length
        return tuple(reversed(found))

    def stacked(self) -> Any:
        raise refuse('numpy.ndindex', 'is an iterator; NumPy takes it for one object.')

    def run(self) -> Iterator[Any]:
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


@dataclass(eq=False)
class Broadcast(Zip):
    """`np.broadcast(x, y)`: the items that meet where arrays are broadcast."""

    stands_for = np.broadcast
    shape: tuple[Any, ...]

    @property
    def size(self) -> Any:
        """How many there are."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def numiter(self) -> int:
        """The number of arrays."""
        return len(self.inner)

    nd = ndim


@replaces(np.broadcast)
def _broadcast(*arrays: Any) -> Any:
    if not holds_array(arrays):
        return np.broadcast(*arrays)
    found = call('numpy.broadcast_arrays', arrays, {})
    return Broadcast(tuple(Rows(array.ravel()) for array in found), found[0].shape)


def _refused(name: str) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        raise refuse(name, *REFUSED[name])

    return run


for _class in (np.nditer, np.matrix):
    replaces(_class)(_refused(f'numpy.{_class.__name__}'))
