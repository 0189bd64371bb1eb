"""From a function to its converted source, and to the function that this source defines."""
from __future__ import annotations

import contextlib
import functools
import inspect
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from types import CellType, CodeType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, TypeVar

import gast

from .converters import Pass, in_code, in_trace, passed
from .converters.called import Called
from .converters.callees import AS_IT_IS, Callee, is_library, is_numpy_function, kind
from .converters.context import PACKAGE, Context, context_of
from .converters.decisions import Decision, decisions
from .errors import ByCode, ConversionError, SourceNotFoundError
from .pyct.asking import get_attribute, has_attribute, resumes
from .pyct.deep import deeply
from .pyct.loader import load_function
from .pyct.parser import parse_function
from .pyct.source import Source
from .pyct.tree import Node

if TYPE_CHECKING:
    from .pyct.unparser import Printed

F = TypeVar('F', bound=Callable[..., Any])
T = TypeVar('T')

_CONVERTS = '__ag_converts__'  # on what `convert` returns: the function that it converts
_RESUMES = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def to_code(f: Callable[..., Any], recursive: bool = False) -> str:
    """The converted source of a function, a method or a lambda.

    Args:
      f: the function.
      recursive: whether the functions and methods that it calls follow, and those that they call,
        each once; which these are is told from the text, as far as that says it.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    if not recursive:
        return to_printed(f).text
    texts = [_headed(f)]
    for function in called_functions(f):
        with contextlib.suppress(ConversionError, SourceNotFoundError):
            texts.append(_headed(function))  # what does not convert is called as it is
    return '\n\n\n'.join(texts)


def _headed(f: Callable[..., Any]) -> str:
    """The converted source, for a method with a comment that tells of which class."""
    name = written_function(f).__qualname__.split('<locals>.')[-1]
    text = to_printed(f).text
    return f'# {name}\n{text}' if '.' in name else text


def called_functions(f: Callable[..., Any]) -> list[FunctionType]:
    """The user's functions and methods that a function calls, and those that they call, in order.

    They are found by their names: through globals, closures and modules, `self`, and variables to
    which nothing but a new object of one class is assigned.
    """
    start = written_function(f)
    found = {start.__code__: start}
    waiting = deque([(start, type(f.__self__) if isinstance(f, MethodType) else None)])
    while waiting:
        function, owner = waiting.popleft()
        with contextlib.suppress(SourceNotFoundError):
            tree, _, context = deeply(_convert, function, ())
            for called, its_owner in Called(tree, context, owner).found():
                if called.__code__ not in found:
                    found[called.__code__] = called
                    waiting.append((called, its_owner))
    return list(found.values())[1:]


def to_printed(f: Callable[..., Any]) -> Printed:
    """The converted source, and for each of its lines the user's line that it came from.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    from .pyct.unparser import unparse  # a trace needs no text

    function = written_function(f)
    tree, source, context = deeply(_convert, function, in_code)
    if isinstance(tree, gast.FunctionDef):
        tree.decorator_list = []  # what they do they have done already
        if context.ag != 'ag':
            start = 1 if gast.get_docstring(tree) is not None else 0
            tree.body.insert(start, gast.Import([gast.alias(PACKAGE, context.ag)]))
    return unparse(tree, source)


def own_decisions(f: Callable[..., Any]) -> tuple[str, str, list[Decision]]:
    """A function's name, its file, and what is decided of its constructs.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    function = inspect.unwrap(_function(f))
    tree, source, context = deeply(_convert, function, ())
    return function.__qualname__, source.filename, deeply(decisions, tree, context)


def to_graph(f: F) -> F:
    """The function that the converted source defines; it runs like the one it was made from.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    return _converted(f, in_code)  # type: ignore[no-any-return]  # the same kind of thing


def convert(f: F) -> F:
    """A decorator: the function is converted when it is first called.

    Raises:
      ConversionError: it is nothing that converts.
    """
    if isinstance(f, staticmethod | classmethod):
        return type(f)(convert(f.__func__))
    function = _function(f)
    what = resumes(function)
    if what:
        name = function.__qualname__
        raise ConversionError(f'ag.convert needs a function that returns; {name} is {what}.')

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        return _loaded(function, in_code)(*args, **kwargs)

    setattr(call, _CONVERTS, function)
    return call  # type: ignore[return-value]  # it stands for the function


def do_not_convert(f: F) -> F:
    """A decorator: code that is converted calls the function as it is."""
    target = f.__func__ if isinstance(f, staticmethod | classmethod | MethodType) else f
    setattr(target, AS_IT_IS, True)
    return f


def is_converted(code: CodeType) -> bool:
    """Whether code, of a function or of one nested in it, came from the converter."""
    return _made.get(code) is not None


