"""What a function calls, as far as the user wrote it: its source, and what that becomes."""
from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..concrete import ConcreteFunction
from ..converters.callees import is_library
from ..errors import AutographError
from .correspondence import Place, lines_of
from .lines import Line, Listing, converted_lines, excerpt, source_lines
from .statements import Statements

LinesOf = Callable[[Callable[..., Any]], list[Line]]


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
        for filename, number in lines_of(node.site):
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
    found = Statements(filename).at(number)
    if found is None:
        return None
    around = [each for each, _ in found.blocks if not isinstance(each.node, ast.ClassDef)]
    node = [*around, found][0].node
    first, last = found.line, getattr(node, 'end_lineno', None) or found.line
    if isinstance(node, ast.stmt):
        first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
    name = getattr(node, 'name', f'line {first}')
    return Listing(name, excerpt(filename, linecache.getlines(filename), first, last))
