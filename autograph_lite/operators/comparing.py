"""`a == b` and `a < b`, also of tuples, lists and dicts with tensors in them, item by item."""
from __future__ import annotations

import functools
import operator
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.state import ReadAsValue, looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.types import ObjectType
from ..ops.calls import array_of, is_staged_list
from ..ops.strings import StagedText
from .conditionals import cond
from .deques import Deque
from .identical import identical, is_compared_by_identity
from .is_none import is_none, is_optional
from .iterables import Range
from .logic import and_, not_, or_
from .members import Member, kind_of
from .numbers_made import bool as bool_
from .optional_nests import Perhaps, present
from .optional_objects import closed_object, is_object_or_none, unchanged_by
from .own_operators import between, user_comparison
from .perhaps_missing import asked_of
from .same_objects import check_apart, may_be_nan, one_object
from .unsupported_operands import by_python
from .whole_reads import check_inside

_PYTHON = {
    '==': operator.eq, '!=': operator.ne, '<': operator.lt, '<=': operator.le, '>': operator.gt,
    '>=': operator.ge,
}  # fmt: skip


def _there(x: Any, other: Any) -> Any:
    """What is compared, checked to be there where that does not take its value."""
    return x if isinstance(x, Tensor) and other is not None else asked_of(x)


def compared(a: Any, sign: str, b: Any) -> Any:
    """`a == b`, `a < b` and the like; a symbolic bool where only the running graph knows."""
    if not is_tracing():
        return _PYTHON[sign](a, b)
    if sign in ('==', '!=') and any(isinstance(x, ReadAsValue) for x in (a, b)) and all(
            map(is_compared_by_identity, (a, b))):
        alike = identical(a, b)
        return alike if sign == '==' else not_(alike)
    a, b = looked_at(a), looked_at(b)
    a, b = _there(a, b), _there(b, a)
    check_inside(a, b)
    a, b = _beside(a, b), _beside(b, a)
    if sign in ('==', '!=') and all(isinstance(x, range | Range) for x in (a, b)):
        alike = _same_numbers(a, b)
        return alike if sign == '==' else not_(alike)
    result = between(sign, a, b)
    if result is not NotImplemented:
        return result
    if sign in ('==', '!='):
        for one, other in ((a, b), (b, a)):
            if other is None and (is_optional(one) or _is_one_value(one)) and not _is_array(one):
                return is_none(one) if sign == '==' else not_(is_none(one))
        for one, other in ((a, b), (b, a)):
            if is_optional(one) and (isinstance(one, Perhaps) or _is_one_value(other)):
                return _or_none(one, sign, other, is_left=one is a)
        if _are_of_two_kinds(a, b) or _are_of_two_kinds(b, a):
            return sign == '!='
    else:
        a, b = _ordered_part(a, sign), _ordered_part(b, sign)
        if isinstance(a, _ITEMS) and isinstance(b, _ITEMS):
            return _within(*((a, b) if sign[0] == '<' else (b, a)), is_strict=len(sign) == 1)
    a, b = _listed(a, b), _listed(b, a)
    if not (_is_python(a, b) and (_is_for_graph(a) or _is_for_graph(b))):
        if isinstance(a, np.generic) and isinstance(b, StagedText) and sign in ('==', '!='):
            a, b = b, a  # NumPy would make an array of the text
        return by_python(_PYTHON[sign], a, b)
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
    """Whether it is a number or a text, or may be None, and no array."""
    if isinstance(x, Tensor | Perhaps):
        return not _is_array(x)
    return isinstance(x, int | float | complex | str)


def _are_of_two_kinds(number: Any, other: Any) -> bool:
    """Whether these are a number or a text of Python's and a container, which are never equal."""
    if not isinstance(number, Tensor) or number.type.kind == 'array' or number.type.maybe:
        return False
    is_pythons = number.type.weak or isinstance(number.type, ObjectType)
    is_container = is_staged_list(other) or isinstance(other, _CONTAINERS)
    return is_pythons and is_container and not isinstance(other, Member)


_CONTAINERS = (list, tuple, dict, set, frozenset, nest.Nest, Deque)


def _is_array(x: Any) -> bool:
    return isinstance(x, Tensor) and x.type.kind == 'array' and not is_staged_list(x)


def _or_none(x: Any, sign: str, other: Any, is_left: bool) -> Any:
    """What may be None compared with anything."""
    if isinstance(x, Perhaps) and is_object_or_none(x):
        return _object_or_none(x, sign, other, is_left)
    if other is x:
        return cond(is_none(x), lambda: sign == '==', lambda: _with_itself(present(x), sign))
    return cond(
        is_none(x),
        lambda: is_none(other) if sign == '==' else not_(is_none(other)),
        lambda: compared(present(x), sign, other))


def _object_or_none(x: Perhaps, sign: str, other: Any, is_left: bool) -> Any:
    """The same, of an object, whose class may say what is equal to it."""

    def there() -> Any:
        mine = closed_object(present(x))
        if user_comparison(mine, '__eq__') is None:
            alike = identical(x, other)
            return alike if sign == '==' else not_(alike)
        if not isinstance(other, Perhaps):
            return beside(mine, other)
        if other is x:
            return beside(mine, mine)
        return cond(
            is_none(other), lambda: sign == '!=',
            lambda: beside(mine, closed_object(present(other))))

    def beside(mine: Any, its: Any) -> Any:
        pair = (mine, its) if is_left else (its, mine)
        return unchanged_by(mine, sign, lambda: compared(pair[0], sign, pair[1]))

    return cond(is_none(x), lambda: compared(None, sign, other), there)