def converted_for_trace(f: F) -> F:
    """A function to trace: converted, and telling what it reads from outside.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    return _converted(f, in_trace)  # type: ignore[no-any-return]  # the same kind of thing


def converted_for_call(f: Callable[..., Any]) -> Callable[..., Any]:
    """The same for what traced code calls; what cannot be converted is called as it is.

    Where a tensor then reaches its control flow, that says what is missing.
    """
    f = get_attribute(f, _CONVERTS, f)
    if not isinstance(f, FunctionType) or is_library(f) or is_converted(f.__code__):
        return f
    if f.__code__.co_flags & _RESUMES or hasattr(f, AS_IT_IS):
        return f
    try:
        return _loaded(f, in_trace)
    except SourceNotFoundError:
        return f


# What can be converted.


def written_function(f: Callable[..., Any]) -> FunctionType:
    """The function that somebody wrote behind what was made of it, decorators included."""
    function: FunctionType = inspect.unwrap(_function(f))
    return function


def _function(f: Any) -> FunctionType:
    """The function written in Python behind what somebody wants converted."""
    while not isinstance(f, FunctionType) or has_attribute(f, _CONVERTS):
        if has_attribute(f, _CONVERTS):
            f = getattr(f, _CONVERTS)
        elif has_attribute(f, 'python_function'):
            f = f.python_function
        elif isinstance(f, functools.partial):
            f = f.func
        elif isinstance(f, MethodType | staticmethod | classmethod):
            f = f.__func__
        elif not isinstance(f, type) and isinstance(_own_call(f), FunctionType):
            f = _own_call(f)
        else:
            raise ConversionError(_refusal(f))
    return f


def _own_call(f: Any) -> Any:
    return inspect.getattr_static(type(f), '__call__', None)


def _refusal(f: Any) -> str:
    name = get_attribute(f, '__qualname__') or repr(f)
    if isinstance(f, type):
        return f'{name} is a class, and only functions convert.\nConvert its methods.'
    if not callable(f):
        return f'{name} is not callable, and only functions convert.'
    return f'{name} is not written in Python, so there is no source to convert.'


# Converting.


def _convert(function: FunctionType, passes: tuple[Pass, ...]) -> tuple[Node, Source, Context]:
    parsed = parse_function(function)
    in_class = parsed.enclosing_class is not None
    context = context_of(function, parsed.node, parsed.source, in_class)
    return passed(parsed.node, context, passes), parsed.source, context


def _converted(f: Any, passes: tuple[Pass, ...]) -> Any:
    """The same kind of thing as `f`, with the converted function in the place of its own."""
    if isinstance(f, functools.partial):
        return functools.partial(_converted(f.func, passes), *f.args, **f.keywords)
    if isinstance(f, MethodType):
        return MethodType(_converted(f.__func__, passes), f.__self__)
    function = _function(f)
    converted = _loaded(function, passes)
    is_object = not isinstance(f, FunctionType) and function is _own_call(f)
    return MethodType(converted, f) if is_object else converted


def _loaded(function: FunctionType, passes: tuple[Pass, ...]) -> FunctionType:
    """The converted function; its code is converted once for all functions that share it."""
    function = _unwrapped(function)
    key = (len(passes), id(function.__globals__), _meanings(function))
    known = _known.get(function.__code__) or {}
    if key not in known:
        with _lock:
            known = _known.get(function.__code__) or {}
            if key not in known:
                known[key] = deeply(_compiled, function, passes)
                _known.set(function.__code__, known)
    code, ag = known[key]
    return _with_closure(code, function, ag)


def _compiled(function: FunctionType, passes: tuple[Pass, ...]) -> tuple[CodeType, str]:
    tree, source, context = _convert(function, passes)
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


def _remember(code: CodeType) -> None:
    _made.set(code, True)
    for constant in code.co_consts:
        # The body of a class, which is not optimized, is the user's own, and so are its methods.
        if isinstance(constant, CodeType) and constant.co_flags & inspect.CO_OPTIMIZED:
            _remember(constant)


def _meanings(function: FunctionType) -> Hashable:
    """What the converter may conclude from the function's closure and the globals that it names."""
    found: list[Hashable] = []
    for cell in function.__closure__ or ():
        try:
            found.append(_meaning(cell.cell_contents))
        except ValueError:  # the variable has no value yet
            found.append(None)
    held = function.__globals__
    found += [_meaning(held[name]) for name in _names(function.__code__) if name in held]
    return tuple(found)


def _meaning(value: Any) -> Hashable:
    """What the converter may conclude from what a name means."""
    found = kind(value)
    name = getattr(value, '__name__', '') if found in _BY_NAME else ''
    return found, is_numpy_function(value), name


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
_lock = threading.RLock()
