"""What functions may read that run as they are while a graph is traced: nothing tells of it.

Such a function is one that is marked `ag.do_not_convert`, one without source, an operator of a
class of the user's. The names in its code say what it may read: global variables, variables of the
functions around it, attributes of what it is given. All of them are guarded.
"""
from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

from ..converters.callees import AS_IT_IS, is_of_library
from ..pyct.asking import has_attribute
from .guards import is_container, record, record_function
from .places import Attribute, Place, place_of

_CACHED = type(functools.lru_cache(lambda: None))
# Of an object that is iterated over or calculated with, Python calls these.
_OPERATORS = frozenset(
    f'__{prefix}{name}__'
    for name in ('add', 'sub', 'mul', 'matmul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or')
    for prefix in ('', 'r')
) | {'__neg__', '__abs__', '__array__', '__float__', '__int__', '__index__', '__bool__', '__eq__',
     '__ne__', '__lt__', '__le__', '__gt__', '__ge__'}  # fmt: skip


def record_reads(f: Any, *args: Any) -> None:
    """Guards everything that a function may read when it is called."""
    _record(f, args, set())


def record_library_names(f: Any) -> None:
    """Guards that the names of functions of libraries, such as `sqrt`, still mean them."""
    f = f.__func__ if isinstance(f, types.MethodType) else f
    if isinstance(f, types.FunctionType):
        for place in _variables(f):
            value = _now(place)
            if callable(value) and is_of_library(value):
                record(place, value)


def _now(place: Place) -> Any:
    try:
        return place()
    except ValueError:  # the variable has no value yet
        return None


def _record(f: Any, args: tuple[Any, ...], seen: set[int]) -> None:
    if isinstance(f, types.MethodType):
        f, args = f.__func__, (f.__self__, *args)
    if not isinstance(f, types.FunctionType) or is_of_library(f) or id(f) in seen:
        return
    seen.add(id(f))
    record_function(f)
    for place in _variables(f):
        value = _now(place)
        if is_of_library(value) or isinstance(value, types.ModuleType):
            continue
        record(place, value)
        _record(value, (), seen)
        _record_attributes(f, value)
    for x in args:
        _record_attributes(f, x)


def _variables(f: types.FunctionType) -> Iterator[Place]:
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        yield Place(_reading(getattr, cell, 'cell_contents'), (name, id(cell)), name)
    for name in _names(f.__code__):
        if name in f.__globals__:
            read = _reading(dict.__getitem__, f.__globals__, name)
            yield Place(read, (name, id(f.__globals__)), name)


def _names(code: types.CodeType) -> Iterator[str]:
    """The names of globals in a function, and in those that are nested in it."""
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _names(const)


def _reading(read: Callable[..., Any], owner: Any, name: str) -> Callable[[], Any]:
    return lambda: read(owner, name)


def _record_attributes(f: types.FunctionType, x: Any) -> None:
    """Guards the attributes of an object that a function names."""
    if not _is_users(x):
        return
    for name in f.__code__.co_names:
        found = inspect.getattr_static(x, name, None)
        if found is not None and not hasattr(type(found), '__get__'):
            place = place_of(x, type(x).__name__).then(Attribute(name))
            record(place, getattr(x, name))


def record_uses(x: Any) -> None:
    """Guards what may be read by using something as it is: by operators of an object's class."""
    if isinstance(x, types.FunctionType | types.MethodType):
        if has_attribute(x, AS_IT_IS):
            record_reads(x)
    elif isinstance(x, _CACHED):
        record_reads(x.__wrapped__)
    elif _is_users(x):
        for kind in type(x).__mro__[:-1]:
            for name in sorted(_OPERATORS.intersection(vars(kind))):
                record_reads(vars(kind)[name], x)


def record_iteration(x: Any) -> None:
    """Guards what an object reads when it is iterated over."""
    if _is_users(x):
        record_reads(getattr(type(x), '__iter__', None), x)


def record_context(x: Any) -> None:
    """Guards what an object reads when it is the context of a `with`."""
    if _is_users(x):
        for name in ('__enter__', '__exit__'):
            record_reads(getattr(type(x), name, None), x)


def _is_users(x: Any) -> bool:
    """Whether it is an object of a class of the user's, with attributes."""
    if is_container(x) or isinstance(x, type | types.ModuleType | types.FunctionType):
        return False
    return has_attribute(x, '__dict__') and not is_of_library(type(x))
