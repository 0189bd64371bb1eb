"""Operators and calls that Python refuses: messages name the classes that operands have there."""
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import AutographError
from ..graph.tensor import Tensor
from .members import Member, kind_of


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
