"""From a function, or from text, to a gast tree."""
from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.lambdas import pick
from autograph_lite.pyct.source import Source, describe, find_source, function_of
from autograph_lite.pyct.text import Place
from autograph_lite.pyct.tree import Node, to_gast, without_positions


@dataclass(frozen=True)
class Parsed:
    """A function as a tree of its own (a copy), with positions as in the user's file."""

    node: Node
    source: Source
    enclosing_class: str | None


def parse_function(f: Callable[..., Any]) -> Parsed:
    """The gast tree of a function, a method or a lambda."""
    function = function_of(f)
    source = find_source(function)
    place = locate(function, source)
    return Parsed(to_gast(place.node), source, place.enclosing_class)


def parse_expression(text: str) -> Node:
    """The gast tree of an expression, without positions: it is not in any file."""
    return without_positions(to_gast(deeply(ast.parse, text, mode='eval').body))


def parse_statements(text: str) -> list[Node]:
    """The gast trees of statements, without positions: they are not in any file."""
    return list(without_positions(to_gast(deeply(ast.parse, text))).body)


def locate(function: FunctionType, source: Source) -> Place:
    """Where in the text a function stands."""
    try:
        places = [
            place for place in source.places.get(function.__code__.co_firstlineno, ())
            if _fits(place, function.__code__)
        ]
    except SyntaxError:
        places = []
    if len(places) > 1:
        places = pick(places, function, source)
    if not places:
        raise SourceNotFoundError(
            f'The source of {describe(function)} is not there any more: the text has changed since '
            'the function was defined.\nDefine it anew: reload the module, or run the cell again.')
    return places[0]


def _fits(place: Place, code: CodeType) -> bool:
    """Whether a function in the text can be what the code was compiled from."""
    node, arguments = place.node, place.node.args
    parameters = [argument.arg for argument in (
        *arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
        *filter(None, (arguments.vararg, arguments.kwarg)))]
    lines = [line for _, _, line in code.co_lines() if line is not None]
    return (
        getattr(node, 'name', '<lambda>') == code.co_name
        and tuple(_mangled(name, place.enclosing_class) for name in parameters)
        == code.co_varnames[:len(parameters)]
        and _shape(arguments) == (
            code.co_posonlyargcount, code.co_argcount, code.co_kwonlyargcount,
            code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS))
        and max(lines, default=0) <= (node.end_lineno or 0)
    )


def _shape(arguments: ast.arguments) -> tuple[int, int, int, int]:
    return (
        len(arguments.posonlyargs),
        len(arguments.posonlyargs) + len(arguments.args),
        len(arguments.kwonlyargs),
        (inspect.CO_VARARGS if arguments.vararg else 0)
        | (inspect.CO_VARKEYWORDS if arguments.kwarg else 0),
    )


def _mangled(name: str, class_name: str | None) -> str:
    """A private name as it is called inside a class."""
    stripped = (class_name or '').lstrip('_')
    if not stripped or not name.startswith('__') or name.endswith('__') or '.' in name:
        return name
    return f'_{stripped}{name}'
