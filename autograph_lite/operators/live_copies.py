"""`copy.deepcopy` of what the running program has itself, and of lists of such: see `live`."""
from __future__ import annotations

from typing import Any

from ..errors import describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..graph.types import is_live
from ..ops.live import ASK_LIVE
from .live import wrapped
from .live_types import NotOfLiveError


def copied_whole(held: Tensor, memo: dict[int, Any]) -> Any:
    """The copy, of which Python makes all that it holds.

    Args:
      held: the value of the graph.
      memo: what `copy.deepcopy` has copied already.

    Raises:
      StagingError: there is such a thing in it: what the two share would be copied twice.
    """
    if any(isinstance(x, Tensor) and is_live(x.type) for x in nest.flatten(list(memo.values()))[0]):
        raise NotOfLiveError(describe(
            '`copy.deepcopy` is given several lists, dicts or objects of the running graph at a '
            'time.', user_location(),
            'Copy one after the other: `a, b = copy.deepcopy(a), copy.deepcopy(b)`.'))
    attrs = {'type': held.type, 'how': 'copied', 'asked': 'deepcopy'}
    return wrapped(emit(ASK_LIVE, [held], attrs, value_of=held_value)[0].held)
