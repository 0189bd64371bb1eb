"""`len`: of what only the running graph can count, a number of the graph."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing
from ..ops.attributes import DIM
from ..ops.calls import call
from ..ops.strings import StagedText
from .dicts import StagedDict
from .folding import Folding
from .growing_dicts import GrowingDict
from .iterables import Range
from .lists import StagedList
from .live_lists import LiveContainer
from .members import Member, each
from .moved import check_held
from .needed import check_length
from .nest_lists import NestList
from .optional_nests import Perhaps
from .own_methods import own_length
from .progress import Collection
from .staged_iterable import Staged
from .tuples import StagedTuple
from .view_sets import SetOfView
from .whole_reads import check_whole


@replaces(builtins.len)
def len(x: Any) -> Any:
    """`len(x)`; a symbolic integer where the length is known only when the graph runs."""
    x = actual(x)
    if isinstance(x, LiveContainer):
        return x.length()
    x = looked_at(x) if is_tracing() else x
    if isinstance(x, Collection):
        return len(x.listed)
    if isinstance(x, Range):
        return len(x.numbers())
    if isinstance(x, (Staged, Folding)) and x.stands_for:
        raise TypeError(f'object of type {x.stands_for.__name__!r} has no len()')
    own = own_length(x) if isinstance(x, Perhaps) else None
    if own is not None:
        return own
    check_length(x)
    if isinstance(x, Perhaps):
        x = x.sure()
    check_whole(x)
    if isinstance(x, (StagedList, NestList, StagedDict, GrowingDict, SetOfView, StagedText,
                      StagedTuple)):
        return x.length()
    if isinstance(x, Tensor) and x.type.shape:
        return x.shape[0]
    if isinstance(x, Tensor) and x.type.kind == 'scalar':  # a text has a length
        return call('builtins.len', (x,), {})
    if isinstance(x, Tensor) and x.type.shape is None:
        return emit(DIM, [x], {'axis': 0})[0]
    if isinstance(x, Member):
        return each(x, len)
    check_held(x)
    own = own_length(x)
    return builtins.len(x) if own is None else own
