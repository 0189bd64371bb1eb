"""`range`, `enumerate`, `zip`, `reversed`, `map` and `filter`: staged where what they read is."""
from __future__ import annotations

import builtins
from collections import deque
from collections.abc import Callable
from typing import Any

from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import class_name
from .checking import check, check_integer
from .class_tests import type_of
from .comprehensions import each
from .endless import Endless, Together, counting_from
from .folding import Folding
from .growing_views import as_listed
from .iterables import Elements, Enumerate, FlatRow, Range, Reversed, Zip, as_range, staged
from .lengths import len as length_of
from .own_iterators import backwards, iterated
from .progress import Collection
from .reentry import call
from .staged_iterable import Once


@replaces(builtins.range)
def range(*bounds: Any) -> Any:
    """`range(...)`; a bound that is a tensor makes it one that only a staged loop runs over."""
    bounds = tuple(valued(b) for b in bounds)
    if not any(isinstance(b, Tensor) for b in bounds):
        return builtins.range(*bounds)
    for bound in bounds:
        if isinstance(bound, Tensor):
            check_integer(bound)
    start, stop, step = (0, bounds[0], 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    check(step == 0, 'range() arg 3 must not be zero')
    return Range(start, stop, step)


@replaces(builtins.enumerate)
def enumerate(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`."""
    iterable = iterated(iterable)
    if isinstance(iterable, Endless):
        return Together((counting_from(start), iterable))
    if is_tracing() and isinstance(iterable, Folding):
        from .zipping import Numbered

        return Numbered(iterable, start)
    inner = staged(iterable)
    if inner is not None:
        return Enumerate(inner, start)
    if isinstance(start, Tensor):
        return zip(counting_from(start), iterable)
    return builtins.enumerate(iterable, start)


@replaces(builtins.zip)
def zip(*iterables: Any, strict: bool = False) -> Any:
    """`zip(*iterables)`; staged where every part can be."""
    iterables = tuple(builtins.map(iterated, iterables))
    if iterables and all(isinstance(i, Endless) for i in iterables):
        return Together(iterables)
    parts = [staged(as_range(i) if isinstance(i, builtins.range) else i) for i in iterables]
    if None in parts and is_tracing():
        from .zipping import zipped

        found = zipped(iterables, strict)
        if found is not None:
            return found
    if not any(staged(i) for i in iterables) or None in parts:
        return builtins.zip(*iterables, strict=strict)
    found = tuple(part for part in parts if part is not None)
    lengths = {part.length() for part in found}
    return Zip(found, strict=strict and (None in lengths or len(lengths) > 1))


@replaces(builtins.reversed)
def reversed(iterable: Any) -> Any:
    """`reversed(iterable)`."""
    if type(iterable) is Tensor and iterable.type.kind == 'scalar':
        raise TypeError(f'{class_name(iterable)} object is not reversible')
    if type(iterable) is Tensor and iterable.type.shape == ():
        length_of(iterable)  # which says that it has none
    iterable = as_listed(actual(iterable))
    if isinstance(iterable, Collection) and iterable.python_class in (deque, list):
        iterable = iterable.listed
    inner: Any = staged(iterable)
    if isinstance(inner, Elements):
        return Elements(tuple(builtins.map(Reversed, inner.inner)), inner.element)
    if isinstance(inner, FlatRow):
        raise TypeError("'numpy.flatiter' object is not reversible")
    if isinstance(inner, Once):
        raise TypeError(f'{type_of(inner).__name__.lower()!r} object is not reversible')
    if isinstance(iterable, Folding) and iterable.stands_for:
        raise TypeError(f'{iterable.stands_for.__name__!r} object is not reversible')
    if inner is not None:
        return Reversed(inner)
    own = backwards(iterable)
    return builtins.reversed(iterable) if own is None else own


@replaces(builtins.map)
def map(function: Callable[..., Any], *iterables: Any) -> Any:
    """`map(function, *iterables)`, with the function converted while a graph is traced."""
    if not is_tracing():
        return builtins.map(function, *iterables)
    if len(iterables) == 1:
        found = each(lambda item: call(function, item), iterables[0])
    else:
        found = each(lambda items: call(function, *items), zip(*iterables))
    found.stands_for = builtins.map
    return found


@replaces(builtins.filter)
def filter(function: Callable[..., Any] | None, iterable: Any) -> Any:
    """`filter(function, iterable)`, with the function converted while a graph is traced."""
    if not is_tracing():
        return builtins.filter(function, iterable)
    chosen = _itself if function is None else lambda item: call(function, item)
    found = each(_itself, iterable, where=chosen)
    found.stands_for = builtins.filter
    return found


def _itself(x: Any) -> Any:
    return x
