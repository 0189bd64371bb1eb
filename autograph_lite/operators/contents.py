"""What objects, containers and functions hold: the values that can be reached from them."""
from __future__ import annotations

import array
import functools
import io
import itertools
import operator
import types
import weakref
from collections import deque
from collections.abc import Iterator
from operator import length_hint
from typing import Any

from ..errors import is_internal
from ..graph import nest
from ..keys import TEXTUAL
from ..pyct.asking import (
    attributes,
    has_attribute,
    in_dict,
    in_slots,
    package_of,
)
from .chosen_functions import OneFunction
from .local_code import defaults, functions_of, is_local_class, members
from .nest_lists import NestList
from .opaque import is_opaque
from .optional_nests import Perhaps
from .progress import Progress

_PACKAGE = __package__.partition('.')[0]

Content = dict[Any, Any]


def are_same(a: Content, b: Content) -> bool:
    """Whether two contents are the very same."""
    return list(a) == list(b) and all(map(operator.is_, a.values(), b.values()))


def content(x: Any) -> Any:
    """The values that can be reached from it in one step; None for what leads no further."""
    if isinstance(x, (list, tuple, deque, bytearray)):
        return dict(enumerate(x))
    if isinstance(x, dict):
        return dict(x)
    slots = _slots.get(type(x))
    if slots is not None:
        return attributes(x) if slots else dict(in_dict(x))
    if isinstance(x, types.FunctionType):
        cells = enumerate(x.__closure__ or ())
        values = {i: cell.cell_contents for i, cell in cells if cell != _EMPTY}
        is_ours = is_internal(x.__code__.co_filename)
        return _code_in(values) if is_ours else {**values, **defaults(x)}
    if isinstance(x, type):
        return members(x) if is_local_class(x) else None
    if isinstance(x, (staticmethod, classmethod, property)):
        return functions_of(x)
    if isinstance(x, types.MethodType):
        return {0: x.__self__, 1: x.__func__}
    if isinstance(x, types.BuiltinMethodType):
        return None if isinstance(x.__self__, types.ModuleType) else {0: x.__self__}
    if isinstance(x, functools.partial):
        return dict(enumerate((x.func, *x.args, *x.keywords.values())))
    if isinstance(x, array.array) or (isinstance(x, memoryview) and not x.readonly):
        return {x.tobytes(): None}
    if isinstance(x, set):
        return dict.fromkeys(x)
    if isinstance(x, NestList):
        return {'columns': x.columns}
    if isinstance(x, nest.Mutable):
        return x.content()
    if isinstance(x, Perhaps):
        return {'nest': x.nest}
    if isinstance(x, OneFunction):
        return dict(enumerate(x._functions))
    if isinstance(x, io.IOBase):
        return {_left_to_read(x): None}
    if isinstance(x, Iterator) and not is_object(x):
        return _code_in(vars(x)) if _is_ours(x) else _content_of_iterator(x)
    if not is_object(x) or package_of(type(x)) in TEXTUAL:  # a path keeps what it was asked for
        return {} if is_opaque(x) else None
    if type(x).__class__ is type and x.__class__ is type(x):
        _slots[type(x)] = in_slots(x)
    return attributes(x)


# The slots of classes whose objects are known to be no more than their attributes.
_slots: weakref.WeakKeyDictionary[type, tuple[str, ...]] = weakref.WeakKeyDictionary()
_EMPTY = types.CellType()


def is_of_attributes(x: Any) -> bool:
    """Whether it is an object that is no more than its attributes."""
    content(x)
    return type(x) in _slots


def _content_of_iterator(x: Any) -> Content:
    """How far an iterator of Python's has come, or the iterators that it takes from."""
    if isinstance(x, (enumerate, filter, map, zip)):
        return dict(enumerate(x.__reduce__()[1]))
    if isinstance(x, types.GeneratorType):
        return {x.gi_frame.f_lasti: None, **x.gi_frame.f_locals} if x.gi_frame else {}
    return {repr(x) if isinstance(x, itertools.count) else length_hint(x, -1): None}


def _left_to_read(file: Any) -> Any:
    """How far a file has been read; None where it does not tell, or is one to write to."""
    try:
        if not isinstance(file, io.StringIO | io.BytesIO):
            return file.tell() if file.readable() and not file.writable() else None
        position = file.tell()
        left = file.seek(0, io.SEEK_END) - position
        file.seek(position)
        return left
    except (OSError, ValueError):  # it is being iterated over, or closed
        return None


def _code_in(values: Content) -> Content:
    """Of what the library holds, that through which it reaches the user's functions."""
    return {key: value for key, value in values.items() if _is_code(value)}


def _is_code(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_code, value))
    is_our_iterator = isinstance(value, Iterator) and _is_ours(value)
    is_users = callable(value) and is_object(value)
    return is_our_iterator or is_users or isinstance(
        value, (types.FunctionType, types.MethodType, functools.partial, Progress)
    )


def _is_ours(x: Any) -> bool:
    return package_of(type(x)) == _PACKAGE


def is_object(x: Any) -> bool:
    """Whether it is an object of a class that is written in Python, and not by this library."""
    return (
        (has_attribute(x, '__dict__') or bool(in_slots(x)))
        and not isinstance(x, (type, types.ModuleType, types.FunctionType, io.IOBase))
        and (not _is_ours(x) or isinstance(x, Progress))
    )
