"""Special methods that are called by their names: `x.__add__(y)`, `5.0.__lt__(x)`, `c.__len__()`.

What stands for a value while tracing, or is given to a number or a text of Python's, has the
operator or the builtin do what its method does. So it is where a class of the user's calls the
method of the number or text that its object is, as in `str.__eq__(self, other)`.
"""
from __future__ import annotations

import builtins
import functools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import UNREACHED
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.types import python_text
from ..ops.calls import carrier
from ..pyct.asking import get_attribute
from .growing_views import GrowingView
from .live_objects import LiveObject
from .operations import operation
from .own_operators import BINARY, COMPARISONS
from .progress import Collection
from .reentry import call

_UNARY = {'__neg__': '-', '__pos__': '+', '__invert__': '~', '__abs__': 'abs'}
_ASKING: dict[str, Callable[..., Any]] = {
    f'__{function.__name__}__': function
    for function in (
        builtins.bool, builtins.complex, builtins.float, builtins.format, builtins.int,
        builtins.iter, builtins.len, builtins.repr, builtins.reversed, builtins.str,
        operator.contains)}
_STAND_INS = (Tensor, nest.Nest, Collection, GrowingView)
_NUMBERS = (bool, int, float, complex)
_TEXTS = (str, bytes)


def operator_of_class(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of `float.__add__(x, y)`, with a tensor first; None for others."""
    if type(f) is not types.WrapperDescriptorType or f.__objclass__ not in _NUMBERS:
        return None
    x, *others = map(valued, args)
    taken = _taken(x) if isinstance(x, Tensor) and len(others) == 1 else None
    if taken is None or x.type.maybe or not issubclass(taken, f.__objclass__):
        return None
    y, number = others[0], UNREACHED[f.__objclass__](x)
    if isinstance(y, Tensor):
        taken = _taken(y)
        if taken is None or _NUMBERS.index(taken) > _NUMBERS.index(f.__objclass__):
            return None
        y = UNREACHED[taken](y)
    return _as_operator(f.__name__, number, y)


def special_method(f: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of a special method that is called by its name; None for any other.

    Args:
      f: what is called.
      args: what it is given.

    Raises:
      StagingError: it is given a number or text that may be None.
    """
    name, owner = get_attribute(f, '__name__'), get_attribute(f, '__self__')
    if not isinstance(name, str) or not name.startswith('__'):
        return None
    if isinstance(owner, Tensor) and len(args) == 1:
        method = _of_staged(name, owner, valued(args[0]))
        if method is not None:
            return method
    if isinstance(owner, _STAND_INS) and not _is_of_users(f, owner):
        return _of_stand_in(name, owner)
    if type(f) is types.WrapperDescriptorType and args and _is_plain(args[0], f.__objclass__):
        method = special_method(f.__get__(args[0]), args[1:])
        return None if method is None else functools.partial(_of_owner, method)
    if isinstance(owner, np.generic) and len(args) == 1 and isinstance(valued(args[0]), Tensor):
        return _as_operator(name, owner, valued(args[0]))
    if type(f) is not types.MethodWrapperType or not _is_plain(owner, f.__objclass__):
        return None
    if len(args) != 1 or not isinstance(valued(args[0]), Tensor):
        return None
    other = valued(args[0])
    method = (_of_text if isinstance(owner, _TEXTS) else _of_number)(name, _plain(owner), other)
    if method is not None and other.type.maybe:
        raise _of_none(name)
    return method


def _is_of_users(f: Any, owner: Any) -> bool:
    """Whether a method is one that the user has written for the class of an object."""
    return isinstance(owner, LiveObject) and isinstance(f, types.MethodType) and (
        f.__func__ is get_attribute(owner.__class__, f.__name__))


def _of_owner(method: Callable[..., Any], _: Any, *others: Any) -> Any:
    """A method that is called by its class, with what it is of first."""
    return method(*others)


def _is_plain(x: Any, kind: type[Any]) -> bool:
    """Whether it is a number or a text, and the method that of Python's class for these."""
    return kind in (*_NUMBERS, *_TEXTS) and isinstance(x, kind)


def _plain(x: Any) -> Any:
    """The number or text that an object is, of a class derived from Python's, too."""
    if type(x) in (*_NUMBERS, *_TEXTS):
        return x
    return next(of(x) for kind, of in _PLAIN.items() if isinstance(x, kind))


# What Python's own class makes of an object of one derived from it, whatever that one says.
_PLAIN: dict[type[Any], Callable[[Any], Any]] = {
    int: int.__pos__, float: float.__pos__, complex: complex.__pos__, str: str.__str__,
    bytes: lambda x: b''.join([x]),
}


def _of_stand_in(name: str, owner: Any) -> Callable[..., Any] | None:
    if name in _ASKING:
        return functools.partial(call, _ASKING[name], owner)
    if name in _UNARY:
        return functools.partial(operation, _UNARY[name], owner)
    symbol = _SYMBOLS.get(name)
    if symbol is None or isinstance(owner, Tensor):  # whose methods are these
        return None
    return functools.partial(operation, symbol, owner)


def _of_number(name: str, owner: complex, other: Tensor) -> Callable[..., Any] | None:
    """The method of a number of Python's, which takes a number of NumPy's for one of its own."""
    taken = _taken(other)
    if taken is None:
        return None
    if _NUMBERS.index(taken) > max(_NUMBERS.index(type(owner)), 1):
        return _not_implemented
    return _as_operator(name, owner, UNREACHED[taken](other))


def _not_implemented(_: Any) -> Any:
    """What a method says that leaves it to the other operand."""
    return NotImplemented


def _of_staged(name: str, owner: Tensor, other: Any) -> Callable[..., Any] | None:
    """The method of a number, a text or a list of Python's that only the running graph knows, where
    it is given what is none of its own; None for what the operator does.
    """
    kind = carrier(other.type.present) if isinstance(other, Tensor) else type(other)
    own = carrier(owner.type.present)
    if own is list and _SYMBOLS.get(name) in COMPARISONS:
        is_own = issubclass(kind, list | nest.Nest)
        return functools.partial(operation, _SYMBOLS[name], owner) if is_own else _not_implemented
    is_other = owner.type.maybe or isinstance(other, nest.Nest) or own not in (*_NUMBERS, *_TEXTS)
    if is_other or (name not in _SYMBOLS and f'__{name[3:]}' not in _SYMBOLS):
        return None
    if own in _TEXTS:
        is_own = issubclass(kind, own) or _SYMBOLS.get(name) not in COMPARISONS
        return None if is_own else _not_implemented
    taken = next((each for each in _NUMBERS if issubclass(kind, each)), None)
    if taken is None or _NUMBERS.index(taken) > max(_NUMBERS.index(own), 1):
        return _not_implemented
    if isinstance(other, Tensor):
        return _as_operator(name, owner, UNREACHED[taken](other))
    return _as_operator(name, owner, taken(other)) if isinstance(other, np.generic) else None


def _taken(x: Tensor) -> type[Any] | None:
    """Which of the numbers of Python's something is to their methods."""
    return next((each for each in _NUMBERS if issubclass(carrier(x.type.present), each)), None)


def _as_operator(name: str, owner: Any, other: Any) -> Callable[..., Any] | None:
    """The operator of which a method is, with its operands in their order; None for others."""
    is_swapped = name.startswith('__r') and f'__{name[3:]}' in _SYMBOLS
    symbol = _SYMBOLS.get(f'__{name[3:]}' if is_swapped else name)
    operands = (other, owner) if is_swapped else (owner, other)
    return None if symbol is None else lambda *_: operation(symbol, *operands)


def _of_text(name: str, owner: str | bytes, other: Tensor) -> Callable[..., Any] | None:
    """The method of a text, which takes another one of its class."""
    symbol = _SYMBOLS.get(name)
    if name == '__contains__':
        return functools.partial(call, operator.contains, owner)
    if symbol == '%':
        return functools.partial(operation, symbol, owner)
    if symbol not in (*COMPARISONS, '+') or python_text(other.type.present) is not type(owner):
        return None
    return functools.partial(operation, symbol, owner)


def _of_none(name: str) -> StagingError:
    symbol = _SYMBOLS.get(name, _SYMBOLS.get(f'__{name[3:]}'))
    return StagingError(describe(
        f'`{name}` of Python\'s own numbers and texts is given what may be None.', user_location(),
        f'Write the operator, `a {symbol} b`, or ask for None first.'))


_SYMBOLS = {f'__{name}__': symbol for symbol, name in (BINARY | COMPARISONS).items()}
