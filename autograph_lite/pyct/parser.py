"""From a function, or from text, to a gast tree."""
from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.source import Place, Source, describe, find_source, function_of
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
    code = function.__code__
    places = [
        place for place in source.places.get(code.co_firstlineno, ())
        if _fits(place, code)
    ]
    if not places:
        raise SourceNotFoundError(
            f'The source of {describe(function)} does not have that function at that line: the '
            'file has changed since it was imported.\nImport it anew (or restart Python).')
    return places[0]


def _fits(place: Place, code: CodeType) -> bool:
    name = getattr(place.node, 'name', '<lambda>')
    return bool(name == code.co_name)
