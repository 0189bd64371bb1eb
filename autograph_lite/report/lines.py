"""The texts that a report shows, line by line, each line with the user's lines it came from."""
from __future__ import annotations

import ast
import reprlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..backends.program import Program
from ..concrete import ConcreteFunction
from ..conversion import to_printed, written_function
from ..errors import AutographError
from ..graph import text
from ..graph.graph import Graph
from ..pyct.parser import parse_function
from ..pyct.unparser import Printed
from .bindings import Bindings
from .correspondence import Correspondence, Place, Places


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
    bindings = Bindings(filename)
    returns = _generated_returns(printed)
    found = []
    for i, line in enumerate(texts):
        numbers = [returns.get(i, printed.lines[i]), *(() if i in returns else printed.inside[i])]
        places = tuple((filename, n) for n in dict.fromkeys(numbers) if n is not None)
        found.append(Line(line, places))
    return _with_jumps(found, [bindings])


def _with_jumps(
    lines: list[Line], files: Iterable[Bindings], untaken: Collection[Place] = ()
) -> list[Line]:
    """The lines; a jump for which there is none belongs to the statement that it stands in."""
    shown = {place for line in lines for place in line.places}
    first = {place for line in lines for place in line.places[:1]}
    jumps: dict[Place, Places] = {}
    for bindings in files:
        for jump, around in bindings.jumping():
            place, owner = (bindings.filename, jump), (bindings.filename, around)
            if place not in shown and place not in untaken:
                jumps[owner] = (*jumps.get(owner, ()), place)
    found = []
    for line in lines:
        owners = [p for i, p in enumerate(line.places) if i == 0 or p not in first]
        more = tuple(jump for owner in owners for jump in jumps.get(owner, ()))
        found.append(replace(line, places=line.places + more))
    return found


def _generated_returns(printed: Printed) -> dict[int, int | None]:
    """The lines by which a block gives back its state, and the user's line of the whole block."""
    found: dict[int, int | None] = {}
    module = ast.parse(printed.text)
    for function in ast.walk(module):
        match function:
            case ast.FunctionDef(
                body=[*_, before, ast.Return(ast.Name() | ast.Tuple()) as last]
            ) if function not in module.body:
                line = last.lineno - 1
                # What the user returns stands on a line of its own.
                if printed.lines[line] == printed.lines[before.lineno - 1]:
                    head = printed.lines[function.lineno - 1]
                    found.update(dict.fromkeys(range(line, last.end_lineno or line), head))
    return found


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
    if line.returns is not None:
        return behind.of_results(line.node, line.role, line.returns)
    if line.node is None:
        return behind.of_given(None)
    return behind.of_block(line.node) if line.role else behind.of_node(line.node)


def program_lines(program: Program, behind: Correspondence) -> list[Line]:
    """The NumPy program."""
    found = []
    for line, origin in zip(program.code.splitlines(), program.lines, strict=True):
        places: list[Place] = []
        if origin is not None:
            sites = [origin.site, *(site for _, site in origin.parts), *origin.merged]
            places += behind.of_sites(sites)
            for each in origin.handed:
                # What is of no operation, nor of a line of its own, is the control flow's.
                places += behind.of_handed(each) or behind.of_sites([each.site] * (not places))
        found.append(Line(line, tuple(dict.fromkeys(places))))
    return _with_jumps(found, behind.files, behind.untaken)


def is_function(f: Any) -> bool:
    """Whether it is a function with a source that can be shown and converted."""
    try:
        return bool(source_lines(f) and converted_lines(f))
    except AutographError:
        return False
