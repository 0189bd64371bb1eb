"""`math.fsum`, `math.prod`, `math.dist`, `math.sumprod`: of the numbers in anything iterable."""
from __future__ import annotations

import math
from typing import Any

from ..graph.dispatch import UNREACHED, replaces
from ..graph.state import valued
from ..graph.tracing import is_tracing
from .folding import Folding
from .listing import gathered
from .lists import StagedList
from .loops import for_loop
from .own_iterators import iterated
from .staged_iterable import Staged
from .summing import check_no_tuples

_product = UNREACHED[math.prod]


@replaces(math.prod)
def _prod(iterable: Any, /, *, start: Any = 1) -> Any:
    """`math.prod(iterable, start=start)`."""
    if not is_tracing():
        return math.prod(iterable, start=start)
    items: Any = iterated(valued(iterable))
    check_no_tuples(items, 'math.prod')
    is_staged = isinstance(items, (Folding, Staged, StagedList))
    if is_staged:
        return for_loop(items, lambda x, product: product * x, start, names=['the product'])
    return _product(items, start=start)


def _gathering(name: str) -> None:
    function = getattr(math, name)
    of_numbers = UNREACHED[function]

    @replaces(function)
    def gathering(*args: Any) -> Any:
        if not is_tracing():
            return function(*args)
        args = tuple(map(gathered, args))
        for items in args:
            check_no_tuples(items, f'math.{name}')
        return of_numbers(*args)


for _name in ('fsum', 'dist', 'sumprod'):
    if hasattr(math, _name):  # `sumprod` is new in Python 3.12
        _gathering(_name)
