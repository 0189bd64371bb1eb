"""Operators and calls that Python refuses: messages name the classes that operands have there."""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np

from ..errors import AutographError
from ..graph.tensor import Tensor
from ..graph.tracing import unwrap
from ..graph.types import python_text
from ..ops.calls import carrier
from .known import is_there
from .members import Member, kind_of
from .optional_nests import Perhaps


def by_python(operator: Callable[..., Any], *operands: Any) -> Any:
    """What an operator of Python's gives.

    Raises:
      TypeError: it does not support the operands, which are told as plain Python tells them.
    """
    try:
        return operator(*operands)
    except TypeError as error:
        if isinstance(error, AutographError) or not _STAND_INS.search(str(error)):
            raise
        names = (f'{_name(x)!r}' for x in operands if type(x) in (Tensor, Member))
        said = _STAND_INS.sub(lambda found: next(names, found[0]), str(error))
        raise TypeError(said).with_traceback(error.__traceback__) from None


def not_none(symbol: str, python: Callable[..., Any], operands: Sequence[Any]) -> Sequence[Any]:
    """The operands; one that may be None as what raises Python's error if it is.

    Args:
      symbol: of the operator.
      python: what it is in Python.
      operands: what it is given.
    """
    operands = [x.sure() if is_optional_member(x) and is_there(x) else x for x in operands]
    unsure = [x for x in operands if can_be_none(x) and not is_there(x)]
    others = [x for x in operands if not any(x is one for one in unsure)]
    is_changed = symbol.endswith('=') and any(
        isinstance(x, Tensor) and x.type.kind == 'array' for x in unsure)
    if len(unsure) != 1 or is_changed or not all(map(_is_one_value, (*unsure, *others))):
        return operands
    try:
        python(*(None if x is unsure[0] else _stand_in(x) for x in operands))
    except (TypeError, ValueError) as error:  # the latter of `@`
        kind, says = type(error), str(error)
        return tuple(_checked(x, kind, says) if x is unsure[0] else x for x in operands)
    return operands


def can_be_none(x: Any) -> bool:
    """Whether it is a number, a text or a member of an `Enum`, or `None` when the graph runs."""
    return is_optional_member(x) or (isinstance(x, Tensor) and x.type.maybe)


def is_optional_member(x: Any) -> bool:
    """Whether it is a member of an `Enum`, or `None` when the graph runs."""
    return isinstance(x, Perhaps) and isinstance(x.nest, Member)


def _checked(x: Any, error: type[Exception], message: str) -> Any:
    if isinstance(x, Perhaps):
        return x.checked(error, message)
    if error is TypeError:
        return unwrap(x, says=message)
    from .needed import check_there  # it branches, which reaches all operators

    check_there(x, error, message)
    return unwrap(x, sure=True)


def _is_one_value(x: Any) -> bool:
    if isinstance(x, Member | Enum) or is_optional_member(x):
        return True
    if not isinstance(x, Tensor):
        return type(x) in (bool, int, float, complex, str, bytes) or isinstance(x, np.number)
    return python_text(x.type.present) is not None or x.type.dtype.kind in 'biufc'


def _stand_in(x: Any) -> Any:
    if isinstance(x, Member):
        return next(iter(kind_of(x)))
    return carrier(x.type.present)(0) if isinstance(x, Tensor) else x


def check_callable(f: Any) -> None:
    """Refuses to call what cannot be called.

    Raises:
      TypeError: it cannot, as plain Python tells it.
    """
    if callable(f):
        return
    from .class_tests import type_of  # only such programs need it

    kind = type_of(f)
    if kind is not type(f):
        raise TypeError(f'{kind.__name__!r} object is not callable')
    f()


_STAND_INS = re.compile("'(Tensor|Member)'")


def _name(x: Tensor | Member) -> str:
    """The class of a number, or of an element of an array, beside one of another class."""
    if isinstance(x, Member):
        return str(kind_of(x).__name__)
    return type(np.zeros((), x.type.present.dtype).item()).__name__