def _with_itself(x: Any, sign: str) -> Any:
    return compared(x, sign, x)


def equal(a: Any, b: Any, is_order: bool = False) -> Any:
    """Whether two items of a container are the same to Python.

    Args:
      a: an item.
      b: another.
      is_order: whether that is asked to put them in order, where NaN has no place anyway: two are
        taken for different ones then.
    """
    if a is b:
        return True
    if may_be_nan(a) and may_be_nan(b):
        if one_object(a, b):
            return True
        if not is_order:
            check_apart(a, b)
    return bool_(compared(a, '==', b))


def _same_numbers(a: Any, b: Any) -> Any:
    """Whether two ranges have the same numbers, however their bounds are given."""
    sizes = [x.size() if isinstance(x, Range) else len(x) for x in (a, b)]
    return and_(
        bool_(sizes[0] == sizes[1]),
        lambda: or_(bool_(sizes[0] == 0), lambda: and_(
            bool_(a.start == b.start),
            lambda: or_(bool_(sizes[0] == 1), lambda: bool_(a.step == b.step)))))


def _ordered_part(x: Any, sign: str) -> Any:
    """What is put in order, which must be there."""
    if not isinstance(x, Perhaps):
        return x
    held = x.nest
    kind = (kind_of(held) if isinstance(held, Member) else nest.kind_of(held)).__name__
    message = f"{sign!r} not supported between instances of 'NoneType' and {kind!r}"
    return x.checked(TypeError, message)


def _within(items: Any, others: Any, is_strict: bool) -> Any:
    """Whether the items of a dict are among those of another one."""
    held = dict(others)
    pairs = [(value, held[key]) for key, value in items if key in held]
    if len(pairs) < len(items) or (is_strict and len(items) == len(held)):
        return False
    asked = (functools.partial(equal, valued(x), valued(y)) for x, y in pairs)
    return and_(True, *asked)


def _listed(x: Any, other: Any) -> Any:
    """What is in a deque or in the items of a dict, where it is compared with another."""
    if isinstance(x, Deque) and isinstance(other, Deque):
        return x.listed
    return dict(x) if isinstance(x, _ITEMS) and isinstance(other, _ITEMS) else x


_ITEMS: type[Any] = type({}.items())
_EQUALITIES: tuple[Any, ...] = (dict.__eq__, OrderedDict.__eq__)


def _is_python(a: Any, b: Any) -> bool:
    """Whether Python itself compares the two item by item."""
    return any(
        isinstance(a, kind) and isinstance(b, kind)
        and type(a).__eq__ is kind.__eq__ is type(b).__eq__
        for kind in (tuple, list)
    ) or all(type(x).__eq__ in _EQUALITIES for x in (a, b))


def _is_for_graph(value: Any) -> bool:
    """Whether only the running graph, or the user's class, compares something in it."""
    if isinstance(value, tuple | list):
        return any(map(_is_for_graph, value))
    if isinstance(value, dict):
        return any(map(_is_for_graph, value.values()))
    value = valued(value)
    return isinstance(value, Tensor | nest.Nest) or user_comparison(value, '__eq__') is not None


def _equal(a: Any, b: Any) -> Any:
    if len(a) != len(b):
        return False
    asked: list[Callable[[], Any]] = []
    is_own = False
    for x, y in _pairs(a, b):
        one, other = valued(x), valued(y)
        if _is_own(one) or _is_own(other):  # asked in its turn: that may have an effect
            is_own = True
            asked.append(partial(equal, one, other))
            continue
        pair = equal(one, other)
        if pair is False and not is_own:
            return False
        if pair is not True:
            asked.append(_constant(pair))
    return and_(asked[0](), *asked[1:]) if asked else True


def _is_own(value: Any) -> bool:
    """Whether the user's class compares it, or something in it."""
    if isinstance(value, tuple | list):
        return any(map(_is_own, value))
    return user_comparison(value, '__eq__') is not None


def _pairs(a: Any, b: Any) -> Iterable[tuple[Any, Any]]:
    """What is compared, one pair after the other; of dicts, the values of each key."""
    if not isinstance(a, dict):
        return zip(a, b, strict=True)
    is_ordered = isinstance(a, OrderedDict) and isinstance(b, OrderedDict)
    keys = list(a) == list(b) if is_ordered else a.keys() == b.keys()
    return [(a[key], b[key]) for key in a] if keys else [(0, 1)]


def _constant(value: Any) -> Any:
    return lambda: value


def _ordered(a: Any, sign: str, b: Any) -> Any:
    """The first two items that differ decide; where none do, the lengths."""
    if not (a and b):
        return _PYTHON[sign](len(a), len(b))
    first, second = valued(a[0]), valued(b[0])
    same = equal(first, second, is_order=True)
    if not isinstance(same, Tensor):
        return _ordered(a[1:], sign, b[1:]) if same else compared(first, sign, second)
    return cond(
        same, lambda: _ordered(a[1:], sign, b[1:]), lambda: compared(first, sign, second))
