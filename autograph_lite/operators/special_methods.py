"""Special methods that are called by their names: `x.__add__(y)`, `5.0.__lt__(x)`, `c.__len__()`.

What stands for a value while tracing, or is given to a number of Python's, has the operator or the
builtin do what its method does.
"""
from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

from ..graph import nest
from ..graph.dispatch import UNREACHED
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.calls import carrier
from ..pyct.asking import get_attribute
from .growing_views import GrowingView
from .operations import operation
from .own_operators import BINARY, COMPARISONS
from .progress import Collection

_UNARY = {'__neg__': '-', '__pos__': '+', '__invert__': '~', '__abs__': 'abs'}
_ASKING: dict[str, Callable[..., Any]] = {
    f'__{function.__name__}__': function
    for function in (
        builtins.bool, builtins.complex, builtins.float, builtins.format, builtins.int,
        builtins.iter, builtins.len, builtins.repr, builtins.reversed, builtins.str,
        operator.contains)}
_STAND_INS = (Tensor, nest.Nest, Collection, GrowingView)
_NUMBERS = (bool, int, float, complex)


def special_method(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of a special method that is called by its name; None for any other.

    Args:
      f: what is called.
      args: what it is given.
    """
    name, owner = get_attribute(f, '__name__'), get_attribute(f, '__self__')
    if not isinstance(name, str) or not name.startswith('__'):
        return None
    if isinstance(owner, _STAND_INS):
        return _of_stand_in(name, owner)
    if type(owner) in _NUMBERS and len(args) == 1 and isinstance(valued(args[0]), Tensor):
        return _of_number(name, owner, valued(args[0]))
    return None


def _of_stand_in(name: str, owner: Any) -> Callable[..., Any] | None:
    if name in _ASKING:
        from .calls import call

        return functools.partial(call, _ASKING[name], owner)
    if name in _UNARY:
        return functools.partial(operation, _UNARY[name], owner)
    symbol = _SYMBOLS.get(name)
    if symbol is None or isinstance(owner, Tensor):  # whose methods are these
        return None
    return functools.partial(operation, symbol, owner)


def _of_number(name: str, owner: complex, other: Tensor) -> Callable[..., Any] | None:
    """The method of a number of Python's, which takes a number of NumPy's for one of its own."""
    is_swapped = name.startswith('__r') and f'__{name[3:]}' in _SYMBOLS
    symbol = _SYMBOLS.get(f'__{name[3:]}' if is_swapped else name)
    taken = next((each for each in _NUMBERS if issubclass(carrier(other.type), each)), None)
    if symbol is None or taken is None or other.type.maybe:
        return None
    if _NUMBERS.index(taken) > max(_NUMBERS.index(type(owner)), 1):
        return lambda *_: NotImplemented
    number = UNREACHED[taken](other)
    return lambda _: operation(symbol, *((number, owner) if is_swapped else (owner, number)))


_SYMBOLS = {f'__{name}__': symbol for symbol, name in (BINARY | COMPARISONS).items()}
