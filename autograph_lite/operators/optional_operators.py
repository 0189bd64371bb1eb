"""Python's operators and its questions, where what they ask may be `None` when the graph runs."""
from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from .class_tests import type_of
from .known import is_there
from .optional_nests import Perhaps
from .optional_objects import unsupported


def _operator(sign: str, function: Callable[[Any, Any], Any], swapped: bool = False) -> Any:
    """An operator of a tuple, a list or a dict that may be None, which Python's None has not."""

    def method(self: Perhaps, other: Any) -> Any:
        if type(self.nest) not in (tuple, list, dict):
            there = self.known_there(f'`{sign}`')
            return function(other, there) if swapped else function(there, other)
        if isinstance(other, Perhaps) and other is not self and not is_there(other):
            raise unsupported(f'`{sign}` with another that may be None')
        mine, others = 'NoneType', 'NoneType' if other is self else type_of(other).__name__
        first, second = (others, mine) if swapped else (mine, others)
        there = self.checked(
            TypeError, f'unsupported operand type(s) for {sign}: {first!r} and {second!r}')
        other = other.sure() if isinstance(other, Perhaps) else other
        return function(other, there) if swapped else function(there, other)

    return method


for _name, _sign, _function in (
    ('add', '+', operator.add), ('mul', '*', operator.mul), ('or', '|', operator.or_)
):
    setattr(Perhaps, f'__{_name}__', _operator(_sign, _function))
    setattr(Perhaps, f'__r{_name}__', _operator(_sign, _function, swapped=True))


def _of_known(name: str, function: Callable[..., Any]) -> Any:
    """What Python asks only of what is there."""
    return lambda self, *others: function(self.known_there(f'`{name}`'), *others)


for _name, _function in (
    ('sub', operator.sub), ('truediv', operator.truediv), ('floordiv', operator.floordiv),
    ('mod', operator.mod), ('pow', pow), ('matmul', operator.matmul), ('and', operator.and_),
    ('xor', operator.xor), ('lshift', operator.lshift), ('rshift', operator.rshift),
    ('divmod', divmod),
):
    setattr(Perhaps, f'__{_name}__', _of_known(_name, _function))
    setattr(Perhaps, f'__r{_name}__', _of_known(_name, lambda a, b, f=_function: f(b, a)))
_QUESTIONS: dict[str, Callable[..., Any]] = {
    'neg': operator.neg, 'pos': operator.pos, 'abs': abs, 'invert': operator.invert,
    'round': round, 'floor': math.floor, 'ceil': math.ceil, 'trunc': math.trunc,
    'int': int, 'float': float, 'complex': complex, 'index': operator.index,
}  # fmt: skip
for _name, _question in _QUESTIONS.items():
    setattr(Perhaps, f'__{_name}__', _of_known(_name, _question))
