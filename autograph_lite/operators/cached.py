"""Functions under `functools.cache`: each run of the graph asks the cache, as Python would.

What it gives is known while tracing; that it is asked again counts, and keeps it among the last.
"""
from __future__ import annotations

from typing import Any

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..ops.python_functions import PYTHON_ACTION
from .cached_results import once
from .done_once import Ahead, ahead
from .new_objects import note_found
from .staging import graph_now
from .steps import as_tensor
from .unconverted import record_reads


def from_cache(f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of what `functools.cache` has made; an array from it is a captured one.

    Raises:
      OwnershipError: it changes something that the trace has made, in a staged block.
      TypeError: it is given an array.
    """
    from .calls import call

    given = nest.flatten((args, kwargs))[0]
    if any(isinstance(x, Tensor) for x in given):
        if any(isinstance(x, Tensor) and x.type.kind == 'array' for x in given):
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return once(f.__wrapped__, lambda: call(f.__wrapped__, *args, **kwargs))
    record_reads(f.__wrapped__, *args, *kwargs.values())
    if graph_now().parent is None:
        key = (f, args, tuple(kwargs.items()), *map(type, given))
        ask = ahead(key, lambda: Asking(f, args, kwargs))
        result = ask.in_advance()
        emit(PYTHON_ACTION, [], {'run': ask, 'types': []}, value_of=held_value)
    else:
        result = once(f.__wrapped__, lambda: f(*args, **kwargs))
    note_found(result)
    return nest.map_leaves(lambda x: as_tensor(x, f.__name__), result)


class Asking(Ahead):
    """Asks a cache when the graph runs, unless tracing has done so in advance."""

    def __init__(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        super().__init__()
        self._asked = [(f, args, kwargs)]
        self._given: list[Any] = []
        self._left = 0
        self.__name__ = str(f.__name__)

    def in_advance(self) -> Any:
        """What the cache gives; asked once, however often the trace begins anew."""
        if self.passed == len(self._given):
            self._left += 1
            ((f, args, kwargs),) = self._asked
            self._given.append(f(*args, **kwargs))
        self.passed += 1
        return self._given[self.passed - 1]

    def __call__(self) -> None:
        """Asks."""
        self._given = []
        if self._left:
            self._left -= 1
            return
        for f, args, kwargs in self._asked:
            f(*args, **kwargs)

    def __getstate__(self) -> dict[str, Any]:
        """Another process has another cache, if it has one."""
        return {'passed': 0, '_asked': [], '_given': [], '_left': 0, '__name__': self.__name__}
