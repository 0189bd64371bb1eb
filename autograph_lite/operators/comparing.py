"""`a == b` and `a < b`, also of tuples and lists with tensors in them, item by item."""
from __future__ import annotations

import operator
from typing import Any

from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing, unwrap
from ..ops.calls import array_of, is_staged_list
from .builtins import bool as bool_
from .conditionals import cond
from .is_none import is_none
from .iterables import Range
from .logic import and_, not_
from .own_operators import between

_PYTHON = {
    '==': operator.eq, '!=': operator.ne, '<': operator.lt, '<=': operator.le, '>': operator.gt,
    '>=': operator.ge,
}  # fmt: skip


def compared(a: Any, sign: str, b: Any) -> Any:
    """`a == b`, `a < b` and the like; a symbolic bool where only the running graph knows."""
    if not is_tracing():
        return _PYTHON[sign](a, b)
    a, b = valued(a), valued(b)
    a, b = _beside(a, b), _beside(b, a)
    result = between(sign, a, b)
    if result is not NotImplemented:
        return result
    if sign in ('==', '!='):
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Tensor) and one.type.maybe and _is_one_value(other):
                return _or_none(one, sign, other)
    if not (_is_python(a, b) and (_holds_tensors(a) or _holds_tensors(b))):
        return _PYTHON[sign](a, b)
    if sign == '==':
        return _equal(a, b)
    if sign == '!=':
        return not_(_equal(a, b))
    return _ordered(a, sign, b)


def _beside(x: Any, other: Any) -> Any:
    """What a range is beside an array, which is the array of its numbers."""
    is_array = isinstance(other, Tensor) and not is_staged_list(other)
    return array_of(x) if isinstance(x, Range) and is_array else x


def _is_one_value(x: Any) -> bool:
    """Whether it is a number or a text, which None is not."""
    return isinstance(x, int | float | complex | str) or (
        isinstance(x, Tensor) and x.type.kind != 'array' and not x.type.maybe)


def _or_none(x: Tensor, sign: str, other: Any) -> Any:
    """What may be None compared with what is not."""
    return cond(
        is_none(x), lambda: sign == '!=', lambda: compared(unwrap(x, sure=True), sign, other))


def equal(a: Any, b: Any) -> Any:
    """Whether two items of a container are the same to Python."""
    return True if a is b else bool_(compared(a, '==', b))


def _is_python(a: Any, b: Any) -> bool:
    """Whether Python itself compares the two item by item."""
    return any(
        isinstance(a, kind) and isinstance(b, kind)
        and type(a).__eq__ is kind.__eq__ is type(b).__eq__
        for kind in (tuple, list)
    )


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_holds_tensors, value))
    return isinstance(valued(value), Tensor)


def _equal(a: Any, b: Any) -> Any:
    if len(a) != len(b):
        return False
    pairs = [equal(valued(x), valued(y)) for x, y in zip(a, b, strict=True)]
    if any(pair is False for pair in pairs):
        return False
    unknown = [pair for pair in pairs if pair is not True]
    return and_(*unknown[:1], *(_constant(pair) for pair in unknown[1:])) if unknown else True


def _constant(value: Any) -> Any:
    return lambda: value


def _ordered(a: Any, sign: str, b: Any) -> Any:
    """The first two items that differ decide; where none do, the lengths."""
    if not (a and b):
        return _PYTHON[sign](len(a), len(b))
    first, second = valued(a[0]), valued(b[0])
    same = equal(first, second)
    if not isinstance(same, Tensor):
        return _ordered(a[1:], sign, b[1:]) if same else compared(first, sign, second)
    return cond(
        same, lambda: _ordered(a[1:], sign, b[1:]), lambda: compared(first, sign, second))
