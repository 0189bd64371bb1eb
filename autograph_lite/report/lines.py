"""The texts that a report shows, line by line, each line with the user's lines it came from."""
from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..backends.program import Program
from ..conversion import to_printed, written_function
from ..errors import AutographError
from ..graph import text
from ..graph.graph import Graph, Node
from ..graph.names import given_names
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


def source_lines(f: Callable[..., Any]) -> list[Line]:
    """The user's function as it stands in its file, without the indentation that all share."""
    parsed = parse_function(written_function(f))
    node = parsed.node
    first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
    return _excerpt(parsed.source.filename, parsed.source.lines, first, node.end_lineno)


def _excerpt(filename: str, lines: Iterable[str], first: int, last: int) -> list[Line]:
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
        found.append(Line(line, _places(sites)))
    return found


def places_of(node: Node | None) -> tuple[Place, ...]:
    """Where the user wrote what a node does."""
    return () if node is None else _places([node.site])


def _places(sites: Iterable[Site | None]) -> tuple[Place, ...]:
    places = ((site.filename, site.line) for site in sites if site is not None)
    return tuple(dict.fromkeys(places))


def callees(graph: Graph, known: Iterable[Line]) -> list[Line]:
    """The functions that the graph's nodes come from besides the known lines, one after another."""
    seen = {place for line in known for place in line.places}
    found: list[Line] = []
    for node in graph.walk():
        for filename, number in places_of(node):
            if (filename, number) in seen:
                continue
            lines = _around(filename, number)
            seen.update(place for line in lines for place in line.places)
            if lines:
                found += [Line(''), *lines]
    return found


def _around(filename: str, number: int) -> list[Line]:
    """The outermost function, or else the statement, that a line belongs to."""
    lines = linecache.getlines(filename)
    for node in _statements(filename):
        first = min([node.lineno, *(d.lineno for d in getattr(node, 'decorator_list', ()))])
        if first <= number <= (node.end_lineno or first):
            return _excerpt(filename, lines, first, node.end_lineno or first)
    return []


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


def annotated(lines: list[Line], graph: Graph) -> list[Line]:
    """The user's lines with the types of what they compute; which no operation comes from."""
    notes: dict[Place, dict[str, None]] = {}
    names = given_names(graph)
    written = set(re.findall(r'\w+', ' '.join(line.text for line in lines)))
    for node in graph.walk():
        for output in node.outputs:
            name = names.get(output)
            for place in places_of(node) if name in written else ():
                notes.setdefault(place, {})[f'{name}: {output.type}'] = None
    for place, what in _changes(graph):
        notes.setdefault(place, {})[what] = None
    busy = {place for node in graph.walk() for place in places_of(node)}
    quiet = _assignments({place[0] for line in lines for place in line.places}) - busy
    return [
        replace(
            line,
            note=' · '.join(note for place in line.places for note in notes.get(place, ())),
            idle=any(place in quiet for place in line.places),
        )
        for line in lines
    ]


# What the rewrites do, in a word.
_DONE = {
    'constant_folding': 'folded',
    'cond_constant': 'branch decided',
    'common_subexpressions': 'shared',
    'loop_invariants': 'hoisted',
    'dead_code': 'not needed',
}


def _changes(graph: Graph) -> Iterator[tuple[Place, str]]:
    """What the rewrites did, and where; that what is left is not needed is no news."""
    told = {place for node in graph.walk() for place in places_of(node)}
    for change in graph.changes:
        for place in _places([change.site]):
            if change.rewrite != 'dead_code' or place not in told:
                told.add(place)
                yield place, _DONE.get(change.rewrite, change.rewrite.replace('_', ' '))


def _assignments(filenames: Iterable[str]) -> set[Place]:
    """The lines that are one assignment without a call."""
    found: set[Place] = set()
    for filename in filenames:
        try:
            tree = ast.parse(''.join(linecache.getlines(filename)))
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                one_line = node.lineno == node.end_lineno
                # What a function does that is called stands elsewhere.
                if one_line and not any(isinstance(part, ast.Call) for part in ast.walk(node)):
                    found.add((filename, node.lineno))
    return found


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False
