"""Functions of `itertools` that a graph does not know, and what to write in their place."""
from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .folding import Folding
from .iterables import staged
from .lists import StagedList
from .nest_lists import NestList
from .staged_iterable import Staged
from .unconverted import from_library

_ADVICE: dict[Any, str] = {
    itertools.accumulate: 'Write `np.add.accumulate`, or a `for` loop that appends.',
    itertools.chain: 'Write one `for` loop for each, or make one list of them: `[*a, *b]`.',
    itertools.combinations: 'Write nested `for` loops over `range`, the inner one from `i + 1`.',
    itertools.combinations_with_replacement:
        'Write nested `for` loops over `range`, the inner one from `i`.',
    itertools.permutations: 'Write nested `for` loops over `range`, with an `if`.',
    itertools.product: 'Write nested `for` loops.',
    itertools.tee: 'Run over the list itself as often as need be.',
    itertools.zip_longest: 'Write a `for` loop over `range`, with an `if` for each length.',
}


def _advise(function: Callable[..., Any], advice: str) -> None:
    @replaces(function)
    def advised(*args: Any, **kwargs: Any) -> Any:
        if is_tracing() and any(map(_is_uncounted, args)):
            what = f'How many elements `{function.__name__}` finds only the running graph knows.'
            raise StagingError(describe(what, user_location(), advice))
        return from_library(function, *args, **kwargs)


def _is_uncounted(x: Any) -> bool:
    x = valued(x)
    if isinstance(x, Tensor) and x.static_shape == ():  # how many are put together
        return True
    rows = staged(x) if isinstance(x, (Tensor, StagedList, NestList, Staged)) else None
    return rows is not None and rows.length() is None


for _function, _text in _ADVICE.items():
    _advise(_function, _text)


@replaces(itertools.groupby)
def _groupby(iterable: Any, key: Callable[..., Any] | None = None) -> Any:
    is_known = not is_tracing() or (staged(iterable) is None and not isinstance(iterable, Folding))
    if is_known:
        return from_library(itertools.groupby, iterable, key)
    raise StagingError(
        describe(
            'Which elements `groupby` puts together only the running graph knows.',
            user_location(),
            'Write a `for` loop that compares the key with the one before, and appends.',
        )
    )
