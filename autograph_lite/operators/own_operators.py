"""Operators of which an operand is of a class of the user's: whom Python asks, in which order."""
from __future__ import annotations

import dataclasses
import functools
import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, kind_of, user_location
from ..graph import dispatch
from ..graph.tensor import Tensor
from ..graph.types import ObjectType, scalar_type
from ..ops.calls import carrier
from ..pyct.asking import get_attribute
from .compared_by import ComparedBy
from .exact_numbers import check_known
from .identical import identical, is_told_by_identity
from .known import is_there
from .logic import and_, not_, or_
from .optional_nests import Perhaps
from .optional_objects import (
    class_of,
    is_object_or_none,
    object_there,
    unchanged_by,
    unsupported,
)
from .own_methods import is_pythons, own_method

BINARY = {
    '+': 'add', '-': 'sub', '*': 'mul', '/': 'truediv', '//': 'floordiv', '%': 'mod',
    '**': 'pow', '@': 'matmul', '&': 'and', '|': 'or', '^': 'xor', '<<': 'lshift', '>>': 'rshift',
}  # fmt: skip
COMPARISONS = {'==': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge'}
_SIGNS = {f'__{name}__': sign for sign, name in COMPARISONS.items() if name != 'ne'}
_SWAPPED = {'eq': 'eq', 'ne': 'ne', 'lt': 'gt', 'le': 'ge', 'gt': 'lt', 'ge': 'le'}

_LOWEST_PRIORITY = np.float64(0).__array_priority__
_SEQUENCES = (list, tuple, str, bytes)


def changed(symbol: str, left: Any, right: Any) -> Any:
    """What an augmented assignment such as `+=` gives; NotImplemented for what `+` gives.

    Raises:
      TypeError: NumPy does not let the right operand do it.
      StagingError: the left one is an object that may be None, which would change.
    """
    name = BINARY[symbol[:-1]]
    if _is_optional_object(left) and get_attribute(class_of(left.nest), f'__i{name}__') is not None:
        raise unsupported(f'`{symbol}` as its class defines it')
    if type(left) is list and get_attribute(type(right), f'__r{name}__') is not None:
        return NotImplemented  # a list is asked last
    result = _asked(left, f'__i{name}__', right)
    if result is NotImplemented and isinstance(left, Tensor) and left.type.kind == 'array':
        raise TypeError(f"operand '{_kind(right)}' does not support ufuncs")
    return result


def between(symbol: str, left: Any, right: Any) -> Any:
    """What the operator gives; NotImplemented if that is for Python to say.

    Raises:
      TypeError: neither operand knows what to do.
      StagingError: NumPy would do it element by element.
    """
    if is_pythons(left) and is_pythons(right):
        return NotImplemented
    if _is_optional_object(left) or _is_optional_object(right):
        return _between_optional(symbol, left, right)
    name = BINARY.get(symbol) or COMPARISONS[symbol]
    method, swapped = f'__{name}__', f'__{_SWAPPED.get(name) or "r" + name}__'
    if _method(left, method) is None and _method(right, swapped) is None:
        check_known(symbol, left, right)
        if _is_asked_first(left, right):
            operate = getattr(operator, method)
            return operate(float.__pos__(left), dispatch.UNREACHED[float](right))
        return NotImplemented
    for owner, asked, other in _attempts(symbol, left, right, method, swapped):
        result = _asked(owner, asked, other)
        if result is not NotImplemented:
            return result
    if symbol in ('==', '!='):
        return (left is right) is (symbol == '==')
    kinds = f"'{_kind(left)}' and '{_kind(right)}'"
    if symbol in COMPARISONS:
        raise TypeError(f"'{symbol}' not supported between instances of {kinds}")
    raise TypeError(f'unsupported operand type(s) for {symbol}: {kinds}')


def _is_asked_first(left: Any, right: Any) -> bool:
    """Whether the left operand is of a class made of `float`, to which a np.float64 is a float."""
    if not isinstance(left, float) or isinstance(left, np.generic) or type(left) is float:
        return False
    return isinstance(right, Tensor) and right.type == scalar_type(np.float64)


def _is_optional_object(x: Any) -> bool:
    return isinstance(x, Perhaps) and is_object_or_none(x)


def _between_optional(symbol: str, left: Any, right: Any) -> Any:
    """The same, of objects that may be None, which change nothing of theirs."""
    from .class_tests import type_of

    if symbol in ('==', '!='):
        return NotImplemented
    operands = [left, right]
    optional = [x for x in operands if isinstance(x, Perhaps) and not is_there(x)]
    if optional and not all(is_pythons(x) or isinstance(x, Perhaps) for x in operands):
        raise unsupported(f'`{symbol}` with an object of a class of yours')

    def kind_of_operand(x: Any) -> str:
        if any(x is each for each in optional):
            return 'NoneType'
        return (class_of(x.nest) if isinstance(x, Perhaps) else type_of(x)).__name__

    kinds = ' and '.join(repr(kind_of_operand(x)) for x in operands)
    what = (
        f"'{symbol}' not supported between instances of" if symbol in COMPARISONS
        else f'unsupported operand type(s) for {symbol}:')
    there = [
        object_there(x, f'{what} {kinds}') if isinstance(x, Perhaps) else x for x in operands]
    run = functools.partial(between, symbol, *there)
    for x in there:
        if not is_pythons(x):
            run = functools.partial(unchanged_by, x, symbol, run)
    result = run()
    if result is NotImplemented:
        raise unsupported(f'`{symbol}`')
    return result


def _attempts(
    symbol: str, left: Any, right: Any, method: str, swapped: str
) -> list[tuple[Any, str, Any]]:
    """Whom Python asks, for which method, with what."""
    first = left, method, right
    kind, other = _class_of(left), type(right)
    if kind is other and symbol in BINARY:
        return [first]
    second = right, swapped, handed(symbol, left, right)
    if isinstance(left, Tensor) and _is_left_to(kind, other):
        return [second]
    if issubclass(kind, _SEQUENCES) and symbol in '+*' and _method(left, method) is None:
        return [second, first]  # Python itself comes last
    if kind is not other and issubclass(other, kind):
        overridden = get_attribute(kind, swapped) is not get_attribute(other, swapped)
        if symbol in COMPARISONS or overridden:
            return [second, first]
    return [first, second]


def _is_left_to(kind: type[Any], other: type[Any]) -> bool:
    """Whether a number of Python's leaves an operation to one of another class, as `int` does."""
    bases = [next((each for each in _NUMBERS if issubclass(x, each)), None) for x in (kind, other)]
    is_wider = None not in bases and _NUMBERS.index(bases[0]) < _NUMBERS.index(bases[1])
    return kind in (bool, *_NUMBERS) and is_wider


_NUMBERS: tuple[Any, ...] = (int, float, complex)


def _class_of(x: Any) -> type[Any]:
    """The class of an operand, also of a value that only the running graph knows."""
    return carrier(x.type.present) if isinstance(x, Tensor) else type(x)


def _asked(owner: Any, name: str, other: Any) -> Any:
    """What the method of an object's class gives; NotImplemented if there is none."""
    own = _method(owner, name)
    if own is None:
        found = get_attribute(type(owner), name)
        return NotImplemented if found is None else found(owner, other)
    return own(other)


def _method(x: Any, name: str) -> Callable[..., Any] | None:
    """The user's own method; what Python makes of `==` where there is none for `!=`."""
    if isinstance(x, ComparedBy):
        sign = next((sign for sign, own in COMPARISONS.items() if f'__{own}__' == name), None)
        return None if sign is None else functools.partial(x.compared, sign)
    own = (
        _of_dataclass(x, name) or _of_total_ordering(x, name) or own_method(x, name)
        or _by_identity(x, name))
    if own is not None or name != '__ne__' or get_attribute(type(x), name) is not object.__ne__:
        return own
    equal = _method(x, '__eq__')
    if equal is None:
        return None

    def different(other: Any) -> Any:
        result = equal(other)
        return result if result is NotImplemented else not_(result)

    return different


def _by_identity(x: Any, name: str) -> Callable[..., Any] | None:
    """What Python makes of `==` where the class defines none, for what may have another name."""
    if name != '__eq__' or not is_told_by_identity(x):
        return None

    def equal(other: Any) -> Any:
        result = identical(x, other)
        return NotImplemented if result is False else result

    return equal


def user_comparison(x: Any, name: str) -> Callable[..., Any] | None:
    """A comparison that the user's class defines; None for what is no object of one."""
    return None if is_pythons(x) else _method(x, name)


# What `functools.total_ordering` makes of one comparison: whether that is to be false, and how
# equal objects come in.
_DERIVED = {
    '_gt_from_lt': (True, 'and'), '_le_from_lt': (False, 'or'), '_ge_from_lt': (True, ''),
    '_ge_from_le': (True, 'or'), '_lt_from_le': (False, 'and'), '_gt_from_le': (True, ''),
    '_lt_from_gt': (True, 'and'), '_ge_from_gt': (False, 'or'), '_le_from_gt': (True, ''),
    '_le_from_ge': (True, 'or'), '_gt_from_ge': (False, 'and'), '_lt_from_ge': (True, ''),
}  # fmt: skip


def _of_total_ordering(x: Any, name: str) -> Callable[..., Any] | None:
    """What `functools.total_ordering` has made of another comparison of the user's."""
    found = get_attribute(type(x), name)
    made = get_attribute(get_attribute(found, '__code__'), 'co_name')
    if made not in _DERIVED or not is_of_library(found):
        return None
    is_false, equals = _DERIVED[made]
    root = _method(x, f'__{made[-2:]}__')
    if root is None:
        return None

    def derived(other: Any) -> Any:
        from .comparing import compared

        first = root(other)
        if first is NotImplemented:
            return first
        first = not_(first) if is_false else first
        if equals == 'and':
            return and_(first, lambda: compared(x, '!=', other))
        return or_(first, lambda: compared(x, '==', other)) if equals else first

    return derived


def _of_dataclass(x: Any, name: str) -> Callable[..., Any] | None:
    """What a dataclass does to compare its objects: nobody wrote it, so that it has no source."""
    sign = _SIGNS.get(name, '')
    made = get_attribute(type(x), name) if sign and dataclasses.is_dataclass(x) else None
    if get_attribute(get_attribute(made, '__code__'), 'co_filename') != '<string>':
        return None
    names = [field.name for field in dataclasses.fields(x) if field.compare]

    def compare(other: Any) -> Any:
        from .comparing import compared

        if type(other) is not type(x):
            return NotImplemented
        pairs = [(getattr(x, name), getattr(other, name)) for name in names]
        if sign == '==' and sys.version_info >= (3, 13):
            return and_(*_each_equal(pairs)) if pairs else True
        return compared(tuple(a for a, _ in pairs), sign, tuple(b for _, b in pairs))

    return compare


def _each_equal(pairs: Sequence[tuple[Any, Any]]) -> Iterator[Any]:
    """The first comparison, and functions that make the others."""
    from .comparing import compared

    first, *rest = (functools.partial(compared, a, '==', b) for a, b in pairs)
    return iter((first(), *rest))


def _defers(array: Tensor, other: Any) -> bool:
    """Whether an operation is left to the other operand, as by Python's numbers and texts."""
    if array.type.weak or isinstance(array.type.present, ObjectType):
        return True
    missing = object()
    ufunc = get_attribute(type(other), '__array_ufunc__', missing)
    if ufunc is not missing:
        return ufunc is None
    own = 0.0 if array.type.kind == 'array' else _LOWEST_PRIORITY
    return bool(get_attribute(other, '__array_priority__', _LOWEST_PRIORITY) > own)


def handed(symbol: str, left: Any, right: Any) -> Any:
    """The left operand as the right one's class gets it: NumPy makes its scalars Python's numbers.

    Raises:
      StagingError: NumPy would do it element by element.
    """
    if not isinstance(left, Tensor) or _defers(left, right):
        return left
    is_scalar, is_array = left.type.kind == 'scalar', _is_taken_for_array(right)
    if is_scalar and symbol not in COMPARISONS and not is_array:
        return left.item()
    kind = _kind(right)
    what = (
        f'NumPy makes an array of {kind_of(right)} to the right of its number, and never calls '
        f'`{symbol}` of the {kind}.' if is_scalar and is_array else
        f'NumPy takes {kind_of(right)} to the right of an array for an element of it, and '
        f'calls the operator `{symbol}` of the {kind} once for each element of the array.')
    fix = f'Write `__array_ufunc__ = None` in the class {kind}, which then gets the '
    raise StagingError(
        describe(what, user_location(), f'{fix}{"number" if is_scalar else "array"}.'))


def _is_taken_for_array(x: Any) -> bool:
    """Whether NumPy makes an array of an object of the user's."""
    has = functools.partial(get_attribute, type(x))
    return has('__array__') is not None or (
        has('__len__') is not None and has('__getitem__') is not None)


def _kind(x: Any) -> str:
    return type(x).__name__
