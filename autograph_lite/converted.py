"""Converted functions: code that is made once for all functions that share it."""
from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable, Hashable, Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from .converters import Pass, in_python, in_trace, passed
from .converters.callees import (
    AS_IT_IS,
    Callee,
    is_bound,
    is_known_as,
    is_library,
    is_numpy_function,
    kind,
    reads_objects,
)
from .converters.context import PACKAGE, Context, context_of
from .converters.managers import known_of
from .converters.untold_calls import is_untold
from .errors import ConversionError, SourceNotFoundError
from .pyct.codes import ByCode
from .pyct.deep import deeply
from .pyct.garbage import uncollected
from .pyct.loader import load_function
from .pyct.parser import parse_function
from .pyct.source import Source
from .pyct.tree import Node
from .pyct.written import converted_by, function_behind, own_call, stands_for

F = TypeVar('F', bound=Callable[..., Any])

_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def is_converted(code: CodeType) -> bool:
    """Whether code, of a function or of one nested in it, came from the converter."""
    return _made.get(code) is True


def is_in_converted(code: CodeType) -> bool:
    """The same, or whether it is of a method of a class that is defined in such a function."""
    return _made.get(code) is not None


def is_left_as_it_is(code: CodeType) -> bool:
    """Whether code is of a function that is marked not to be converted, or that has no source."""
    return _left.get(code) is not None


def leave_as_it_is(code: CodeType) -> None:
    """Marks code as not to be converted."""
    _left.set(code, True)


def converted_for_trace(f: F) -> F:
    """A function to trace: converted, and telling what it reads from outside.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    return remade(_in_trace, f)  # type: ignore[no-any-return]  # the same kind of thing


def converted_for_call(f: Callable[..., Any], asked: bool = False) -> Callable[..., Any]:
    """The same for what traced code calls; what cannot be converted is called as it is.

    Where a tensor then reaches its control flow, that says what is missing.

    Args:
      f: anything that can be called.
      asked: whether somebody asked for it, though the function is marked to be left as it is.
    """
    if not isinstance(f, FunctionType):
        return f
    function: FunctionType = converted_by(f)
    asked = (asked or function is not f) and hasattr(function, AS_IT_IS)
    if (is_library(function) and not asked) or is_converted(function.__code__):
        return function
    if function.__code__.co_flags & _RESUMES:
        return function
    try:
        return _in_trace(function)
    except SourceNotFoundError:
        leave_as_it_is(function.__code__)
        return function


def library_code_for_call(function: FunctionType) -> FunctionType | None:
    """A function of Python's library, converted; None if it cannot be."""
    if function.__code__.co_flags & _RESUMES:
        return None
    try:
        return _in_trace(function)
    except (ConversionError, SourceNotFoundError):
        return None


def in_code_form(function: FunctionType) -> FunctionType:
    """The function that the printed source defines."""
    made = _loaded(function, in_python)
    stands_for(made, function)  # code that is traced converts it as any other function
    return made


def _in_trace(function: FunctionType) -> FunctionType:
    return _loaded(function, in_trace)


def remade(make: Callable[[FunctionType], Any], f: Any) -> Any:
    """The same kind of thing as `f`, with what is made of its function in the place of that."""
    if isinstance(f, functools.partial):
        return functools.partial(remade(make, f.func), *f.args, **f.keywords)
    if isinstance(f, MethodType):
        return MethodType(remade(make, f.__func__), f.__self__)
    function = function_behind(f)
    made = make(function)
    is_object = not isinstance(f, FunctionType) and function is own_call(f)
    return MethodType(made, f) if is_object else made


def converted_tree(
    function: FunctionType, passes: tuple[Pass, ...]
) -> tuple[Node, Source, Context]:
    """The tree after these passes, what it was parsed from, and what is known around it."""
    parsed = parse_function(function)
    context = context_of(function, parsed.node, parsed.source, parsed.enclosing_class)
    return passed(parsed.node, context, passes), parsed.source, context


def _loaded(function: FunctionType, passes: tuple[Pass, ...]) -> FunctionType:
    """The converted function; its code is converted once for all functions that share it."""
    function = _unwrapped(function)
    key = (len(passes), id(function.__globals__), _meanings(function))
    known = _known.get(function.__code__) or {}
    if key not in known:
        with _lock, uncollected():
            known = _known.get(function.__code__) or {}
            if key not in known:
                known[key] = deeply(_compiled, function, passes)
                _known.set(function.__code__, known)
    code, ag = known[key]
    return _with_closure(code, function, ag)


def _compiled(function: FunctionType, passes: tuple[Pass, ...]) -> tuple[CodeType, str]:
    tree, source, context = converted_tree(function, passes)
    loaded = load_function(tree, function, source, {context.ag: sys.modules[PACKAGE]})
    _remember(loaded.__code__)
    return loaded.__code__, context.ag


def _with_closure(code: CodeType, like: FunctionType, ag: str) -> FunctionType:
    """A function of converted code, with everything else from the function it was made from."""
    cells = dict(zip(like.__code__.co_freevars, like.__closure__ or (), strict=True))
    cells[ag] = CellType(sys.modules[PACKAGE])
    closure = tuple(cells.get(name) or CellType() for name in code.co_freevars)
    function = FunctionType(code, like.__globals__, like.__name__, like.__defaults__, closure)
    function.__kwdefaults__ = like.__kwdefaults__
    functools.update_wrapper(function, like)
    del function.__dict__['__wrapped__']
    return function


def _remember(code: CodeType, is_converted: bool = True) -> None:
    _made.set(code, is_converted)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            # The body of a class, which is not optimized, is the user's own, as are its methods.
            _remember(constant, is_converted and bool(constant.co_flags & inspect.CO_OPTIMIZED))


def _meanings(function: FunctionType) -> Hashable:
    """What the converter may conclude from the function's closure and the globals that it names."""
    found: list[Hashable] = []
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found.append(_meaning(name, cell.cell_contents))
        except ValueError:  # the variable has no value yet
            found.append(None)
    held = function.__globals__
    names = _names(function.__code__)
    found += [_meaning(name, held[name]) for name in names if name in held]
    return tuple(found)


def _meaning(name: str, value: Any) -> Hashable:
    """What the converter may conclude from what a name means."""
    found = kind(value)
    told_by_name = found in _BY_NAME or isinstance(value, ModuleType)
    own = getattr(value, '__name__', '') if told_by_name else ''
    reads = reads_objects(value), is_numpy_function(value), is_bound(value), is_untold(value)
    return name, found, reads, is_known_as(value, name), own, known_of(value)


_BY_NAME = (Callee.BUILTIN, Callee.CREATION, Callee.MATH)


def _names(code: CodeType) -> Iterator[str]:
    """The names of globals in a function, and in those that are nested in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _unwrapped(function: FunctionType) -> FunctionType:
    """The function itself, even if it says that it wraps another."""
    if not hasattr(function, '__wrapped__'):
        return function
    same = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__,
        function.__closure__)
    same.__kwdefaults__ = function.__kwdefaults__
    same.__qualname__ = function.__qualname__
    same.__module__ = function.__module__
    same.__doc__ = function.__doc__
    return same


_known: ByCode[dict[Hashable, tuple[CodeType, str]]] = ByCode()
_made: ByCode[bool] = ByCode()
_left: ByCode[bool] = ByCode()
_lock = threading.RLock()
