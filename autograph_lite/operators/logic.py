"""`and`, `or`, `not`: Python's own for Python values, staged where an operand is a tensor."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.tensor import Tensor, valued
from ..graph.tracing import emit_one, is_tracing
from ..ops.control_flow import NOT
from .conditionals import cond
from .staging import condition, truth


def and_(first: Any, *rest: Callable[[], Any]) -> Any:
    """`first and rest[0]() and ...`: each operand is evaluated only if those before it are true."""
    if not rest:
        return first
    if is_tracing():
        first = valued(first)
    if isinstance(condition(first), Tensor):
        return cond(first, lambda: and_(rest[0](), *rest[1:]), lambda: first, names=['`and`'])
    return and_(rest[0](), *rest[1:]) if first else first


def or_(first: Any, *rest: Callable[[], Any]) -> Any:
    """`first or rest[0]() or ...`: each operand is evaluated only if those before it are false."""
    if not rest:
        return first
    if is_tracing():
        first = valued(first)
    if isinstance(condition(first), Tensor):
        return cond(first, lambda: first, lambda: or_(rest[0](), *rest[1:]), names=['`or`'])
    return first if first else or_(rest[0](), *rest[1:])


def not_(value: Any) -> Any:
    """`not value`."""
    value = condition(value)
    if isinstance(value, Tensor) and value.type.maybe:
        return cond(value, lambda: False, lambda: True)
    return emit_one(NOT, [truth(value)]) if isinstance(value, Tensor) else not value


def is_true(value: Any) -> Any:
    """What is as true as the value, for where nothing but that is asked: of a tensor a bool."""
    if not is_tracing():
        return value
    value = condition(value)
    if not isinstance(value, Tensor) or value.dtype.kind == 'b':
        return value
    if value.type.maybe:
        return cond(value, lambda: True, lambda: False)
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
