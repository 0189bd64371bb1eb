"""From a tree back to a function that runs, in place of the one it was made from."""
from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

import gast

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.lambdas import FUTURE_FLAGS
from autograph_lite.pyct.parser import locate
from autograph_lite.pyct.source import Source, function_of
from autograph_lite.pyct.tree import Node, to_ast

FACTORY = '<converted>'  # a name that no user's text can have


def load_function(
    tree: Node, like: Any, source: Source, extra: Mapping[str, object] | None = None
) -> FunctionType:
    """Compile a function's tree to a function that can stand in for `like`.

    It has the name, qualified name, defaults, annotations, docstring and attributes of `like`, its
    globals (the same dict) and its closure (the same cells). `extra` gives the values of further
    names, through cells of their own, so that the user's globals are not touched.
    """
    like = function_of(like)
    extra = extra or {}
    names = dict.fromkeys((*like.__code__.co_freevars, *extra))
    module = _module(tree, like, locate(like, source).enclosing_class, list(names))
    flags = like.__code__.co_flags & FUTURE_FLAGS
    compiled: CodeType = deeply(
        compile, module, source.filename, 'exec', flags=flags, dont_inherit=True)
    code = _qualified(_code(compiled, like.__code__.co_name), like)
    cells = dict(zip(like.__code__.co_freevars, like.__closure__ or (), strict=True))
    cells.update({name: CellType(value) for name, value in extra.items()})
    closure = tuple(cells.get(name) or CellType() for name in code.co_freevars)
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
    names are mangled as they were (a class named `_` mangles none).
    """
    function = copy.copy(tree)
    function.args = copy.copy(tree.args)
    function.args.defaults, function.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
    if isinstance(tree, gast.Lambda):
        member = ast.Expr(to_ast(function))
    else:
        function.decorator_list, function.type_params, function.returns = [], [], None
        member = to_ast(function)
        first = like.__code__.co_firstlineno
        if first < getattr(tree, 'lineno', 0):  # Python counts from the first decorator
            member.decorator_list = [ast.Constant(
                None, lineno=first, col_offset=0, end_lineno=first, end_col_offset=0)]
    for argument in ast.walk(member.value.args if isinstance(member, ast.Expr) else member.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    scope = ast.ClassDef(class_name or '_', [], [], [member], [])
    factory = ast.FunctionDef(
        FACTORY,
        ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, []),
        [scope],
        [],
    )
    if sys.version_info >= (3, 12):
        scope.type_params = factory.type_params = []
    return deeply(ast.fix_missing_locations, ast.Module([factory], []))


def _code(compiled: CodeType, name: str) -> CodeType:
    """The code of the function in the class in the factory."""
    code = compiled
    for _ in range(3):
        code = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
    return code


def _qualified(code: CodeType, like: FunctionType) -> CodeType:
    """The same code, it and the functions in it being called what they would be in the user's file."""
    if sys.version_info < (3, 11):
        return code
    old, new = code.co_qualname, like.__code__.co_qualname

    def renamed(code: CodeType) -> CodeType:
        return code.replace(
            co_qualname=new + code.co_qualname.removeprefix(old),
            co_consts=tuple(
                renamed(constant) if isinstance(constant, CodeType) else constant
                for constant in code.co_consts),
        )

    return renamed(code)
