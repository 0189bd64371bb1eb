"""What Python raises for `None` where a value is needed that may be `None` when the graph runs."""
from __future__ import annotations

from typing import Any

from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.tracing import emit, unwrap
from ..ops.effects import RAISE
from .conditionals import cond
from .effects import Diverged
from .is_none import is_none, is_optional
from .known import is_there
from .staging import condition, unchanged


def check_there(x: Any, error: type[Exception], message: str) -> None:
    """Raises what Python raises for None, when the graph runs, if the value is None."""

    def fail() -> None:
        emit(RAISE, [], {'error': error, 'parts': [message]})
        raise Diverged

    if is_optional(x) and not is_there(x):
        cond(is_none(x), fail, unchanged)


def check_filled(x: Any, message: str) -> None:
    """Raises what Python raises for an empty container, when the graph runs, if a list is empty."""

    def fail() -> None:
        emit(RAISE, [], {'error': IndexError, 'parts': [message]})
        raise Diverged

    filled = condition(x)
    if isinstance(filled, Tensor):
        cond(filled, unchanged, fail)
    elif not filled:
        raise IndexError(message)


def with_attributes(x: Tensor, name: str) -> Tensor:
    """The value, of which an attribute is read."""
    check_there(x, AttributeError, f"'NoneType' object has no attribute {name!r}")
    return unwrap(x, sure=True)


def check_length(x: Any) -> None:
    """What may be None has no length then."""
    check_there(x, TypeError, "object of type 'NoneType' has no len()")


dispatch.FALLBACKS['with_attributes'] = with_attributes
