"""From a tree back to a function that runs, in place of the one it was made from."""
from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.lambdas import FUTURE_FLAGS
from autograph_lite.pyct.parser import locate
from autograph_lite.pyct.source import Source, function_of
from autograph_lite.pyct.tree import Node, to_ast

FACTORY = '<converted>'  # no name and no text of the user's is that
_UNLIKELY = 16 * '_'


def load_function(
    tree: Node, like: Any, source: Source, extra: Mapping[str, object] | None = None
) -> FunctionType:
    """Compile a function's tree to a function that can stand in for `like`.

    It has the name, qualified name, defaults, annotations, docstring and attributes of `like`, its
    globals (the same dict) and its closure (the same cells). `extra` gives the values of further
    names, through cells of their own, so that the user's globals are not touched.
    """
    code = compile_function(tree, like, source, tuple(extra or ()))
    return make_function(code, like, extra)


def compile_function(
    tree: Node, like: Any, source: Source, extra: Collection[str] = ()
) -> CodeType:
    """The code of a function that can stand in for `like`, and for others with the same code."""
    like = function_of(like)
    names = [*like.__code__.co_freevars, *extra]
    class_name = locate(like, source).enclosing_class
    compiled: CodeType = deeply(
        compile, _module(tree, like, class_name, names), source.filename, 'exec',
        flags=like.__code__.co_flags & FUTURE_FLAGS, dont_inherit=True)
    return _renamed(_innermost(compiled), like)


def make_function(
    code: CodeType, like: Any, extra: Mapping[str, object] | None = None
) -> FunctionType:
    """A function with this code and everything else from `like`."""
    like = function_of(like)
    cells = dict(zip(like.__code__.co_freevars, like.__closure__ or (), strict=True))
    cells.update({name: CellType(value) for name, value in (extra or {}).items()})
    closure = tuple(cells.get(name) or CellType() for name in code.co_freevars) or None
    function = FunctionType(code, like.__globals__, like.__name__, like.__defaults__, closure)
    function.__kwdefaults__ = like.__kwdefaults__
    function.__annotations__ = dict(like.__annotations__)
    function.__qualname__ = like.__qualname__
    function.__module__ = like.__module__
    function.__doc__ = like.__doc__
    function.__dict__.update(like.__dict__)
    if sys.version_info >= (3, 12):
        function.__type_params__ = like.__type_params__
    return function


def _module(tree: Node, like: FunctionType, class_name: str | None, names: list[str]) -> ast.Module:
    """The function inside a function whose parameters are its free variables.

    A class lies between the two: its scope is not seen from inside, so that a function that calls
    itself finds its own name where it did before; and with the name of the user's class private
    names are mangled as they were, whatever the number of underscores in front of it, which keep
    it apart from the class itself (a class named `_` mangles none).
    """
    member = _without_defaults(tree, like)
    scope = ast.ClassDef(_UNLIKELY + (class_name or ''), [], [], [member], [])
    parameters = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    factory = ast.FunctionDef(FACTORY, parameters, [scope], [])
    if sys.version_info >= (3, 12):
        scope.type_params = factory.type_params = []
    return deeply(ast.fix_missing_locations, ast.Module([factory], []))


def _without_defaults(tree: Node, like: FunctionType) -> ast.stmt:
    """The function, as a statement, without what is evaluated where it is defined."""
    function = to_ast(tree)
    function.args.defaults = []
    function.args.kw_defaults = [None] * len(function.args.kwonlyargs)
    if isinstance(function, ast.Lambda):
        return ast.Expr(function)
    for parameter in ast.walk(function.args):
        if isinstance(parameter, ast.arg):
            parameter.annotation = None
    function.returns, function.type_params, function.decorator_list = None, [], []
    first = like.__code__.co_firstlineno
    if first < getattr(function, 'lineno', 0):  # Python counts from the first decorator
        function.decorator_list.append(ast.Constant(
            None, lineno=first, col_offset=0, end_lineno=first, end_col_offset=0))
    return function  # type: ignore[no-any-return]  # a function's tree gives a function's tree


def _innermost(compiled: CodeType) -> CodeType:
    """The code of the function in the class in the factory in the module."""
    for _ in range(3):
        compiled = next(code for code in compiled.co_consts if isinstance(code, CodeType))
    return compiled


def _renamed(code: CodeType, like: FunctionType) -> CodeType:
    """The same code, it and what is defined in it being called as they are in the user's file.

    What the user's file does not define is called what encloses it, so that a traceback through
    it names the user's function. Qualified names are an attribute of code objects from 3.11 on,
    and constants in them before; of classes, they are constants always.
    """
    own = set(_defined(like.__code__))
    whole = getattr(like.__code__, 'co_qualname', like.__qualname__)

    def qualified(name: str) -> str:
        inner = name.split('.')[4:]  # after factory, its scope, class and function
        return '.'.join([whole, *inner])

    def constant(value: object, owner: CodeType) -> object:
        if isinstance(value, CodeType):
            return renamed(value, owner)
        if isinstance(value, str) and value.startswith(FACTORY):
            return qualified(value)
        return value

    def renamed(code: CodeType, owner: CodeType) -> CodeType:
        if (code.co_name, code.co_firstlineno) not in own:
            code = code.replace(co_name=owner.co_name)
            if sys.version_info >= (3, 11):
                code = code.replace(co_qualname=owner.co_qualname)
        elif sys.version_info >= (3, 11):
            code = code.replace(co_qualname=qualified(code.co_qualname))
        return code.replace(co_consts=tuple(constant(value, code) for value in code.co_consts))

    return renamed(code, like.__code__).replace(co_name=like.__code__.co_name)


def _defined(code: CodeType) -> Iterator[tuple[str, int]]:
    """The name and first line of a function's code, and of all code in it."""
    yield code.co_name, code.co_firstlineno
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _defined(value)
