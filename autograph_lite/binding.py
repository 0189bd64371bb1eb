"""Functions with the parameters of another one: Python itself binds arguments to them.

What does not fit them raises the TypeError that the other function would raise.
"""
from __future__ import annotations

import ast
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
    definition = ast.FunctionDef('function', _parameters(function), list(body), [], None)
    module = ast.fix_missing_locations(ast.Module([definition], []))
    namespace = dict(names)
    exec(compile(module, __file__, 'exec', dont_inherit=True), namespace)
    made: FunctionType = namespace.pop('function')
    made.__name__ = function.__name__
    made.__qualname__ = function.__qualname__
    copy_defaults(function, made)
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


class _Miss:
    """What an entry of a function gives for a call that it cannot serve; no call returns it."""


MISS = _Miss()


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
