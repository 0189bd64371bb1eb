"""From a function to its converted source, and to the function that this source defines."""
from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar

import gast
import numpy as np

from .converted import (
    converted_for_call,
    converted_for_trace,
    converted_tree,
    in_code_form,
    leave_as_it_is,
    remade,
)
from .converters import in_code
from .converters.callees import AS_IT_IS, is_of_package
from .converters.context import PACKAGE
from .converters.decisions import Decision, decisions
from .errors import ConversionError
from .pyct.asking import get_attribute
from .pyct.deep import deeply
from .pyct.garbage import uncollected
from .pyct.lines import lines_behind
from .pyct.unparser import Printed, unparse
from .pyct.written import function_behind, resumes, stands_for

F = TypeVar('F', bound=Callable[..., Any])


def to_code(f: Callable[..., Any]) -> str:
    """The converted source of a function, a method or a lambda.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    return to_printed(f).text


def to_printed(f: Callable[..., Any]) -> Printed:
    """The converted source, and for each of its lines the user's line that it came from.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    function = written_function(f)
    with uncollected():
        tree, source, context = deeply(converted_tree, function, in_code)
        if isinstance(tree, gast.FunctionDef):
            # Behind a decorator that wraps it, a call calls what the decorator made.
            wraps = function is not function_behind(_in_python(f))
            tree.decorator_list = [
                each for each in tree.decorator_list if wraps and not is_of_package(each, context)]
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
    function = inspect.unwrap(function_behind(f))
    tree, source, context = deeply(converted_tree, function, ())
    return function.__qualname__, source.filename, deeply(decisions, tree, context)


def to_graph(f: F) -> F:
    """The function that the converted source defines; it runs like the one it was made from.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    if sys.gettrace() is not None:
        from .stepping import skip_library

        skip_library()
    return remade(in_code_form, f)  # type: ignore[no-any-return]  # the same kind of thing


def convert(f: F) -> F:
    """A decorator: the function is converted when it is first called, by Python itself, too.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    if isinstance(f, staticmethod | classmethod):
        return type(f)(convert(f.__func__))
    return remade(_converting, f)  # type: ignore[no-any-return]  # the same kind of thing


def do_not_convert(f: F) -> F:
    """A decorator: code that is converted calls the function as it is.

    Raises:
      TypeError: it is not callable.
    """
    target = f.__func__ if isinstance(f, staticmethod | classmethod | MethodType) else f
    if not callable(target):
        raise TypeError(f'ag.do_not_convert needs a function; {f!r} is not callable.')
    # What cannot be marked, such as a builtin, is not written in Python: it is called as it is.
    with contextlib.suppress(AttributeError, TypeError):
        setattr(target, AS_IT_IS, True)
        leave_as_it_is(target.__code__)
    return f


def converted_for_function(f: Callable[..., Any], inner: bool) -> Callable[..., Any]:
    """What is run when an `ag.function` is traced.

    Args:
      f: the function as it was written.
      inner: whether it is called in another trace.
    """
    from .operators.contexts import undecorated

    under_errstate = undecorated(f)
    if under_errstate is not None:
        return under_errstate
    if isinstance(f, np.vectorize):
        from .operators.vectorized import vectorized

        return functools.partial(vectorized, f)
    if inner and isinstance(f, FunctionType):
        return converted_for_call(f, asked=True)
    return converted_for_trace(f)


def written_function(f: Callable[..., Any]) -> FunctionType:
    """The function that somebody wrote behind what was made of it, decorators included."""
    function: FunctionType = inspect.unwrap(function_behind(_in_python(f)))
    return function


def _in_python(f: Callable[..., Any]) -> Callable[..., Any]:
    """What is written in Python behind something that is not, such as `np.mean`."""
    wrapped = get_attribute(f, '__wrapped__')
    return f if isinstance(f, FunctionType) or not isinstance(wrapped, FunctionType) else wrapped


def _converting(function: FunctionType) -> Callable[..., Any]:
    """A function that is converted when it is first called."""
    what = resumes(function)
    if what:
        name = function.__qualname__
        raise ConversionError(f'ag.convert needs a function that returns; {name} is {what}.')
    lines_behind(function)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        from .graph.tracing import is_tracing

        if not is_tracing():
            return in_code_form(function)(*args, **kwargs)
        from .operators.calls import call as traced

        return traced(call, *args, **kwargs)

    stands_for(call, function)
    call.__dict__.pop(AS_IT_IS, None)  # what it wraps has lent it
    return call


