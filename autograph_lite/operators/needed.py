"""What Python raises for `None` where a value is needed that may be `None` when the graph runs."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.tracing import emit, unwrap
from ..ops.effects import RAISE
from .conditionals import cond
from .effects import Diverged, raises_of_container
from .is_none import is_none, is_optional
from .known import is_there
from .staging import condition, graph_now, unchanged


def check_there(x: Any, error: type[Exception], message: str) -> None:
    """Raises what Python raises for None, when the graph runs, if the value is None."""
    if is_optional(x) and not is_there(x):
        cond(is_none(x), lambda: _fail(error, message), unchanged)


def _fail(error: type[Exception], message: str) -> NoReturn:
    emit(RAISE, [], {'error': error, 'parts': [message]})
    raise Diverged


def where_there(x: Tensor, message: str, ask: Callable[[Tensor], Any]) -> Any:
    """What a function gives for a value, or raises; where that is None, this raises a TypeError."""

    def there() -> Any:
        try:
            return ask(unwrap(x, sure=True))
        except Exception as error:
            raises_of_container(error, graph_now())

    if is_there(x):
        return ask(unwrap(x, sure=True))
    return cond(is_none(x), lambda: _fail(TypeError, message), there)


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
dispatch.FALLBACKS['where it is there'] = where_there
