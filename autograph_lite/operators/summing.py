"""`sum(...)`: added up in order as Python does, which adds its own floats more exactly than `+`."""
from __future__ import annotations

import builtins
import functools
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.dispatch import replaces
from ..graph.state import looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.trials import trying
from ..graph.types import type_of
from ..ops.calls import call
from .checking import check
from .comprehensions import Each
from .folding import Folding
from .iterables import Enumerate, Zip, staged
from .lengths import len as length_of
from .listing import gathered
from .lists import StagedList
from .loops import for_loop
from .nest_lists import NestList
from .operations import operation
from .own_iterators import iterated
from .own_methods import is_pythons
from .reachable import Reachable
from .staged_iterable import Staged

_NO_ROWS = (
    'sum() of no rows is the number that it starts from, and the program counts on an array: give '
    'the array of zeros to start from, `sum(rows, np.zeros(...))`.'
)


@replaces(builtins.sum)
def sum(iterable: Any, start: Any = 0) -> Any:
    """`sum(iterable, start)`."""
    iterable, start = iterated(looked_at(iterable)), looked_at(start)
    if not is_tracing():
        return builtins.sum(iterable, start)
    if isinstance(iterable, Each) and isinstance(iterable.items, Staged):
        with trying():
            return _sum_of_each(iterable, start)
    if isinstance(iterable, Folding) and iterable.is_pythons:
        return _sum_of_items(iterable, start)
    if isinstance(iterable, Folding):
        iterable = iterable.listed()
    element = getattr(iterable.type, 'element', None) if isinstance(iterable, StagedList) else None
    if _is_float(element) and _is_number(start):
        return iterable.summed(start)
    rows: Any = staged(iterable)
    if rows is not None and rows.length() == 0:
        return start
    if rows is None or _has_tuples(rows):
        return _sum_of_items(gathered(iterable), start)
    if _has_rows(iterable):
        rows, start = iterable[1:], start + iterable[0]  # it may be an array
    elif _is_number(start) and _are_arrays(rows):
        check(np.equal(length_of(iterable), 0), _NO_ROWS, StagingError)
        rows, start = iterable[1:], start + iterable[0]
    return for_loop(rows, lambda x, total: total + x, start, names=['the sum'])


def _sum_of_each(elements: Each, start: Any) -> Any:
    """The sum of the elements of a staged generator expression, which are asked what they are."""
    before, items = checkpoint(), elements.items
    reached = Reachable(elements.element, elements.where, items)
    try:
        total = elements.summed(start)
    except StagingError:  # a number before the loop, and arrays in it
        undo(before)
        reached.restore()
        elements.items = items
        return sum(elements.listed(), start)
    if not (_is_number(start) and _is_float(getattr(total, 'type', None))):
        return total
    undo(before)
    reached.restore()
    elements.items = items
    return sum(elements.listed(), start)


def _has_tuples(rows: Staged) -> bool:
    return isinstance(rows, (Enumerate, Zip))


def _sum_of_items(iterable: Any, start: Any) -> Any:
    """The sum of what Python has in a list, or of tuples."""
    check_no_tuples(iterable, 'sum')
    items: list[Any] = []
    for item in map(valued, iterable):
        items.append(item)
        if not all(map(is_pythons, (start, item))):  # asked before the next item is taken
            start = functools.reduce(functools.partial(operation, '+'), items, start)
            items.clear()
    if not items or not is_pythons(start):
        return start
    if not any(isinstance(item, Tensor) and _is_float(item.type) for item in items):
        return builtins.sum(items, start)
    if all(map(_is_number, (start, *items))):
        return call('builtins.sum', (items, start), {})
    return builtins.sum(items, start)


def _are_arrays(rows: Staged) -> bool:
    """Whether every element has axes."""
    return len(rows.items()) == 1 and rows.items()[0][0].shape != ()


def _has_rows(x: Any) -> bool:
    """Whether it is an array of which it is known that there is a first row."""
    return isinstance(x, Tensor) and bool(x.static_shape[0])


def _is_float(type_: Any) -> bool:
    """Whether this is the type of a float, or a complex number, of Python's."""
    return type_ is not None and type_.weak and type_.dtype.kind in 'fc'


def _is_number(x: Any) -> bool:
    type_ = x.type if isinstance(x, Tensor) else type_of(x)
    return type_ is not None and type_.shape == ()


def check_no_tuples(items: Any, name: str) -> None:
    """Refuses what makes a number of tuples, as many as only the running graph knows.

    Raises:
      StagingError: it is given them.
    """
    if isinstance(items, (NestList, Enumerate, Zip)):
        what = f'`{name}` makes a number of many, and is given tuples.'
        fix = f'Give it one of each: `{name}(a for a, b in pairs)`.'
        raise StagingError(describe(what, user_location(), fix))
