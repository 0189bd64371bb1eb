"""`and`, `or`, `not`: Python's own for Python values, staged where an operand is a tensor."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def and_(first: Any, *rest: Callable[[], Any]) -> Any:
    """`first and rest[0]() and ...`: each operand is evaluated only if those before it are true."""
    value = first
    for operand in rest:
        if not value:
            return value
        value = operand()
    return value


def or_(first: Any, *rest: Callable[[], Any]) -> Any:
    """`first or rest[0]() or ...`: each operand is evaluated only if those before it are false."""
    value = first
    for operand in rest:
        if value:
            return value
        value = operand()
    return value


def not_(value: Any) -> Any:
    """`not value`."""
    return not value
