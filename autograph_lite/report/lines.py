"""The texts that a report shows, line by line, each line with the user's lines it came from."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..backends.program import Program
from ..conversion import to_printed, written_function
from ..errors import AutographError
from ..graph import text
from ..graph.graph import Graph, Node
from ..graph.sites import Site
from ..pyct.parser import parse_function

# A line of the user's: the file, and its number there.
Place = tuple[str, int]


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
    places: tuple[Place, ...] = ()
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
    numbers = [*printed.lines, *[None] * len(texts)]
    return [
        Line(line, () if number is None else ((filename, number),))
        for line, number in zip(texts, numbers, strict=False)
    ]


def graph_lines(graph: Graph) -> list[Line]:
    """The graph as text."""
    return [Line(line, places_of(node)) for line, node in text.lines(graph)]


def program_lines(program: Program) -> list[Line]:
    """The NumPy program."""
    found = []
    for line, origin in zip(program.code.splitlines(), program.lines, strict=True):
        sites: list[Site | None] = []
        if origin is not None:
            sites = [origin.site, *(site for _, site in origin.parts)]
        found.append(Line(line, places_of_sites(sites)))
    return found


def places_of(node: Node | None) -> tuple[Place, ...]:
    """Where the user wrote what a node does."""
    return () if node is None else places_of_sites([node.site])


def places_of_sites(sites: Iterable[Site | None]) -> tuple[Place, ...]:
    """The lines of these places."""
    places = ((site.filename, site.line) for site in sites if site is not None)
    return tuple(dict.fromkeys(places))


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False
