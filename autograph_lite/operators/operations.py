"""`operation`: Python's operators, with what the user's classes do for them converted."""
from __future__ import annotations

import functools
import operator
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import ReadAsValue
from ..graph.tracing import is_tracing
from ..ops.flat import Flat
from ..ops.made import own
from .chosen_parts import Augmented
from .class_tests import type_of
from .comparing import compared
from .folding import Folding
from .identical import identical
from .joined_numbers import check_of_one_type
from .listing import listed
from .lists import StagedList
from .logic import not_
from .moved import leave
from .nest_lists import NestList
from .optional_nests import Perhaps, can_be_filled
from .outer_calls import AUGMENTED, augmented, read_outside
from .outside import is_outside, note_change
from .own_iterators import through
from .own_methods import is_pythons, own_method
from .own_operators import BINARY, COMPARISONS, between, changed
from .staged_iterable import Staged
from .text import percent
from .tuples import StagedTuple
from .unbound import Unbound
from .unsupported_operands import by_python, can_be_none, not_none
from .whole_reads import check_whole

_UNARY = {'-': 'neg', '+': 'pos', '~': 'invert', 'abs': 'abs'}
_PYTHONS: dict[tuple[str, int], Callable[..., Any]] = {
    **{(symbol, 2): getattr(operator, f'__{name}__') for symbol, name in BINARY.items()},
    **{(f'{symbol}=', 2): getattr(operator, f'__i{name}__') for symbol, name in BINARY.items()},
    **{(symbol, 1): getattr(operator, f'__{name}__') for symbol, name in _UNARY.items()},
}


def operation(symbol: str, *operands: Any) -> Any:
    """What an operator gives: `'+'`, `'+='`, `'<'`, `'is'` of two operands, `'-'` of one."""
    operands = tuple(map(actual, operands))
    if symbol in AUGMENTED and is_tracing() and is_outside(operands[0]):
        changed_outside = augmented(symbol, *operands)
        if changed_outside is not None:
            return changed_outside
        operands = read_outside(operands[0]), operands[1]
    if isinstance(operands[0], Augmented):
        return operands[0].by(symbol, operands[1])
    is_augmented = symbol.endswith('=') and symbol not in COMPARISONS
    if is_augmented and isinstance(operands[0], ReadAsValue):
        return operands[0].by(symbol, operands[1])
    if symbol not in ('is', '==', '!='):  # these may be for the objects themselves
        operands = tuple(x.looked_at if isinstance(x, ReadAsValue) else x for x in operands)
    if symbol in ('+=', '*=') and isinstance(operands[0], Unbound):
        operands = _list_there(operands[0]), operands[1]
    if symbol in ('+=', '*=', '|=') and isinstance(operands[0], Perhaps):
        operands = _to_change(operands[0], symbol, operands[1]), operands[1]
    if symbol == '+=' and isinstance(operands[0], list | StagedList | NestList):
        operands = operands[0], _all_of(operands[1])
    if is_augmented and isinstance(operands[0], list | dict | set):
        note_change(operands[0])
    if symbol == '|=' and type(operands[0]) in (dict, OrderedDict) and is_tracing():
        from .filling import update  # it needs what is here

        check_whole(*operands)
        update(*operands)
        return actual(operands[0])
    try:
        result = _result(symbol, *operands)
    except TypeError:
        if is_augmented:
            check_of_one_type(symbol, *operands)
        raise
    first = operands[0]
    if is_augmented and type(first) is list and result is not first:
        leave(first, result)  # Python changes the list, and every name for it sees that
    if type(result) is np.ndarray and result is not first and is_tracing():
        return own(result, 'array')  # NumPy has made it of numbers alone
    return result


def _list_there(x: Unbound) -> Any:
    """The list that is there unless the value is missing, which changes in its place."""
    return x.value if isinstance(x.there, StagedList) else x


def _to_change(x: Perhaps, symbol: str, other: Any) -> Any:
    """The list or dict that is there unless it is None, itself."""
    if not can_be_filled(x.nest):
        return x
    kind = type_of(other).__name__
    message = f"unsupported operand type(s) for {symbol}: 'NoneType' and {kind!r}"
    return x.to_change(TypeError, message)


def _all_of(more: Any) -> Any:
    """What a list is extended by: of what only a loop goes over, the list."""
    more = through(more)
    return listed(more) if isinstance(more, Folding | Staged | StagedTuple | Flat) else more


def _result(symbol: str, *operands: Any) -> Any:
    if is_tracing() and symbol not in ('is', '==', '!=') and any(map(can_be_none, operands)):
        python = _PYTHONS.get((symbol, len(operands))) or getattr(operator, COMPARISONS[symbol])
        operands = (*not_none(symbol, python, operands),)
    if symbol in COMPARISONS:
        left, right = operands
        return compared(left, symbol, right)
    if symbol == 'is':
        return identical(*operands)
    if symbol == '%' and isinstance(operands[0], str):
        return percent(*operands)
    check_whole(*operands)
    python = _PYTHONS[symbol, len(operands)]
    if all(map(is_pythons, operands)):
        return by_python(python, *operands)
    if len(operands) == 1:
        own = own_method(operands[0], f'__{_UNARY[symbol]}__')
        return python(*operands) if own is None else own()
    result = NotImplemented
    if symbol not in BINARY:
        result = changed(symbol, *operands)
        symbol = symbol[:-1]
    if result is NotImplemented:
        result = between(symbol, *operands)
    return by_python(_PYTHONS[symbol, 2], *operands) if result is NotImplemented else result


def _named(name: str) -> Callable[..., Any]:
    """The function of the module `operator` for a method."""
    return getattr(operator, f'__{name}__')  # type: ignore[no-any-return]


for _symbol, _name in (BINARY | COMPARISONS).items():
    replaces(_named(_name))(functools.partial(operation, _symbol))
replaces(operator.is_)(functools.partial(operation, 'is'))
replaces(operator.is_not)(lambda a, b: not_(operation('is', a, b)))
for _symbol, _name in BINARY.items():
    replaces(_named(f'i{_name}'))(functools.partial(operation, f'{_symbol}='))
for _symbol, _name in _UNARY.items():
    replaces(_named(_name))(functools.partial(operation, _symbol))
