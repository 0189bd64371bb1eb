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
    found = []
    for i, line in enumerate(texts):
        own = printed.lines[i : i + 1]
        numbers = dict.fromkeys([*own, *(n for part in printed.inside[i : i + 1] for n in part)])
        found.append(Line(line, tuple((filename, n) for n in numbers if n is not None)))
    return found


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
    """The lines of these places, then those of the calls around them."""
    known = [site for site in sites if site is not None]
    all_ = [*known, *(call for site in known for call in site.callers)]
    return tuple(dict.fromkeys(map(place_of, all_)))


def place_of(site: Site) -> Place:
    """The line of a place."""
    return site.filename, site.line


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False
