"""What a function calls, as far as the user wrote it: its source, and what that becomes."""
from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FunctionType, MethodType
from typing import Any

import gast

from ..concrete import ConcreteFunction
from ..conversion import written_function
from ..converters.callees import is_library, meaning
from ..converters.context import context_of
from ..errors import AutographError
from ..function import Function
from ..pyct.parser import parse_function
from .lines import Line, Listing, Place, converted_lines, excerpt, places_of, source_lines

LinesOf = Callable[[Callable[..., Any]], list[Line]]


def named_callees(f: Callable[..., Any]) -> list[FunctionType]:
    """The functions that a function calls by name, and those that they call, in that order."""
    found = [written_function(f)]
    for function in found:  # it grows
        try:
            parsed = parse_function(function)
        except AutographError:
            continue
        in_class = parsed.enclosing_class is not None
        context = context_of(function, parsed.node, parsed.source, in_class)
        for node in ast.walk(parsed.node):
            if isinstance(node, gast.Call):
                called = _written(meaning(node.func, context))
                if called is not None and called not in found:
                    found.append(called)
    return found[1:]


def _written(value: Any) -> FunctionType | None:
    """The function behind a value that is called, if it is one of the user's."""
    if isinstance(value, Function):
        value = value.python_function
    if not isinstance(value, FunctionType | MethodType) or is_library(value):
        return None
    return written_function(value)


def listings(
    functions: Iterable[Callable[..., Any] | None], known: Sequence[Listing], lines_of: LinesOf
) -> list[Listing]:
    """The lines of functions of the user's, but for the known and for what does not convert."""
    seen = _places_in(known)
    found: list[Listing] = []
    for function in functions:
        if function is None or is_library(function):
            continue
        try:
            lines = lines_of(function)
        except AutographError:
            continue
        listing = Listing(function.__name__, lines)
        places = _places_in([listing])
        if not places <= seen:
            seen |= places
            found.append(listing)
    return found


def source_of_callees(concrete: ConcreteFunction, known: Sequence[Listing]) -> list[Listing]:
    """The functions that were traced with another, but for the known; what else nodes come from."""
    found = listings((called() for called in concrete.called), known, source_lines)
    seen = _places_in([*known, *found])
    for node in concrete.graph.walk():
        for filename, number in places_of(node):
            if (filename, number) not in seen and (listing := _around(filename, number)):
                seen.update(place for line in listing.lines for place in line.places)
                found.append(listing)
    return found


def converted_callees(concrete: ConcreteFunction, known: Sequence[Listing]) -> list[Listing]:
    """The converted source of the functions that were traced with another, but for the known."""
    return listings((called() for called in concrete.called), known, converted_lines)


def _places_in(listings: Iterable[Listing]) -> set[Place]:
    return {place for listing in listings for line in listing.lines for place in line.places}


def _around(filename: str, number: int) -> Listing | None:
    """The outermost function, or else the statement, that a line belongs to."""
    lines = linecache.getlines(filename)
    for node in _statements(filename):
        first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
        last = node.end_lineno or first
        if first <= number <= last:
            name = getattr(node, 'name', f'line {first}')
            return Listing(name, excerpt(filename, lines, first, last))
    return None


def _statements(filename: str) -> Iterator[ast.stmt]:
    """The statements of a file, those of classes one by one."""
    try:
        tree = ast.parse(''.join(linecache.getlines(filename)))
    except SyntaxError:
        return
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from node.body
        else:
            yield node
