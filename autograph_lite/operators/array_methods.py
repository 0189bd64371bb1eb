"""Methods of arrays outside that have a name of their own: `total = weights.sum`."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, user_location
from .steps import as_tensor

_IN_PLACE = ('fill', 'partition', 'put', 'resize', 'setfield', 'sort')


def method_of_array(array: np.ndarray[Any, Any], name: str) -> Callable[..., Any]:
    """The method of what stands for the array in the graph.

    Raises:
      OwnershipError: it modifies the array.
    """
    if name in _IN_PLACE:
        what = f'This calls `{name}` of an array outside by a name of its own.'
        fix = f'Call it by the name of the array: `w.{name}(...)`.'
        raise OwnershipError(describe(what, user_location(), fix))
    return getattr(as_tensor(array, 'array'), name)  # type: ignore[no-any-return]
