"""`int`, `float`, `bool` and `complex`: the number that is made of something."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import UNREACHED
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .is_none import is_optional
from .logic import is_true
from .members import Member, data_of, kind_of
from .optional_nests import Perhaps
from .own_methods import own_method
from .staging import condition


def int(*args: Any, **kwargs: Any) -> Any:
    """`int(x)`; of a tensor, a symbolic Python int."""
    return _number(builtins.int, args, kwargs)


def float(*args: Any) -> Any:
    """`float(x)`; of a tensor, a symbolic Python float."""
    return _number(builtins.float, args, {})


def bool(*args: Any) -> Any:
    """`bool(x)`; of a tensor, a symbolic Python bool."""
    if is_tracing():
        args = tuple(map(condition, args))
        if len(args) == 1 and is_optional(args[0]):
            return is_true(args[0])
    return _number(builtins.bool, args, {})


def complex(*args: Any, **kwargs: Any) -> Any:
    """`complex(x)`; of a tensor, a symbolic Python complex."""
    return _number(builtins.complex, args, kwargs)


def _number(python: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args = tuple(_data(valued(x), python) for x in args)
    kwargs = {name: valued(x) for name, x in kwargs.items()}
    if any(isinstance(x, Tensor) for x in (*args, *kwargs.values())):
        return UNREACHED[python](*args, **kwargs)
    if len(args) == 1:
        for name in _CONVERTING[python]:
            own = own_method(args[0], name)
            if own is not None:
                return _number(python, (own(),), kwargs)
    return python(*args, **kwargs)


def _data(x: Any, python: Any) -> Any:
    """The number that a member of an `IntEnum` is, unless its class has such a method itself."""
    if isinstance(x, Perhaps) and isinstance(x.nest, Member):
        x = x.checked(TypeError, _says_of_none(python))
    if not isinstance(x, Member) or not issubclass(kind_of(x), builtins.int | builtins.float):
        return x
    number = builtins.int if issubclass(kind_of(x), builtins.int) else builtins.float
    of_number = all(
        getattr(kind_of(x), name, None) is getattr(number, name, None)
        for name in _CONVERTING[python])
    return data_of(x) if of_number else x


def _says_of_none(python: Any) -> str:
    try:
        python(None)
    except TypeError as error:
        return str(error)
    return ''


# The methods by which Python makes a number of an object, in order.
_CONVERTING: dict[Any, tuple[str, ...]] = {
    builtins.bool: (),  # see `condition`
    builtins.complex: ('__complex__', '__float__', '__index__'),
    builtins.float: ('__float__', '__index__'),
    builtins.int: ('__int__', '__index__', '__trunc__'),
}
