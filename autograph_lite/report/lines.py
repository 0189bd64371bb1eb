"""The texts that a report shows, line by line, each line with the user's lines it came from."""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..backends.printer import Origin
from ..backends.program import Program
from ..concrete import ConcreteFunction
from ..conversion import to_printed, written_function
from ..errors import AutographError
from ..graph import text
from ..graph.graph import Graph
from ..graph.sites import Site
from ..pyct.parser import parse_function
from ..pyct.unparser import Printed
from .correspondence import Correspondence, Place, Places
from .statements import Jump, Statements


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
    for i, head in _generated_returns(printed):
        numbers[i] = head
    found = [
        Line(line, () if number is None else ((filename, number),))
        for line, number in zip(texts, numbers, strict=True)]
    return _with_inner(found, [Statements(filename)])


def _generated_returns(printed: Printed) -> Iterator[tuple[int, int | None]]:
    """The lines by which a block gives back its state, and the user's line of the whole block."""
    module = ast.parse(printed.text)
    for function in ast.walk(module):
        match function:
            case ast.FunctionDef(
                body=[*_, before, ast.Return(ast.Name() | ast.Tuple()) as last]
            ) if function not in module.body:
                # What the user returns stands on a line of its own.
                if printed.lines[last.lineno - 1] == printed.lines[before.lineno - 1]:
                    for line in range(last.lineno - 1, last.end_lineno or last.lineno):
                        yield line, printed.lines[function.lineno - 1]


def _with_inner(lines: list[Line], files: Iterable[Statements]) -> list[Line]:
    """The lines; a statement for which there is none belongs to the one that it stands in.

    What stands in none that is shown, such as a last `return`, belongs to the one before it.
    """
    shown = {place for line in lines for place in line.places}
    inner: dict[Place, Places] = {}
    for statements in files:
        for statement in statements.all:
            place = statements.filename, statement.line
            own = statements.of(statement.function)
            near = [
                *statement.around, *(each for each in own if each.is_in(statement)),
                *(each for each in reversed(own) if each.line < statement.line)]
            around = ((statements.filename, each.line) for each in near)
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


def _places(line: text.Line, behind: Correspondence) -> Places:
    if line.node is None:
        return behind.head if line.returns is None else behind.returns
    if line.returns is not None:
        return behind.of_sites(line.node.sites, (line.role,))
    return behind.of_sites(line.node.sites, ()) if line.role else behind.of_node(line.node)


def program_lines(program: Program, behind: Correspondence) -> list[Line]:
    """The NumPy program."""
    texts = program.code.splitlines()
    places: list[list[Place]] = [[] for _ in texts]
    for found, origin in zip(places, program.lines, strict=True):
        found += behind.of_sites(_sites(origin))
    _add_assigned(ast.parse(program.code).body, None, program, behind, places)
    shown = {place for found in places for place in found}
    for found, origin in zip(places, program.lines, strict=True):
        for site in _sites(origin):
            found += (each.place for each in behind.silent(site) if each.place not in shown)
    for line, found in zip(texts, places, strict=True):
        if line.startswith(f'def {program.name}('):
            found += behind.head
        if line.startswith('    return') or line == '    pass':
            found += behind.returns
    return [Line(*each) for each in zip(texts, map(_unique, places), strict=True)]


def _unique(places: list[Place]) -> Places:
    return tuple(dict.fromkeys(places))


def _sites(origin: Origin | None) -> list[Site]:
    """The places that a line of a program came from."""
    if origin is None:
        return []
    own = [] if origin.site is None else [origin.site]
    return [*own, *(site for _, site in origin.parts), *origin.merged]


def _add_assigned(
    block: Sequence[ast.stmt],
    owner: Site | None,
    program: Program,
    behind: Correspondence,
    places: list[list[Place]],
) -> None:
    """Adds the user's statements behind what the program assigns, and where it leaves a loop.

    Args:
      block: statements of the program.
      owner: the place of the control flow that they stand in.
    """
    following: Site | None = None
    for node in reversed(block):
        origin = program.lines[node.lineno - 1]
        site = origin.site if origin is not None else None
        for name in ('body', 'orelse', 'handlers'):
            inner = getattr(node, name, [])
            _add_assigned(inner, site or owner, program, behind, places)
        if isinstance(node, ast.For | ast.While):
            following = site
        targets = node.targets if isinstance(node, ast.Assign) else ()
        names = {
            re.sub(r'(?<=.)(_\d+)+$', '', part.id)
            for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        for each in behind.silent(following) if following is not None else ():
            if each.role == 'before' and each.statement.binds & names:
                places[node.lineno - 1].append(each.place)
        for each in behind.silent(owner) if owner is not None else ():
            is_jump = isinstance(each.statement.node, Jump)
            if each.role not in ('before', 'reads') and (
                isinstance(node, Jump) if is_jump else each.statement.binds & names
            ):
                places[node.lineno - 1].append(each.place)


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False


def signature(concrete: ConcreteFunction) -> str:
    """The trace in one line: `f(x: float64[3], n=2)`."""
    shown = [
        f'{leaf.path}: {leaf.type}' if leaf.type else f'{leaf.path}={leaf.value!r}'
        for leaf in concrete.leaves
        if leaf.path != 'self'
    ]
    return f'{concrete.name}({", ".join(shown)})'
