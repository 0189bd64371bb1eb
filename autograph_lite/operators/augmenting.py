"""`x += 1 if c else 2.5`: an array takes in the one number, and perhaps not the other."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..graph.checkpoints import checkpoint, undo
from ..graph.nest import actual
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .conditionals import cond


def augmented_by_one(
    change: Callable[[Any, Any], Any],
    x: Any,
    pred: Any,
    if_true: Callable[[], Any],
    if_false: Callable[[], Any],
) -> Any:
    """`x += a if pred else b`; in each branch, where `x` takes nothing that both could be.

    Args:
      change: the operator, of `x` and what one of the branches gives.
      x: what it changes.
      pred: the condition.
      if_true: gives the other operand where that is true.
      if_false: gives it elsewhere.

    Raises:
      TypeError: what a branch gives does not fit what it changes, or the other branch.
    """
    start = checkpoint() if is_tracing() else None
    try:
        return change(x, cond(pred, if_true, if_false))
    except TypeError as error:
        if start is None or not (_is_tensor(x) and _is_tensor(pred)):
            raise
        refused = error
    undo(start)
    try:
        return cond(pred, *(partial(_changed, change, give) for give in (if_true, if_false)), x)
    except TypeError:
        raise refused from None


def _is_tensor(x: Any) -> bool:
    return isinstance(actual(x), Tensor)


def _changed(change: Callable[[Any, Any], Any], give: Callable[[], Any], x: Any) -> Any:
    return change(x, give())
