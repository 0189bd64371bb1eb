"""The texts that a report shows, line by line, each line with the user's lines it came from."""
from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..backends.program import Program
from ..concrete import ConcreteFunction
from ..conversion import to_printed, written_function
from ..errors import AutographError
from ..graph import text
from ..graph.graph import Graph
from ..pyct.parser import parse_function
from .correspondence import Correspondence, Place, Places
from .statements import Statements


@dataclass(frozen=True)
class Line:
    """A line of text.

    Attributes:
      text: what stands there.
      places: the user's lines that it came from.
      note: what was found out about it.
      number: the number that it has in the user's file.
      idle: it is a statement of the user's that no operation of the graph comes from.
    """

    text: str
    places: Places = ()
    note: str = ''
    number: int | None = None
    idle: bool = False


@dataclass(frozen=True)
class Listing:
    """The lines of one function.

    Attributes:
      name: the function's.
    """

    name: str
    lines: list[Line]


def source_lines(f: Callable[..., Any]) -> list[Line]:
    """The user's function as it stands in its file, without the indentation that all share."""
    parsed = parse_function(written_function(f))
    node = parsed.node
    first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
    return excerpt(parsed.source.filename, parsed.source.lines, first, node.end_lineno)


def excerpt(filename: str, lines: Iterable[str], first: int, last: int) -> list[Line]:
    """Lines of a file, without the indentation that all share."""
    texts = [line.rstrip() for line in list(lines)[first - 1 : last]]
    margin = min((len(t) - len(t.lstrip()) for t in texts if t), default=0)
    return [Line(t[margin:], ((filename, n),), number=n) for n, t in enumerate(texts, first)]


def converted_lines(f: Callable[..., Any]) -> list[Line]:
    """The converted source."""
    printed = to_printed(f)
    filename = written_function(f).__code__.co_filename
    texts = printed.text.split('\n')
    numbers = [*printed.lines, *[None] * (len(texts) - len(printed.lines))]
    found = [
        Line(line, () if number is None else ((filename, number),))
        for line, number in zip(texts, numbers, strict=True)]
    return _with_inner(found, [Statements(filename)])


def _with_inner(lines: list[Line], files: Iterable[Statements]) -> list[Line]:
    """The lines; a statement for which there is none belongs to the one that it stands in."""
    shown = {place for line in lines for place in line.places}
    inner: dict[Place, Places] = {}
    for statements in files:
        for statement in statements.all:
            place = statements.filename, statement.line
            around = ((statements.filename, each.line) for each in statement.around)
            owner = next((each for each in around if each in shown), None)
            if place not in shown and owner is not None:
                inner[owner] = (*inner.get(owner, ()), place)
    return [
        replace(line, places=tuple(dict.fromkeys(
            more for place in line.places for more in (place, *inner.get(place, ())))))
        for line in lines]


def graph_lines(graph: Graph, behind: Correspondence) -> list[Line]:
    """The graph as text."""
    return [Line(line.text, _places(line, behind)) for line in text.lines(graph)]


def trace_lines(concrete: ConcreteFunction, behind: Correspondence) -> list[Line]:
    """The graph of a trace; where it computes nothing, with what was known while tracing."""
    lines = graph_lines(concrete.graph, behind)
    known = _returned(concrete)
    if known is None:
        return lines
    head, *rest, last = lines
    return [
        replace(head, text=head.text.replace('-> None:', f'-> {known}:')),
        *rest,
        replace(last, text=f'{last.text} {known}'),
    ]


def trace_program_lines(concrete: ConcreteFunction, behind: Correspondence) -> list[Line]:
    """The NumPy program of a trace, and what is returned where it computes nothing."""
    *lines, last = program_lines(concrete.program, behind)
    known = _returned(concrete)
    if known is not None and last.text.strip() == 'pass':
        last = replace(last, note=f'{known} is returned')
    return [*lines, last]


def _returned(concrete: ConcreteFunction) -> str | None:
    """The value that a trace returns without computing it, if there is one, in short."""
    if concrete.graph.outputs or concrete.structured_outputs is None:
        return None
    return reprlib.repr(concrete.structured_outputs)


def _places(line: text.Line, behind: Correspondence) -> Places:
    if line.node is not None:
        return behind.of_node(line.node)
    return behind.head if line.returns is None else behind.returns


def program_lines(program: Program, behind: Correspondence) -> list[Line]:
    """The NumPy program."""
    found = []
    for line, origin in zip(program.code.splitlines(), program.lines, strict=True):
        places: list[Place] = []
        if origin is not None:
            sites = [origin.site, *(site for _, site in origin.parts), *origin.merged]
            places += behind.of_sites(sites)
        if line.startswith(f'def {program.name}('):
            places += behind.head
        if line.startswith('    return'):
            places += behind.returns
        found.append(Line(line, tuple(dict.fromkeys(places))))
    return found


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False
