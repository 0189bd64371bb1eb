"""Numbers where ways meet that give numbers of several types: as one of the type of the join."""
from __future__ import annotations

import cmath
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.graph import Value
from ..graph.tensor import Tensor
from ..graph.types import TensorType
from .handles import handle

# Integers of which not all are floats, and up to where all are.
_LONG = (np.dtype(np.int64), np.dtype(np.uint64))
_EXACT = 2**53


def check_exact(value: Value, type_: TensorType) -> None:
    """Checks that no integer is rounded where it takes the type of a Python float."""
    if value.type.dtype not in _LONG or type_.dtype.kind not in 'fc' or value.type.maybe:
        return
    from .checking import check  # it imports what is here

    number = handle(value)
    is_large = number > _EXACT
    if value.type.dtype.kind == 'i':
        is_large = is_large | (number < -_EXACT)
    check(is_large, f'An integer beyond 2**53 and a Python float meet here, as {type_.dtype}, '
        'which has no such integer. Let the variable begin as None, and ask `x is None or ...`.',
        StagingError)


def converted(number: Any, type_: TensorType) -> Any:
    """A Python number as a value of the joined type.

    Raises:
      StagingError: the type has no such number.
    """
    if type_.weak:
        return type_.python_type(number)
    if type_.dtype.kind == 'm':  # whose class alone does not tell the unit
        return np.asarray(number).astype(type_.dtype)[()]
    if type_.dtype.kind not in 'biufc':  # a text or a date, which stays as it is
        return number
    with np.errstate(all='ignore'):
        try:
            made = type_.dtype.type(number)
        except OverflowError:
            made = None
    is_finite = isinstance(number, int) or cmath.isfinite(number)  # an int may be of any size
    if made is None or (is_finite and not np.isfinite(made)):
        raise StagingError(
            describe(
                f'{number!r} meets values of {type_.dtype} here, which have no such number.',
                user_location(),
                f'Make the others larger, for example by `.astype({_larger(number)})`.',
            )
        )
    return made


def check_of_one_type(symbol: str, x: Any, number: Any) -> None:
    """What an array does not take is no Python number that has another type on some ways.

    Args:
      symbol: the operator, such as `'+='`.
      x: the array.
      number: what it does not take.

    Raises:
      StagingError: it is one.
    """
    type_ = number.type if isinstance(number, Tensor) else None
    if type_ is None or not type_.weak or type_.met is None:
        return
    one, other = type_.python_type.__name__, replace(type_, dtype=type_.met).python_type.__name__
    raise StagingError(
        describe(
            f'An array of {x.dtype} takes in no {one} by `{symbol}`, and the number is one on some '
            f'ways that lead here and a Python {other} on others: a graph has it as a {one}.',
            user_location(),
            f'Write the `{symbol}` into the branches that give the number.',
        )
    )


def _larger(number: complex) -> str:
    return type(number).__name__
