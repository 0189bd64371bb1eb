"""Functions with the parameters of another one: Python itself binds arguments to them.

What does not fit them raises the TypeError that the other function would raise.
"""
from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Any


def function_like(
    function: FunctionType, body: Sequence[ast.stmt], names: dict[str, Any]
) -> FunctionType:
    """A function with the name, parameters and defaults of another, and this body.

    Args:
      function: the other one.
      body: the statements. Names that begin with a dot cannot clash with the user's.
      names: what the body names beside the parameters.
    """
    made = _made(_parameters(function), body, names)
    made.__name__ = function.__name__
    made.__qualname__ = function.__qualname__
    copy_defaults(function, made)
    return made


def with_parameters(name: str, parameters: Sequence[inspect.Parameter]) -> FunctionType:
    """A function that does nothing, with this name and these parameters."""
    by_kind: dict[Any, list[ast.arg]] = {parameter.kind: [] for parameter in parameters}
    for parameter in parameters:
        by_kind[parameter.kind].append(ast.arg(parameter.name))
    kind = inspect.Parameter
    arguments = ast.arguments(
        by_kind.get(kind.POSITIONAL_ONLY, []),
        by_kind.get(kind.POSITIONAL_OR_KEYWORD, []),
        next(iter(by_kind.get(kind.VAR_POSITIONAL, [])), None),
        by_kind.get(kind.KEYWORD_ONLY, []),
        [None for _ in by_kind.get(kind.KEYWORD_ONLY, [])],
        next(iter(by_kind.get(kind.VAR_KEYWORD, [])), None),
        [],
    )
    made = _made(arguments, [ast.Pass()], {})
    made.__name__ = made.__qualname__ = name
    has = [parameter for parameter in parameters if parameter.default is not parameter.empty]
    by_name = {p.name: p.default for p in has if p.kind is p.KEYWORD_ONLY}
    made.__defaults__ = tuple(p.default for p in has if p.name not in by_name)
    made.__kwdefaults__ = by_name
    return made


def _made(
    arguments: ast.arguments, body: Sequence[ast.stmt], names: dict[str, Any]
) -> FunctionType:
    definition = ast.FunctionDef('function', arguments, list(body), [], None)
    module = ast.fix_missing_locations(ast.Module([definition], []))
    namespace = {'__name__': __name__, **names}
    exec(compile(module, __file__, 'exec', dont_inherit=True), namespace)
    made: FunctionType = namespace.pop('function')
    return made


def copy_defaults(function: FunctionType, made: FunctionType) -> None:
    """Gives a function that was made the defaults that the other one has now."""
    made.__defaults__ = function.__defaults__
    made.__kwdefaults__ = function.__kwdefaults__


def parameter_names(function: FunctionType) -> list[str]:
    """The parameters in the order in which `inspect.signature` has them."""
    arguments = _parameters(function)
    named = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        named.append(arguments.vararg)
    named += arguments.kwonlyargs
    if arguments.kwarg:
        named.append(arguments.kwarg)
    return [argument.arg for argument in named]


def _parameters(function: FunctionType) -> ast.arguments:
    code = function.__code__
    names = iter(code.co_varnames)
    positional = [ast.arg(next(names)) for _ in range(code.co_argcount)]
    keywords = [ast.arg(next(names)) for _ in range(code.co_kwonlyargcount)]
    vararg = ast.arg(next(names)) if code.co_flags & 0x04 else None
    kwarg = ast.arg(next(names)) if code.co_flags & 0x08 else None
    first = code.co_posonlyargcount
    # The defaults are those of the function that is made, not of its code.
    none: list[Any] = [None] * len(keywords)
    return ast.arguments(positional[:first], positional[first:], vararg, keywords, none, kwarg, [])


class Binder:
    """Binds the arguments of calls of a function."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        names: list[ast.expr] = [ast.Name(name, ast.Load()) for name in parameter_names(function)]
        self._bind = function_like(function, [ast.Return(ast.Tuple(names, ast.Load()))], {})

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """One value a parameter; `*args` as a tuple, `**kwargs` as a dict.

        Raises:
          TypeError: the arguments do not fit; Python's own.
        """
        copy_defaults(self._function, self._bind)
        try:
            values: tuple[Any, ...] = self._bind(*args, **kwargs)
        except TypeError as error:
            raise error.with_traceback(None) from None
        return values
