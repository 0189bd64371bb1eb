"""`and`, `or`, `not`: Python's own for Python values, staged where an operand is a tensor."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.state import ReadAsValue, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit_one, is_tracing
from ..ops.control_flow import NOT
from .reentry import cond
from .staging import condition, truth

# Each operand is staged in a branch of the one before it, and branches nest no deeper than this.
_DEEPEST = 16


def and_(first: Any, *rest: Callable[[], Any], names: Sequence[str] = ('`and`',)) -> Any:
    """`first and rest[0]() and ...`: each operand is evaluated only if those before it are true."""
    for start in range(0, len(rest), _DEEPEST):
        first = _and(first, rest[start : start + _DEEPEST], names)
    return first


def _and(first: Any, rest: Sequence[Callable[[], Any]], names: Sequence[str]) -> Any:
    if not rest:
        return first
    if is_tracing() and not isinstance(first, ReadAsValue):
        first = valued(first)
    test = condition(first)  # asked once: that may have an effect
    if isinstance(test, Tensor):
        return cond(test, lambda: _and(rest[0](), rest[1:], names), lambda: first, names=names)
    return _and(rest[0](), rest[1:], names) if test else first


def or_(first: Any, *rest: Callable[[], Any], names: Sequence[str] = ('`or`',)) -> Any:
    """`first or rest[0]() or ...`: each operand is evaluated only if those before it are false."""
    for start in range(0, len(rest), _DEEPEST):
        first = _or(first, rest[start : start + _DEEPEST], names)
    return first


def _or(first: Any, rest: Sequence[Callable[[], Any]], names: Sequence[str]) -> Any:
    if not rest:
        return first
    if is_tracing() and not isinstance(first, ReadAsValue):
        first = valued(first)
    test = condition(first)
    if isinstance(test, Tensor):
        return cond(test, lambda: first, lambda: _or(rest[0](), rest[1:], names), names=names)
    return first if test else _or(rest[0](), rest[1:], names)


def not_(value: Any) -> Any:
    """`not value`."""
    value = condition(value)
    if isinstance(value, Tensor) and value.type.maybe:
        return cond(value, lambda: False, lambda: True)
    return emit_one(NOT, [truth(value)]) if isinstance(value, Tensor) else not value


def is_true(value: Any) -> Any:
    """What is as true as the value, for where nothing but that is asked: a bool."""
    if not is_tracing():
        return value
    value = condition(value)
    if not isinstance(value, Tensor):
        return bool(value)
    if value.type.maybe:
        return cond(value, lambda: True, lambda: False)
    if value.dtype.kind == 'b':
        return value
    return dispatch.UNREACHED[bool](value)


def python_test(value: Any, where: str) -> Any:
    """A condition that Python itself asks, in `where`.

    Raises:
      StagingError: it is a tensor, so only the running graph knows it.
    """
    if isinstance(value, Tensor):
        raise StagingError(
            describe(
                f'The condition is a tensor, and it stands in {where}.',
                user_location(),
                'Let the `finally` end where it ends.' if '`finally`' in where
                else 'Write it as `if` and `for` statements.',
            )
        )
    return value
