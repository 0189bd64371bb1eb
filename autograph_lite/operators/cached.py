"""Functions under `functools.cache`: each run of the graph asks the cache, as Python would.

What it gives is known while tracing; that it is asked again counts, and keeps it among the last.
"""
from __future__ import annotations

from typing import Any

from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..keys import is_container
from ..ops.python_functions import PYTHON_ACTION
from .cached_results import computed_anew, once
from .done_once import Ahead, ahead
from .guards import record_same
from .holders import walk
from .new_objects import note_found
from .outside import note
from .places import Place, place_of
from .reentry import call
from .staging import graph_now
from .steps import finished
from .unconverted import record_reads


def from_cache(f: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of what `functools.cache` has made; an array from it is a captured one.

    Raises:
      OwnershipError: it changes something that the trace has made, in a staged block; or anything,
        for a number that only the running graph knows.
      TypeError: it is given an array.
    """
    given = nest.flatten((args, kwargs))[0]
    if any(isinstance(x, Tensor) for x in given):
        if any(isinstance(x, Tensor) and x.type.kind == 'array' for x in given):
            raise TypeError("unhashable type: 'numpy.ndarray'")
        return computed_anew(f.__wrapped__, lambda: call(f.__wrapped__, *args, **kwargs))
    record_reads(f.__wrapped__, *args, *kwargs.values())
    key = (f, args, tuple(kwargs.items()), *map(type, given))
    ask = ahead(key, lambda: Asking(f, args, kwargs))
    if graph_now().parent is None:
        result = ask.in_advance()
        emit(PYTHON_ACTION, [], {'run': ask, 'types': []}, value_of=held_value)
    else:
        result = once(f.__wrapped__, lambda: f(*args, **kwargs))
    note_found(result)
    return _from_outside(result, ask)


def _from_outside(result: Any, ask: Asking) -> Any:
    """What a cache gives lives outside; a container or an object, as long as it is that one."""
    note(result)
    if any(held.owner is result for held in walk(('', result))):
        place = Place(ask.before_a_run, ('cache', id(result)), f'{ask.__name__}()')
        record_same(place, result)
    is_known = is_container(result)
    return finished(result, place_of(result, f'{ask.__name__}()') if is_known else None)


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

    def before_a_run(self) -> Any:
        """What the cache gives now: asked for the run that perhaps follows."""
        ((f, args, kwargs),) = self._asked
        self._left = 1
        return f(*args, **kwargs)

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
