"""`heapq` and `bisect` on lists and arrays with tensors in them.

Python's library has these functions twice, in C and in Python: in a graph it is the latter, which
are converted like the user's.
"""
from __future__ import annotations

import bisect
import functools
import heapq
import importlib.util
import operator
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .calls import call
from .comprehensions import each
from .folding import Folding
from .listing import gathered
from .lists import StagedList
from .living_lists import LivingCollection
from .needed import check_filled
from .nest_lists import NestList
from .ordering import by_keys, compares_itself, first_of, is_staged
from .outer_calls import is_change
from .own_iterators import iterated


@functools.cache
def _in_python(module: ModuleType) -> ModuleType:
    """A module of Python's library without what it has in C."""
    name = module.__name__
    spec = importlib.util.spec_from_file_location(f'{name}_in_python', str(module.__file__))
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    in_c = sys.modules.get(f'_{name}')
    sys.modules[f'_{name}'] = None  # type: ignore[assignment]  # this is how none is there
    try:
        spec.loader.exec_module(made)
    finally:
        if in_c is None:
            del sys.modules[f'_{name}']
        else:
            sys.modules[f'_{name}'] = in_c
    return made


def _needs_graph(sequence: Any, *args: Any) -> bool:
    """Whether only the running graph knows how the elements compare, or what they are."""
    is_staged_one = isinstance(sequence, (Tensor, StagedList, NestList, LivingCollection))
    if is_staged_one or is_change(sequence, 'append'):
        return True
    values = (*sequence, *args) if isinstance(sequence, list) else args
    return any(is_staged(x) or compares_itself(x) for x in values)


def _replacing(module: ModuleType, name: str) -> Callable[..., Any]:
    def function(sequence: Any, *args: Any, **options: Any) -> Any:
        sequence = valued(sequence)
        if is_tracing() and _needs_graph(sequence, *args):
            if name in ('heappop', 'heapreplace'):
                check_filled(sequence, 'index out of range')
            return call(getattr(_in_python(module), name), sequence, *args, **options)
        return getattr(module, name)(sequence, *args, **options)

    return function


_FUNCTIONS = {
    heapq: ('heappush', 'heappop', 'heapify', 'heapreplace', 'heappushpop'),
    bisect: ('bisect_left', 'bisect_right', 'insort_left', 'insort_right'),
}
for _module, _names in _FUNCTIONS.items():
    for _name in _names:
        replaces(getattr(_module, _name))(_replacing(_module, _name))


def _some(native: Callable[..., Any], largest: bool) -> Callable[..., Any]:
    def function(count: Any, iterable: Any, key: Any = None) -> Any:
        if not is_tracing():
            return native(count, iterable, key)
        iterable, count = iterated(valued(iterable)), valued(count)
        if not isinstance(count, Tensor):
            count = max(operator.index(count), 0)
            if not count:
                return []
        if key is not None and isinstance(iterable, Iterator | Folding):
            return _one_by_one(iterable, key, largest, count)
        return first_of(gathered(iterable), key, largest, count)

    return function


def _one_by_one(iterable: Any, key: Callable[..., Any], largest: bool, count: Any) -> Any:
    """The same, of what is taken one by one, each with its key: that may have effects."""
    pairs = gathered(each(lambda item: (item, call(key, item)), iterable))
    if type(pairs) is not list or isinstance(count, Tensor):
        found = first_of(pairs, lambda pair: pair[1], largest, count)
        return each(lambda pair: pair[0], found).listed()
    if not pairs:
        return []
    items, keys = zip(*pairs, strict=True)
    return by_keys([*items], [*keys], largest, count)


replaces(heapq.nsmallest)(_some(heapq.nsmallest, False))
replaces(heapq.nlargest)(_some(heapq.nlargest, True))
