"""What the user's classes say of their objects: methods that Python itself would call."""
from __future__ import annotations

import functools
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..converters.callees import is_of_library
from ..graph import dispatch
from ..graph.nest import actual
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import carrier
from ..ops.strings import item_of_text, text_constant
from ..pyct.asking import get_attribute
from .guards import record
from .lists import new_list
from .optional_nests import Perhaps
from .optional_objects import own_of_optional
from .places import Attribute, place_of
from .reentry import call, item
from .whole_reads import check_whole

_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

# What is of none of the user's classes, to tell fast.
_PYTHONS = frozenset({
    bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, range, slice,
    type(None), np.ndarray, np.float64, np.int64, np.bool_,
})  # fmt: skip


def is_pythons(x: Any) -> bool:
    """Whether something is of none of the user's classes; if not, it may be."""
    return type(x) in _PYTHONS or isinstance(x, Tensor)


def own_method(x: Any, name: str) -> Callable[..., Any] | None:
    """A method that the user has written for a class, of an object of it, as traced code calls it.

    Args:
      x: the object, or anything else.
      name: such as `__add__`, which Python looks for in the class.
    """
    if is_pythons(x) or not is_tracing():
        return None
    if isinstance(x, Perhaps):
        return own_of_optional(x, name)
    kind = type(x)
    found = get_attribute(kind, name)
    if not isinstance(found, types.FunctionType) or is_of_library(found):
        return None
    if found.__code__.co_flags & _RESUMES:
        return None
    record(place_of(kind, kind.__name__).then(Attribute(name)), found)
    method = types.MethodType(found, x)

    def own(*args: Any) -> Any:
        return call(method, *args)

    return own


def own_length(x: Any) -> Any:
    """What the user's class says of the length of an object; None if it does not.

    Raises:
      TypeError: that is no integer.
      ValueError: it is negative.
    """
    own = own_method(x, '__len__')
    if own is None:
        return None
    length = own()
    if not isinstance(length, Tensor):
        return len(_Of(length))
    if length.dtype.kind not in 'iu':
        name = carrier(length.type).__name__
        raise TypeError(f'{name!r} object cannot be interpreted as an integer')
    return dispatch.UNREACHED[int](length)


class _Of:
    """Has a length."""

    def __init__(self, length: Any) -> None:
        self._length = length

    def __len__(self) -> int:
        return self._length  # type: ignore[no-any-return]  # Python says what is wrong with it


def own_truth(x: Any) -> Any:
    """What the user's class says of whether an object is true; the object if it does not.

    Raises:
      TypeError: that is no bool.
    """
    check_whole(x)
    if isinstance(x, Perhaps):
        return x  # which is asked whether it is there first
    own = own_method(x, '__bool__')
    if own is None:
        length = own_length(x)
        return x if length is None else length
    truth = own()
    kind = carrier(truth.type) if isinstance(truth, Tensor) else type(truth)
    if kind is not bool:
        module = '' if kind.__module__ == 'builtins' else f'{kind.__module__}.'
        raise TypeError(f'__bool__ should return bool, returned {module}{kind.__name__}')
    return truth


dispatch.FALLBACKS['truth'] = own_truth


def own_index(x: Any) -> Any:
    """The integer that an object stands for as an index, as the user's class says."""
    own = own_method(x, '__index__')
    return operator.index(x) if own is None else own()


dispatch.FALLBACKS['index'] = own_index


def entered(manager: Any) -> Any:
    """What stands for a context manager in `with`, whose methods the user may have written."""
    enter, leave = own_method(manager, '__enter__'), own_method(manager, '__exit__')
    return manager if enter is None and leave is None else _Context(manager, enter, leave)


class _Context:
    """Stands for a context manager: the user's code in it is converted."""

    __slots__ = ('_enter', '_leave')

    def __init__(self, manager: Any, enter: Any, leave: Any) -> None:
        self._enter = enter or manager.__enter__
        self._leave = leave or manager.__exit__

    def __enter__(self) -> Any:
        return self._enter()

    def __exit__(self, *error: Any) -> Any:
        return self._leave(*error)


def items(x: Any) -> Any:
    """What stands for an object in `x[1:]`: itself, unless the user's class says what that is."""
    x = actual(x)
    own = own_method(x, '__getitem__')
    if own is None and type(x) in (list, str, bytes) and is_tracing():
        return _Slices(x)
    if own is None and isinstance(x, np.number | np.bool_ | dict) and is_tracing():
        return _Items(functools.partial(item, x))
    return x if own is None else _Items(own)


class _Slices:
    """Stands for a list or text while a slice is read: which, only the running graph may know."""

    __slots__ = ('_items',)

    def __init__(self, items: list[Any] | str | bytes) -> None:
        self._items = items

    def __getitem__(self, key: Any) -> Any:
        bounds = (key.start, key.stop, key.step) if isinstance(key, slice) else ()
        if not any(isinstance(valued(bound), Tensor) for bound in bounds):
            return self._items[key]
        if isinstance(self._items, list):
            return new_list(self._items)[key]
        return item_of_text(text_constant(self._items), slice(*map(valued, bounds)))


class _Items:
    """Stands for an object while an item of it is read: the user's code for that is converted."""

    __slots__ = ('_own',)

    def __init__(self, own: Callable[..., Any]) -> None:
        self._own = own

    def __getitem__(self, key: Any) -> Any:
        return self._own(key)
