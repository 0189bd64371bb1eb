"""`while_loop` and `for_loop`: Python's own loops for Python values, staged for tensors."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .conditionals import unchanged


def _state(result: Any, count: int) -> tuple[Any, ...]:
    """What a loop body returned, as one value a state variable."""
    if count == 1:
        return (result,)
    return tuple(result) if count else ()


def while_loop(test: Callable[..., Any], body: Callable[..., Any], *state: Any) -> Any:
    """`while test(*state): state = body(*state)`; the last state, as `unchanged` gives it."""
    count = len(state)
    while test(*state):
        state = _state(body(*state), count)
    return unchanged(*state)


def for_loop(
    iterable: Iterable[Any],
    body: Callable[..., Any],
    *state: Any,
    test: Callable[..., Any] | None = None,
) -> Any:
    """`for item in iterable: state = body(item, *state)`; the last state, as `unchanged` gives it.

    `test(*state)`, where given, is asked before each turn; the loop ends when it is false.
    """
    count = len(state)
    items = iter(iterable)
    while test is None or test(*state):
        try:
            item = next(items)
        except StopIteration:
            break
        state = _state(body(item, *state), count)
    return unchanged(*state)
